/* STORE INTERNAL - the table of a store, as those see it who look up, add, and make it larger.
 *
 * store.c        rows and their memory, looking up and adding, gaps
 * store_table.c  a larger table for more rows
 *
 * The table has buckets of entries that fill from their first entry on. What does not go into its
 * own bucket goes into the next one that has room.
 *
 * Who includes this defines _DEFAULT_SOURCE, for row_bytes.h.
 */
#pragma once

#include "explore/store/row_bytes.h"
#include "explore/store/store.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Address space for the table; the system gives memory as the table grows into it. */
bool store_reserve_table(struct store *store);
/* A larger table in the same place; by half only where few rows will follow. */
bool store_grow_table(struct store *store);
/* The rows that the table has room for. */
uint32_t store_row_limit(const struct store *store);

/* The members of the store that a look-up needs, by value, so that they stay in registers. */
struct table_view {
    _Atomic uint32_t *table;
    unsigned char *const *chunks;
    uint32_t capacity, low, shift, place;
};

/* Where a hash belongs. */
struct home {
    uint32_t at;  /* first entry of its bucket */
    uint32_t tag; /* the part of the hash that an entry keeps, in place */
};

ALWAYS_INLINE struct table_view view_of(const struct store *store) {
    return (struct table_view){.table = store->table,
                               .chunks = store->chunks,
                               .capacity = store->capacity,
                               .low = (uint32_t)(((uint64_t)1 << store->index_bits) - 1),
                               .shift = store->chunk_shift,
                               .place = ((uint32_t)1 << store->chunk_shift) - 1};
}

/* The tag is what comes next in the hash after the bucket, so that in a table of twice the size its
 * first bit chooses the bucket. */
ALWAYS_INLINE struct home home_of(struct table_view view, uint64_t hash) {
    uint64_t place = (hash >> 32) * (view.capacity / STORE_BUCKET);
    return (struct home){(uint32_t)(place >> 32) * STORE_BUCKET, (uint32_t)place & ~view.low};
}

ALWAYS_INLINE unsigned char *row_at(struct table_view view, uint32_t size, uint32_t row) {
    return view.chunks[row >> view.shift] + (size_t)(row & view.place) * size;
}

ALWAYS_INLINE uint32_t next_bucket(struct table_view view, uint32_t at) {
    at = at - at % STORE_BUCKET + STORE_BUCKET;
    return at == view.capacity ? 0 : at;
}

/* Looks at the entries of a bucket from one on: bits of those that have the tag and of those that
 * are free. */
struct seen {
    uint32_t found, is_free;
};

#ifdef __has_feature
#define IS_WATCHED __has_feature(thread_sanitizer)
#elif defined __SANITIZE_THREAD__
#define IS_WATCHED 1
#else
#define IS_WATCHED 0
#endif

/* A processor reads each of these entries at once while other threads add; the thread sanitizer
 * does not know that. */
#if defined __SSE2__ && !IS_WATCHED
ALWAYS_INLINE uint32_t bits_of(__m128i a, __m128i b, __m128i c, __m128i d) {
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
}

ALWAYS_INLINE struct seen look_at(struct table_view view, uint32_t at, uint32_t tag) {
    const __m128i *entries = (const __m128i *)(const void *)(view.table + at);
    __m128i a = entries[0], b = entries[1], c = entries[2], d = entries[3];
    __m128i high = _mm_set1_epi32((int)~view.low), wanted = _mm_set1_epi32((int)tag),
            none = _mm_setzero_si128();
    uint32_t is_free = bits_of(_mm_cmpeq_epi32(a, none), _mm_cmpeq_epi32(b, none),
                               _mm_cmpeq_epi32(c, none), _mm_cmpeq_epi32(d, none));
    uint32_t found = bits_of(_mm_cmpeq_epi32(_mm_and_si128(a, high), wanted),
                             _mm_cmpeq_epi32(_mm_and_si128(b, high), wanted),
                             _mm_cmpeq_epi32(_mm_and_si128(c, high), wanted),
                             _mm_cmpeq_epi32(_mm_and_si128(d, high), wanted));
    return (struct seen){found & ~is_free, is_free};
}
#else
ALWAYS_INLINE struct seen look_at(struct table_view view, uint32_t at, uint32_t tag) {
    struct seen seen = {0, 0};
    for (uint32_t i = 0; i < STORE_BUCKET; i++) {
        uint32_t entry = atomic_load_explicit(&view.table[at + i], memory_order_relaxed);
        seen.is_free |= (uint32_t)!entry << i;
        seen.found |= (uint32_t)(entry && (entry & ~view.low) == tag) << i;
    }
    return seen;
}
#endif

ALWAYS_INLINE uint32_t first_bit(uint32_t bits) { return (uint32_t)__builtin_ctz(bits); }
