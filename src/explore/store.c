#define _DEFAULT_SOURCE /* mmap with MAP_ANONYMOUS, madvise */
#include "explore/store.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* For what is compiled once for each size of a state. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Sizes in bytes, loads in percent. */
enum {
    CHUNK_SIZE = 1 << 21,
    FIRST_CAPACITY = 1 << 12,
    MAX_LOAD = 80,
    HUGE_PAGE = 1 << 21,
    FIRST_SLAB = 4,
    SLAB = 32,             /* chunks that are taken from the system together */
    DOUBLE_UP_TO = 1 << 22 /* entries */
};

/* Memory of large blocks comes from the system as it is touched, in large pages, if it has such and
 * if all is going to be touched. */
static void *take_pages(size_t size, bool is_huge) {
    if (size < HUGE_PAGE || !is_huge) {
        void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? NULL : memory;
    }
    char *memory =
        mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    size_t before = HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE; /* large pages are aligned */
    munmap(memory, before);
    if (before < HUGE_PAGE) munmap(memory + before + size, HUGE_PAGE - before);
    madvise(memory + before, size, MADV_HUGEPAGE);
    return memory + before;
}

static void give_pages(void *memory, size_t size) {
    if (memory) munmap(memory, size);
}

static size_t chunk_size(const struct store *store) {
    return ((size_t)store->unit_count * sizeof(uint32_t)) << store->chunk_shift;
}

static size_t table_size(uint32_t capacity) { return (size_t)capacity * sizeof(uint32_t); }

bool store_init(struct store *store, const struct layout *layout, size_t size_limit,
                uint64_t max_states) {
    *store = (struct store){.unit_count = layout->stored_units,
                            .word_count = layout->stored_words,
                            .size_limit = size_limit ? size_limit : SIZE_MAX,
                            .max_rows = STORE_FULL};
    if (max_states && max_states < STORE_FULL) store->max_rows = (uint32_t)max_states;
    while (chunk_size(store) < CHUNK_SIZE) store->chunk_shift++;
    return store_reserve(store, STORE_RUN);
}

void store_close(struct store *store) {
    for (uint32_t i = 0; i < store->slab_count; i++)
        give_pages(store->slabs[i].memory, store->slabs[i].chunks * chunk_size(store));
    free(store->slabs);
    free(store->chunks);
    free(store->gaps);
    give_pages((void *)store->table, table_size(store->capacity));
    *store = (struct store){0};
}

/* Rows */

ALWAYS_INLINE void read_row(const uint32_t *row, uint32_t units, uint64_t *words) {
    for (uint32_t i = 0; i < units / 2; i++) words[i] = row[2 * i] | (uint64_t)row[2 * i + 1] << 32;
    if (units % 2) words[units / 2] = row[units - 1];
}

ALWAYS_INLINE void write_row(uint32_t *row, uint32_t units, const uint64_t *words) {
    for (uint32_t i = 0; i < units / 2; i++) {
        row[2 * i] = (uint32_t)words[i];
        row[2 * i + 1] = (uint32_t)(words[i] >> 32);
    }
    if (units % 2) row[units - 1] = (uint32_t)words[units / 2];
}

ALWAYS_INLINE bool is_row(const uint32_t *row, uint32_t units, const uint64_t *words) {
    for (uint32_t i = 0; i < units / 2; i++)
        if ((row[2 * i] | (uint64_t)row[2 * i + 1] << 32) != words[i]) return false;
    return units % 2 == 0 || row[units - 1] == (uint32_t)words[units / 2];
}

void store_load(const struct store *store, uint32_t row, uint64_t *words) {
    read_row(store_row(store, row), store->unit_count, words);
}

/* The table: buckets of entries that fill from their first entry on. What does not go into its own
 * bucket goes into the next one that has room. */

/* What finding needs of the store, by value, so that it stays in the processor's registers. */
struct view {
    _Atomic uint32_t *table;
    uint32_t *const *chunks;
    uint32_t capacity, low, shift, place;
};

/* Where a hash belongs. */
struct home {
    uint32_t at;  /* first entry of its bucket */
    uint32_t tag; /* the part of the hash that an entry keeps, in place */
};

ALWAYS_INLINE struct view view_of(const struct store *store) {
    return (struct view){.table = store->table,
                         .chunks = store->chunks,
                         .capacity = store->capacity,
                         .low = (uint32_t)(((uint64_t)1 << store->index_bits) - 1),
                         .shift = store->chunk_shift,
                         .place = ((uint32_t)1 << store->chunk_shift) - 1};
}

/* The tag is what comes next in the hash after the bucket, so that in a table of twice the size its
 * first bit chooses the bucket. */
ALWAYS_INLINE struct home home_of(struct view view, uint64_t hash) {
    uint64_t place = (hash >> 32) * (view.capacity / STORE_BUCKET);
    return (struct home){(uint32_t)(place >> 32) * STORE_BUCKET, (uint32_t)place & ~view.low};
}

ALWAYS_INLINE uint32_t *row_at(struct view view, uint32_t units, uint32_t row) {
    return view.chunks[row >> view.shift] + (size_t)(row & view.place) * units;
}

ALWAYS_INLINE uint32_t next_bucket(struct view view, uint32_t at) {
    at = at - at % STORE_BUCKET + STORE_BUCKET;
    return at == view.capacity ? 0 : at;
}

/* Looks at the entries of a bucket from one on: bits of those that have the tag and of those that
 * are free. */
struct seen {
    uint32_t found, is_free;
};

#ifdef __SSE2__
ALWAYS_INLINE uint32_t bits_of(__m128i a, __m128i b, __m128i c, __m128i d) {
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
}

ALWAYS_INLINE struct seen look_at(struct view view, uint32_t at, uint32_t tag) {
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
ALWAYS_INLINE struct seen look_at(struct view view, uint32_t at, uint32_t tag) {
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

static uint32_t load_entry(const _Atomic uint32_t *entry) {
    return atomic_load_explicit(entry, memory_order_relaxed);
}

/* What is free is found one by one: the entries before it were written just now. */
static void enter(struct view view, struct home home, uint32_t index) {
    while (load_entry(&view.table[home.at]))
        if (++home.at == view.capacity) home.at = 0;
    atomic_store_explicit(&view.table[home.at], home.tag | index, memory_order_relaxed);
}

/* Enters all rows, each some time after its bucket was asked for. */
static void enter_rows(struct store *store) {
    enum { AHEAD = 32 };
    struct home homes[AHEAD];
    uint32_t rows[AHEAD], count = 0,
                          next = atomic_load_explicit(&store->next, memory_order_relaxed);
    uint64_t *words = heap_resize(NULL, store->word_count, sizeof *words);
    struct view view = view_of(store);
    for (uint32_t row = store_skip(store, 0); row < next; row = store_skip(store, row + 1)) {
        uint32_t at = count++ % AHEAD;
        if (count > AHEAD) enter(view, homes[at], rows[at] + 1);
        store_load(store, row, words);
        homes[at] = home_of(view, store_hash(store, words));
        rows[at] = row;
        __builtin_prefetch((const void *)&view.table[homes[at].at]);
    }
    for (uint32_t i = 0; i < count && i < AHEAD; i++) enter(view, homes[i], rows[i] + 1);
    free(words);
}

/* The states of a bucket will be needed soon. */
static void prefetch_rows(const struct store *store, const _Atomic uint32_t *bucket, uint32_t low) {
    for (uint32_t i = 0; i < STORE_BUCKET && load_entry(&bucket[i]); i++)
        __builtin_prefetch(store_row(store, (load_entry(&bucket[i]) & low) - 1));
}

/* Enters those of a bucket that belongs to the entries from `at` on: by their tags alone, if none
 * is of another bucket. True if it is full. */
ALWAYS_INLINE bool enter_bucket(const struct store *store, struct view view,
                                const _Atomic uint32_t *bucket, uint32_t at, bool is_pure,
                                uint64_t *words) {
    uint32_t low = view.low >> 1, starts[2] = {at, at + STORE_BUCKET};
    for (uint32_t i = 0; i < STORE_BUCKET; i++) {
        uint32_t entry = load_entry(&bucket[i]);
        if (!entry) return false;
        struct home home = {starts[entry >> 31], (entry & ~low) << 1};
        if (!is_pure) {
            store_load(store, (entry & low) - 1, words);
            home = home_of(view, store_hash(store, words));
        }
        enter(view, home, entry & low);
        starts[entry >> 31] += is_pure; /* that one is taken */
    }
    return true;
}

/* Enters the entries of a table of half the size, which is given back on the way. States have to be
 * looked at behind a full bucket only: there may be entries of that one. */
static void enter_entries(struct store *store, _Atomic uint32_t *old, uint32_t old_capacity) {
    enum { AHEAD = 8 * STORE_BUCKET };
    struct view view = view_of(store);
    uint32_t given = 0;
    uint64_t *words = heap_resize(NULL, store->word_count, sizeof *words);
    bool is_after_full = load_entry(&old[old_capacity - 1]) != 0;
    for (uint32_t at = 0; at < old_capacity; at += STORE_BUCKET) {
        if (at + AHEAD < old_capacity && load_entry(&old[at + AHEAD - 1]))
            prefetch_rows(store, &old[at + AHEAD], view.low >> 1);
        is_after_full = enter_bucket(store, view, &old[at], at * 2, !is_after_full, words);
        if (table_size(at - given) >= HUGE_PAGE) {
            give_pages((void *)(old + given), HUGE_PAGE);
            given += HUGE_PAGE / sizeof(uint32_t);
        }
    }
    give_pages((void *)(old + given), table_size(old_capacity - given));
    free(words);
}

/* A larger table. The old one is given back while the new one is touched, so that there never are
 * two in memory; a large one grows by half only. */
static bool grow_table(struct store *store) {
    uint32_t old_capacity = store->capacity, old_bits = store->index_bits;
    _Atomic uint32_t *old = store->table;
    uint64_t capacity =
        old_capacity < DOUBLE_UP_TO ? (uint64_t)old_capacity * 2 : (uint64_t)old_capacity * 3 / 2;
    if (!capacity) capacity = FIRST_CAPACITY;
    if (capacity > UINT32_MAX) capacity = UINT32_MAX;
    capacity -= capacity % STORE_BUCKET;
    if (capacity == old_capacity) return false;
    size_t more = table_size((uint32_t)capacity) - table_size(old_capacity);
    if (store->size > store->size_limit || more > store->size_limit - store->size) return false;
    void *table = take_pages(table_size((uint32_t)capacity), true);
    if (!table) return false;
    store->table = table;
    store->size += more;
    store->capacity = (uint32_t)capacity;
    store->limit = (uint32_t)(capacity * MAX_LOAD / 100);
    if (store->limit > STORE_FULL) store->limit = STORE_FULL;
    for (store->index_bits = 1; store->limit >> store->index_bits; store->index_bits++)
        if (store->index_bits == 31) {
            store->index_bits = 32;
            break;
        }
    if (old && capacity == (uint64_t)old_capacity * 2 && store->index_bits == old_bits + 1) {
        enter_entries(store, old, old_capacity);
    } else {
        give_pages((void *)old, table_size(old_capacity));
        enter_rows(store);
    }
    return true;
}

/* The memory of the next chunk. Several are taken together, so that pages can be large. */
static uint32_t *next_chunk(struct store *store) {
    struct slab *slab = store->slab_count ? &store->slabs[store->slab_count - 1] : NULL;
    if (!slab || slab->used == slab->chunks) {
        uint32_t chunks = store->chunk_count < FIRST_SLAB ? 1 : SLAB;
        void *memory = take_pages(chunks * chunk_size(store), store->chunk_count);
        if (!memory && chunks > 1) {
            chunks = 1;
            memory = take_pages(chunk_size(store), true);
        }
        if (!memory) return NULL;
        store->slabs = heap_resize(store->slabs, store->slab_count + 1, sizeof *store->slabs);
        slab = &store->slabs[store->slab_count++];
        *slab = (struct slab){.memory = memory, .chunks = chunks};
    }
    return (uint32_t *)((char *)slab->memory + slab->used++ * chunk_size(store));
}

static bool add_chunk(struct store *store) {
    size_t size = chunk_size(store);
    if (store->size > store->size_limit || size > store->size_limit - store->size) return false;
    if (store->chunk_count == store->chunk_capacity) {
        store->chunk_capacity = store->chunk_capacity ? store->chunk_capacity * 2 : 16;
        store->chunks = heap_resize(store->chunks, store->chunk_capacity, sizeof *store->chunks);
    }
    uint32_t *chunk = next_chunk(store);
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
    while (store->limit < need)
        if (!grow_table(store)) return false;
    while ((uint64_t)store->chunk_count << store->chunk_shift < need)
        if (!add_chunk(store)) return false;
    uint64_t room = (uint64_t)store->chunk_count << store->chunk_shift;
    if (room > store->limit) room = store->limit;
    store->room = room < store->max_rows ? (uint32_t)room : store->max_rows;
    return true;
}

/* The row of the state, or STORE_FULL and the free entry where it belongs. */
ALWAYS_INLINE uint32_t probe(struct view view, uint32_t units, const uint64_t *words, uint32_t tag,
                             uint32_t *at) {
    for (;;) {
        struct seen seen = look_at(view, *at, tag);
        for (; seen.found; seen.found &= seen.found - 1) {
            uint32_t entry = atomic_load_explicit(&view.table[*at + first_bit(seen.found)],
                                                  memory_order_relaxed);
            uint32_t row = (entry & view.low) - 1;
            if (is_row(row_at(view, units, row), units, words)) return row;
        }
        if (seen.is_free) {
            *at += first_bit(seen.is_free);
            return STORE_FULL;
        }
        *at = next_bucket(view, *at);
    }
}

/* The same while others add. */
ALWAYS_INLINE uint32_t probe_shared(struct view view, uint32_t units, const uint64_t *words,
                                    uint32_t tag, uint32_t *at) {
    for (;;) {
        uint32_t entry = atomic_load_explicit(&view.table[*at], memory_order_acquire);
        if (!entry) return STORE_FULL;
        if ((entry & ~view.low) == tag) {
            uint32_t row = (entry & view.low) - 1;
            if (is_row(row_at(view, units, row), units, words)) return row;
        }
        if (++*at == view.capacity) *at = 0;
    }
}

uint32_t store_find(const struct store *store, const uint64_t *words, uint64_t hash) {
    struct view view = view_of(store);
    struct home home = home_of(view, hash);
    return probe(view, store->unit_count, words, home.tag, &home.at);
}

/* The row of a state, or STORE_FULL if it is new and the shelf is empty. */
ALWAYS_INLINE uint32_t add(struct view view, struct shelf *shelf, uint32_t units,
                           const uint64_t *words, uint64_t hash, bool is_shared) {
    struct home home = home_of(view, hash);
    for (;;) {
        uint32_t row = is_shared ? probe_shared(view, units, words, home.tag, &home.at)
                                 : probe(view, units, words, home.tag, &home.at);
        if (row != STORE_FULL || shelf->next == shelf->end) return row;
        row = shelf->next;
        write_row(row_at(view, units, row), units, words);
        uint32_t entry = home.tag | (row + 1), expected = 0;
        if (!is_shared)
            atomic_store_explicit(&view.table[home.at], entry, memory_order_relaxed);
        else if (!atomic_compare_exchange_strong_explicit(&view.table[home.at], &expected, entry,
                                                          memory_order_acq_rel,
                                                          memory_order_acquire))
            continue; /* somebody else took the entry: look again */
        shelf->next++;
        return row;
    }
}

uint32_t store_add(struct store *store, struct shelf *shelf, const uint64_t *words, uint64_t hash,
                   bool *is_new) {
    uint32_t next = shelf->next;
    assert(next < shelf->end);
    uint32_t row = add(view_of(store), shelf, store->unit_count, words, hash, false);
    *is_new = shelf->next != next;
    return row;
}

/* Rows that the states may already have are asked for first, so that they arrive together. */
ALWAYS_INLINE uint32_t add_all(struct store *store, struct shelf *shelf, uint32_t units,
                               const uint64_t *states, const uint64_t *hashes, uint32_t first,
                               uint32_t count, bool is_shared) {
    uint32_t words = (units + 1) / 2;
    struct view view = view_of(store);
    struct shelf own = *shelf; /* nobody else writes here meanwhile */
    for (uint32_t i = first; i < count && !is_shared; i++) {
        struct home home = home_of(view, hashes[i]);
        uint32_t found = look_at(view, home.at, home.tag).found;
        if (!found) continue;
        uint32_t entry =
            atomic_load_explicit(&view.table[home.at + first_bit(found)], memory_order_relaxed);
        __builtin_prefetch(row_at(view, units, (entry & view.low) - 1));
    }
    while (first < count && add(view, &own, units, states + (size_t)first * words, hashes[first],
                                is_shared) != STORE_FULL)
        first++;
    *shelf = own;
    return first;
}

/* One copy of the code for each of the common sizes. */
uint32_t store_add_all(struct store *store, struct shelf *shelf, const uint64_t *states,
                       const uint64_t *hashes, uint32_t first, uint32_t count, bool is_shared) {
#define ADD_ALL(units)                                                                             \
    return is_shared ? add_all(store, shelf, units, states, hashes, first, count, true)            \
                     : add_all(store, shelf, units, states, hashes, first, count, false)
    switch (store->unit_count) {
    case 1: ADD_ALL(1);
    case 2: ADD_ALL(2);
    case 3: ADD_ALL(3);
    case 4: ADD_ALL(4);
    default: ADD_ALL(store->unit_count);
    }
#undef ADD_ALL
}

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
    uint32_t rest = shelf->end - shelf->next;
    uint32_t next = atomic_load_explicit(&store->next, memory_order_relaxed);
    if (rest && shelf->end == next) { /* nobody came after: it can be taken back */
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
    }
    *shelf = (struct shelf){0, 0};
}

uint32_t store_skip(const struct store *store, uint32_t row) {
    uint32_t low = 0, high = store->gap_count; /* the first gap that ends behind the row */
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
