/* STORE - the set of states that were found, in the order in which they were found.
 *
 * A state is a row of bytes; its number is its place in that order, so that the rows are
 * the queue of a breadth-first search as well. An open-addressing table of 32-bit entries, in
 * buckets as large as a line of the cache, finds them: the low bits of an entry are the number plus
 * one, the bits above are part of the hash.
 *
 * Several threads may add at once, each through a shelf of its own: rows are handed out in runs,
 * and what is left of a run at the end of a level stays empty (a gap). No thread may add while the
 * table grows.
 *
 * Lifetime: heap memory, freed by store_close.
 * Errors:   store_reserve gives false where the memory limit or the largest number is reached.
 */
#pragma once

#include "explore/code/layout.h"
#include "explore/store/hash.h"

#include <stdatomic.h>

enum { STORE_RUN = 256, STORE_BUCKET = 16 /* entries in one line of the cache */ };
#define STORE_FULL (UINT32_MAX - 1)

struct gap {
    uint32_t first, count;
};

/* Chunks that came from the system together. */
struct slab {
    void *memory;
    uint32_t chunks, used;
};

struct store {
    uint32_t row_size, word_count; /* of a state, in bytes and in words of 64 bits */
    uint32_t chunk_shift;          /* states per chunk */
    unsigned char **chunks;
    uint32_t chunk_count, chunk_capacity;
    struct slab *slabs;
    uint32_t slab_count;
    _Atomic uint32_t next; /* row */
    _Atomic uint32_t *table;
    size_t table_reserved; /* bytes of address space */
    uint32_t capacity;     /* entries */
    bool is_ending;        /* fewer and fewer rows are found */
    bool has_threads;      /* there may be two at work where the table grows */
    uint32_t room;         /* rows that may be filled now */
    uint32_t max_rows;     /* never more; rows of gaps do not count */
    uint32_t index_bits;
    size_t size, size_limit; /* bytes */
    struct gap *gaps;
    uint32_t gap_count, gap_capacity, gap_states;
};

/* Rows that one thread may fill. */
struct shelf {
    uint32_t next, end;
};

/* size_limit in bytes, max_states: 0 = none. */
bool store_init(struct store *store, const struct layout *layout, size_t size_limit,
                uint64_t max_states);
void store_close(struct store *store);

/* Makes room for more rows, or for as many as there may be at all; no other thread may use the
 * store. False if there is none. */
bool store_reserve(struct store *store, uint32_t more);
/* Whether so many rows are free. */
static inline bool store_has_room(struct store *store, uint32_t more) {
    uint32_t next = atomic_load_explicit(&store->next, memory_order_relaxed);
    return store->room >= next && store->room - next >= more;
}

static inline uint64_t store_hash(const struct store *store, const uint64_t *words) {
    uint64_t hash = words[0];
    if (store->word_count >= STORE_WIDE) return store_hash_wide(words, store->word_count);
    for (uint32_t i = 1; i < store->word_count; i++)
        hash = (store_mix(hash) ^ words[i]) * UINT64_C(0xD1B54A32D192ED03);
    return store_mix(hash);
}

static inline unsigned char *store_row(const struct store *store, uint32_t row) {
    uint32_t place = row & (((uint32_t)1 << store->chunk_shift) - 1);
    return store->chunks[row >> store->chunk_shift] + (size_t)place * store->row_size;
}

void store_load(const struct store *store, uint32_t row, uint64_t *words);

static inline const void *store_bucket(const struct store *store, uint64_t hash) {
    uint64_t bucket = (hash >> 32) * (store->capacity / STORE_BUCKET) >> 32;
    return (const void *)&store->table[bucket * STORE_BUCKET];
}

/* Asks the processor for the entry of a hash, which will be needed soon. */
static inline void store_prefetch(const struct store *store, uint64_t hash) {
    __builtin_prefetch(store_bucket(store, hash));
}

/* Likewise, to be written: threads that add wait for a line until no other has it. */
static inline void store_prefetch_to_add(const struct store *store, uint64_t hash) {
    const char *bucket = store_bucket(store, hash);
#ifdef __x86_64__ /* there compilers read it, for processors that do not know better */
    __asm__("prefetchw %0" : : "m"(*bucket));
#else
    __builtin_prefetch(bucket, 1);
#endif
}

/* Adds those of the states first to count - 1 that are new, in this order; returns the number of
 * the first for which the shelf has no row, or count. is_shared: other threads add as well. */
uint32_t store_add_all(struct store *store, struct shelf *shelf, const uint64_t *states,
                       const uint64_t *hashes, uint32_t first, uint32_t count, bool is_shared);

/* The row of one state, added if it is new; the shelf must have a row. Not for several threads. */
uint32_t store_add(struct store *store, struct shelf *shelf, const uint64_t *words, uint64_t hash,
                   bool *is_new);
/* The row of a state or STORE_FULL. */
uint32_t store_find(const struct store *store, const uint64_t *words, uint64_t hash);

/* The rows of states that are there, so many, in the place of their hashes. */
void store_find_all(const struct store *store, const uint64_t *states, uint64_t *hashes,
                    uint32_t count);

/* Gives the shelf a run of rows if it is empty: room for STORE_RUN rows is needed. */
void store_refill(struct store *store, struct shelf *shelf, uint32_t run);
/* Turns what is left on a shelf into a gap. */
void store_seal(struct store *store, struct shelf *shelf);
/* The first row from here on that holds a state. */
uint32_t store_skip(const struct store *store, uint32_t row);

/* That every state is there once: it is found in its own row. For DEBUG_CHECK. */
void store_check(const struct store *store);
/* Bytes of the rows that are filled and of the table. */
static inline size_t store_used(const struct store *store) {
    return (size_t)atomic_load_explicit(&((struct store *)store)->next, memory_order_relaxed) *
               store->row_size +
           (size_t)store->capacity * sizeof(uint32_t);
}

static inline uint64_t store_count(const struct store *store) {
    return atomic_load_explicit(&((struct store *)store)->next, memory_order_relaxed) -
           (uint64_t)store->gap_states;
}
