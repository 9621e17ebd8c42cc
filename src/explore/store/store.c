/* A hash table of packed states that threads fill together. */
#define _DEFAULT_SOURCE /* le64toh */
#include "explore/store/store_internal.h"

#include "base/pages.h"

#include <assert.h>
#include <stdlib.h>

enum {
    CHUNK_SIZE = 1 << 21, /* bytes */
    FIRST_SLAB = 4,
    SLAB = 32,  /* chunks that are taken from the system together */
    ASKED = 256 /* rows that are asked for together; so many fit into a near cache */
};

static size_t chunk_size(const struct store *store) {
    return (size_t)store->row_size << store->chunk_shift;
}

bool store_init(struct store *store, const struct layout *layout, size_t size_limit,
                uint64_t max_states) {
    assert(layout->stored_bytes && layout->stored_bytes <= layout->stored_words * WORD_SIZE);
    *store = (struct store){.row_size = layout->stored_bytes,
                            .word_count = layout->stored_words,
                            .size_limit = size_limit ? size_limit : SIZE_MAX,
                            .max_rows = STORE_FULL};
    if (max_states && max_states < STORE_FULL) store->max_rows = (uint32_t)max_states;
    while (chunk_size(store) < CHUNK_SIZE) store->chunk_shift++;
    if (store_reserve_table(store) && store_reserve(store, STORE_RUN)) return true;
    store_close(store);           /* memory that comes later does not make a store of it */
    store->max_rows = STORE_FULL; /* it is not a limit on states that ends it */
    return false;
}

/* Gives the memory back to the system at once. */
void store_close(struct store *store) {
    for (uint32_t i = 0; i < store->slab_count; i++)
        pages_give(store->slabs[i].memory, store->slabs[i].chunks * chunk_size(store));
    free(store->slabs);
    free(store->chunks);
    free(store->gaps);
    pages_give((void *)store->table, store->table_reserved);
    *store = (struct store){0};
}

/* Rows */

/* The row must have been added; words has room for a state. */
void store_load(const struct store *store, uint32_t row, uint64_t *words) {
    assert(row < atomic_load_explicit(&((struct store *)store)->next, memory_order_relaxed));
    read_row(store_row(store, row), store->row_size, words);
}

/* The memory of the next chunk. Several are taken together, so that pages can be large. */
static unsigned char *next_chunk(struct store *store) {
    struct slab *slab = store->slab_count ? &store->slabs[store->slab_count - 1] : NULL;
    if (!slab || slab->used == slab->chunks) {
        uint32_t chunks = store->chunk_count < FIRST_SLAB ? 1 : SLAB;
        void *memory = pages_take(chunks * chunk_size(store), store->chunk_count);
        if (!memory && chunks > 1) {
            chunks = 1;
            memory = pages_take(chunk_size(store), true);
        }
        if (!memory) return NULL;
        store->slabs = heap_resize(store->slabs, store->slab_count + 1, sizeof *store->slabs);
        slab = &store->slabs[store->slab_count++];
        *slab = (struct slab){.memory = memory, .chunks = chunks};
    }
    return ((unsigned char *)slab->memory + slab->used++ * chunk_size(store));
}

static bool add_chunk(struct store *store) {
    size_t size = chunk_size(store);
    if (store->size > store->size_limit || size > store->size_limit - store->size) return false;
    if (store->chunk_count == store->chunk_capacity) {
        store->chunk_capacity = store->chunk_capacity ? store->chunk_capacity * 2 : 16;
        store->chunks = heap_resize(store->chunks, store->chunk_capacity, sizeof *store->chunks);
    }
    unsigned char *chunk = next_chunk(store);
    if (!chunk) return false;
    store->chunks[store->chunk_count++] = chunk;
    store->size += size;
    return true;
}

bool store_reserve(struct store *store, uint32_t more) {
    uint32_t next = atomic_load_explicit(&store->next, memory_order_relaxed);
    uint64_t need = (uint64_t)next + more;
    if (need > store->max_rows) need = store->max_rows;
    if (need == next) return false;
    while (store_row_limit(store) < need)
        if (!store_grow_table(store)) return false;
    while ((uint64_t)store->chunk_count << store->chunk_shift < need)
        if (!add_chunk(store)) return false;
    uint64_t room = (uint64_t)store->chunk_count << store->chunk_shift;
    if (room > store_row_limit(store)) room = store_row_limit(store);
    store->room = room < store->max_rows ? (uint32_t)room : store->max_rows;
    return true;
}

/* Looking up and adding */

/* The row of the state, or STORE_FULL and the free entry where it belongs. Other threads may add:
 * entries fill in the order in which they are looked at, and none is emptied, so that a state that
 * was added elsewhere meanwhile has taken this entry. */
ALWAYS_INLINE uint32_t probe(struct table_view view, uint32_t size, const uint64_t *words,
                             uint32_t tag, uint32_t *at) {
    for (;;) {
        struct seen seen = look_at(view, *at, tag);
        for (; seen.found; seen.found &= seen.found - 1) {
            uint32_t entry = atomic_load_explicit(&view.table[*at + first_bit(seen.found)],
                                                  memory_order_acquire);
            uint32_t row = (entry & view.low) - 1;
            if (is_row(row_at(view, size, row), size, words)) return row;
        }
        if (seen.is_free) {
            *at += first_bit(seen.is_free);
            return STORE_FULL;
        }
        *at = next_bucket(view, *at);
    }
}

uint32_t store_find(const struct store *store, const uint64_t *words, uint64_t hash) {
    struct table_view view = view_of(store);
    struct home home = home_of(view, hash);
    return probe(view, store->row_size, words, home.tag, &home.at);
}

/* The row of a state, or STORE_FULL if it is new and the shelf is empty. */
ALWAYS_INLINE uint32_t add(struct table_view view, struct shelf *shelf, uint32_t size,
                           const uint64_t *words, uint64_t hash, bool is_shared) {
    struct home home = home_of(view, hash);
    for (;;) {
        uint32_t row = probe(view, size, words, home.tag, &home.at);
        if (row != STORE_FULL || shelf->next == shelf->end) return row;
        row = shelf->next;
        write_row(row_at(view, size, row), size, words);
        uint32_t entry = home.tag | (row + 1), expected = 0;
        if (!is_shared)
            atomic_store_explicit(&view.table[home.at], entry, memory_order_relaxed);
        else if (!atomic_compare_exchange_strong_explicit(&view.table[home.at], &expected, entry,
                                                          memory_order_acq_rel,
                                                          memory_order_acquire)) {
            home.at -= home.at % STORE_BUCKET; /* another thread took the entry: look again */
            continue;
        }
        shelf->next++;
        return row;
    }
}

uint32_t store_add(struct store *store, struct shelf *shelf, const uint64_t *words, uint64_t hash,
                   bool *is_new) {
    uint32_t next = shelf->next;
    assert(next < shelf->end);
    uint32_t row = add(view_of(store), shelf, store->row_size, words, hash, false);
    *is_new = shelf->next != next;
    return row;
}

/* Asks for the rows that the states may already have, so that they arrive together. */
ALWAYS_INLINE void ask_for_rows(struct table_view view, uint32_t size, const uint64_t *hashes,
                                uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < count; i++) {
        struct home home = home_of(view, hashes[i]);
        uint32_t found = look_at(view, home.at, home.tag).found;
        if (!found) continue;
        uint32_t entry =
            atomic_load_explicit(&view.table[home.at + first_bit(found)], memory_order_relaxed);
        __builtin_prefetch(row_at(view, size, (entry & view.low) - 1));
    }
}

ALWAYS_INLINE uint32_t add_all(struct store *store, struct shelf *shelf, uint32_t size,
                               const uint64_t *states, const uint64_t *hashes, uint32_t first,
                               uint32_t count, bool is_shared) {
    uint32_t words = (size + WORD_SIZE - 1) / WORD_SIZE, row = 0;
    struct table_view view = view_of(store);
    struct shelf own = *shelf; /* no other thread writes here meanwhile */
    while (first < count && row != STORE_FULL) {
        uint32_t end = count - first < ASKED ? count : first + ASKED;
        ask_for_rows(view, size, hashes, first, end);
        for (; first < end; first++) {
            row = add(view, &own, size, states + (size_t)first * words, hashes[first], is_shared);
            if (row == STORE_FULL) break;
        }
    }
    *shelf = own;
    return first;
}

ALWAYS_INLINE void find_all(const struct store *store, uint32_t size, const uint64_t *states,
                            uint64_t *hashes, uint32_t count) {
    uint32_t words = (size + WORD_SIZE - 1) / WORD_SIZE;
    struct table_view view = view_of(store);
    assert(words == store->word_count);
    for (uint32_t i = 0, end = 0; i < count; i++) {
        if (i == end) {
            end = count - i < ASKED ? count : i + ASKED;
            ask_for_rows(view, size, hashes, i, end);
        }
        struct home home = home_of(view, hashes[i]);
        hashes[i] = probe(view, size, states + (size_t)i * words, home.tag, &home.at);
        assert(hashes[i] != STORE_FULL);
    }
}

/* One copy of the code for each of the common sizes. */
#define FOR_SIZE(store, call)                                                                      \
    switch ((store)->row_size) {                                                                   \
    case 1: call(1);                                                                               \
    case 2: call(2);                                                                               \
    case 3: call(3);                                                                               \
    case 4: call(4);                                                                               \
    case 5: call(5);                                                                               \
    case 6: call(6);                                                                               \
    case 7: call(7);                                                                               \
    case 8: call(8);                                                                               \
    case 9: call(9);                                                                               \
    case 10: call(10);                                                                             \
    case 11: call(11);                                                                             \
    case 12: call(12);                                                                             \
    case 13: call(13);                                                                             \
    case 14: call(14);                                                                             \
    case 15: call(15);                                                                             \
    case 16: call(16);                                                                             \
    default: call((store)->row_size);                                                              \
    }

uint32_t store_add_all(struct store *store, struct shelf *shelf, const uint64_t *states,
                       const uint64_t *hashes, uint32_t first, uint32_t count, bool is_shared) {
    assert(first <= count);
#define ADD_ALL(size)                                                                              \
    return is_shared ? add_all(store, shelf, size, states, hashes, first, count, true)             \
                     : add_all(store, shelf, size, states, hashes, first, count, false)
    FOR_SIZE(store, ADD_ALL)
#undef ADD_ALL
}

void store_find_all(const struct store *store, const uint64_t *states, uint64_t *hashes,
                    uint32_t count) {
#define FIND_ALL(size)                                                                             \
    find_all(store, size, states, hashes, count);                                                  \
    break
    FOR_SIZE(store, FIND_ALL)
#undef FIND_ALL
}

/* Runs of rows, and the gaps that they leave */

void store_refill(struct store *store, struct shelf *shelf, uint32_t run) {
    if (shelf->next < shelf->end) return;
    shelf->next = atomic_fetch_add_explicit(&store->next, run, memory_order_relaxed);
    shelf->end = shelf->next + run;
    assert(shelf->end <= store->room);
}

static int compare_gaps(const void *left, const void *right) {
    const struct gap *one = left, *other = right;
    return (one->first > other->first) - (one->first < other->first);
}

void store_seal(struct store *store, struct shelf *shelf) {
    assert(shelf->next <= shelf->end && shelf->end <= store->room);
    uint32_t rest = shelf->end - shelf->next;
    uint32_t next = atomic_load_explicit(&store->next, memory_order_relaxed);
    if (rest && shelf->end == next) { /* no row came after: it can be taken back */
        atomic_store_explicit(&store->next, shelf->next, memory_order_relaxed);
    } else if (rest) {
        if (store->gap_count == store->gap_capacity) {
            store->gap_capacity = store->gap_capacity ? store->gap_capacity * 2 : 64;
            store->gaps = heap_resize(store->gaps, store->gap_capacity, sizeof *store->gaps);
        }
        store->gaps[store->gap_count++] = (struct gap){shelf->next, rest};
        store->gap_states += rest;
        store->max_rows +=
            rest < STORE_FULL - store->max_rows ? rest : STORE_FULL - store->max_rows;
        qsort(store->gaps, store->gap_count, sizeof *store->gaps, compare_gaps);
        assert(store->gap_states <= next);
    }
    *shelf = (struct shelf){0, 0};
}

uint32_t store_skip(const struct store *store, uint32_t row) {
    uint32_t low = 0, high = store->gap_count; /* the first gap that ends after the row */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (store->gaps[middle].first + store->gaps[middle].count <= row)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < store->gap_count && store->gaps[low].first <= row) {
        row = store->gaps[low].first + store->gaps[low].count;
        low++;
    }
    return row;
}

void store_check(const struct store *store) {
    enum { MOST = 1 << 16 }; /* rows: to look at all of them would take too long */
    uint32_t next = atomic_load_explicit(&((struct store *)store)->next, memory_order_relaxed);
    uint64_t *words = heap_resize(NULL, store->word_count, sizeof *words);
    for (uint32_t i = 0; i < store->gap_count; i++) {
        const struct gap *gap = &store->gaps[i];
        assert(gap->count && (!i || gap[-1].first + gap[-1].count <= gap->first));
    }
    for (uint32_t row = store_skip(store, 0); row < next && row < MOST;
         row = store_skip(store, row + 1)) {
        store_load(store, row, words);
        assert(store_find(store, words, store_hash(store, words)) == row);
    }
    free(words);
}
