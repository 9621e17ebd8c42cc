/* A hash table of packed states that threads fill together. */
#define _DEFAULT_SOURCE /* le64toh */
#include "explore/space/store.h"

#include "base/pages.h"
#include "explore/space/row_bytes.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef __has_feature
#define IS_WATCHED __has_feature(thread_sanitizer)
#elif defined __SANITIZE_THREAD__
#define IS_WATCHED 1
#else
#define IS_WATCHED 0
#endif

/* Sizes in bytes, loads in percent. */
enum {
    CHUNK_SIZE = 1 << 21,
    FIRST_CAPACITY = 1 << 12,
    MAX_LOAD = 80,
    END_LOAD = 92,  /* where few rows will follow */
    PAGE = 1 << 16, /* of any machine */
    FIRST_SLAB = 4,
    SPLIT_LEAST = 1 << 15, /* entries of a table that two threads make larger */
    SLAB = 32,             /* chunks that are taken from the system together */
    ASKED = 256            /* rows that are asked for together; so many fit into a near cache */
};
#define LARGEST_TABLE ((size_t)UINT32_MAX / STORE_BUCKET * STORE_BUCKET * sizeof(uint32_t))

static uint64_t mix_in(uint64_t hash, uint64_t word) {
    return (store_mix(hash) ^ word) * UINT64_C(0xD1B54A32D192ED03);
}

/* Each word waits for the fourth before it alone, not for the one before. */
uint64_t store_hash_wide(const uint64_t *words, uint32_t count) {
    uint64_t lanes[] = {words[0], words[1], words[2], words[3]};
    uint32_t i = 4;
    assert(count >= i);
    for (; i + 3 < count; i += 4)
        for (uint32_t k = 0; k < 4; k++) lanes[k] = mix_in(lanes[k], words[i + k]);
    for (; i < count; i++) lanes[i % 4] = mix_in(lanes[i % 4], words[i]);
    for (uint32_t k = 1; k < 4; k++) lanes[0] = mix_in(lanes[0], lanes[k]);
    return store_mix(lanes[0]);
}

static size_t chunk_size(const struct store *store) {
    return (size_t)store->row_size << store->chunk_shift;
}

static size_t table_size(uint32_t capacity) { return (size_t)capacity * sizeof(uint32_t); }

/* Address space for the table; the system gives memory as the table grows into it. */
static bool reserve_table(struct store *store) {
    double share = 2 * sizeof(uint32_t) / (2.0 * sizeof(uint32_t) + store->row_size);
    size_t size = LARGEST_TABLE;
    if (share * (double)store->size_limit < (double)size)
        size = (size_t)(share * (double)store->size_limit);
    for (; size >= table_size(FIRST_CAPACITY); size /= 2) {
        size -= size % PAGE;
        store->table = pages_reserve(size);
        store->table_reserved = size;
        if (store->table) return true;
    }
    return false;
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
    if (reserve_table(store) && store_reserve(store, STORE_RUN)) return true;
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

/* The table: buckets of entries that fill from their first entry on. What does not go into its own
 * bucket goes into the next one that has room. */

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

ALWAYS_INLINE void enter(struct table_view view, struct home home, uint32_t index) {
    uint32_t is_free;
    while (!(is_free = look_at(view, home.at, 0).is_free)) home.at = next_bucket(view, home.at);
    atomic_store_explicit(&view.table[home.at + first_bit(is_free)], home.tag | index,
                          memory_order_relaxed);
}

/* Enters all rows, each some time after its bucket was asked for. */
static void enter_rows(struct store *store) {
    enum { AHEAD = 32 };
    struct home homes[AHEAD];
    uint32_t rows[AHEAD], count = 0,
                          next = atomic_load_explicit(&store->next, memory_order_relaxed);
    uint64_t *words = heap_resize(NULL, store->word_count, sizeof *words);
    struct table_view view = view_of(store);
    for (uint32_t gap = 0, row = 0; row < next; gap++) {
        uint32_t end = gap < store->gap_count ? store->gaps[gap].first : next;
        for (; row < end; row++) {
            uint32_t at = count++ % AHEAD;
            if (count > AHEAD) enter(view, homes[at], rows[at] + 1);
            store_load(store, row, words);
            homes[at] = home_of(view, store_hash(store, words));
            rows[at] = row;
            __builtin_prefetch((const void *)&view.table[homes[at].at]);
        }
        if (gap < store->gap_count) row += store->gaps[gap].count;
    }
    for (uint32_t i = 0; i < count && i < AHEAD; i++) enter(view, homes[i], rows[i] + 1);
    free(words);
}

/* Asks for the rows of a bucket, which may have to be read. */
ALWAYS_INLINE void ask_for_bucket(struct table_view view, uint32_t size, const uint32_t *entries) {
    if (!entries[-1]) return;
    for (uint32_t i = 0; i < STORE_BUCKET && entries[i]; i++)
        __builtin_prefetch(row_at(view, size, (entries[i] & view.low) - 1));
}

/* A part of the old table, from one entry to another, whose buckets are split. */
struct table_part {
    const struct store *store;
    struct table_view old;
    uint32_t from, to;
    uint32_t before; /* the entry in front of the part, before any was moved */
    uint32_t *late;  /* heap: indices of what is after a full bucket of its own */
    uint32_t late_count, late_capacity;
};

static void add_late(struct table_part *part, uint32_t index) {
    if (part->late_count == part->late_capacity) {
        part->late_capacity = part->late_count * 2 + 64;
        part->late = heap_resize(part->late, part->late_capacity, sizeof *part->late);
    }
    part->late[part->late_count++] = index;
}

/* In a table that became twice as large, an entry goes from its bucket into one of two, which the
 * first bit of its tag chooses: no row is read for that. Only after a full bucket there may be
 * entries of an earlier one; these are entered at the end. Old buckets are emptied from the last
 * one on, so that they give room to the new ones. */
static void *split_part(void *context) {
    enum { AHEAD = 8 * STORE_BUCKET };
    struct table_part *part = context;
    const struct store *store = part->store;
    struct table_view old = part->old;
    uint32_t *table = (uint32_t *)(void *)old.table; /* no other thread reads this part now */
    uint64_t *words = heap_resize(NULL, store->word_count, sizeof *words);
    for (uint32_t at = part->to; at > part->from; at -= STORE_BUCKET) {
        uint32_t first = at - STORE_BUCKET, entries[STORE_BUCKET];
        uint32_t *to[] = {table + (size_t)first * 2, table + (size_t)first * 2 + STORE_BUCKET};
        bool is_after_full = first > part->from ? table[first - 1] : part->before;
        memcpy(entries, table + first, sizeof entries);
        memset(table + first, 0, sizeof entries);
        if (first > part->from + AHEAD) ask_for_bucket(old, store->row_size, table + first - AHEAD);
        for (uint32_t i = 0; i < STORE_BUCKET && entries[i]; i++) {
            uint32_t index = entries[i] & old.low, tag = entries[i] & ~old.low;
            if (is_after_full) store_load(store, index - 1, words);
            if (is_after_full && home_of(old, store_hash(store, words)).at != first)
                add_late(part, index);
            else
                *to[tag >> 31]++ = tag << 1 | index;
        }
    }
    free(words);
    return NULL;
}

/* The parts of both halves, at once if there is a thread for it. They give room to twice as many
 * buckets, which do not meet, where all from the end on are empty and the end is no more than twice
 * the beginning. */
static void split_halves(struct table_part *parts, bool is_shared) {
    pthread_t thread;
    is_shared = is_shared && !pthread_create(&thread, NULL, split_part, &parts[1]);
    if (!is_shared) split_part(&parts[1]);
    split_part(&parts[0]);
    if (is_shared) pthread_join(thread, NULL);
}

static void split_buckets(struct store *store, uint32_t old_capacity) {
    struct table_view view = view_of(store), old = view;
    const uint32_t *table = (const uint32_t *)(const void *)view.table;
    uint32_t last = table[old_capacity - 1];
    uint64_t *words = heap_resize(NULL, store->word_count, sizeof *words);
    old.capacity = old_capacity;
    old.low >>= 1;
    struct table_part parts[2] = {{.store = store, .old = old}, {.store = store, .old = old}};
    for (uint32_t end = old_capacity, begin; end; end = begin) {
        bool is_large = end >= SPLIT_LEAST && store->has_threads;
        uint32_t buckets = end / STORE_BUCKET;
        begin = is_large ? (buckets + 1) / 2 * STORE_BUCKET : 0;
        uint32_t middle = is_large ? (buckets * 3 + 3) / 4 * STORE_BUCKET : 0;
        parts[0].from = begin;
        parts[0].to = parts[1].from = middle;
        parts[1].to = end;
        for (int k = 0; k < 2; k++)
            parts[k].before = parts[k].from ? table[parts[k].from - 1] : last;
        split_halves(parts, is_large);
    }
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < parts[k].late_count; i++) {
            store_load(store, parts[k].late[i] - 1, words);
            enter(view, home_of(view, store_hash(store, words)), parts[k].late[i]);
        }
        free(parts[k].late);
    }
    free(words);
}

/* The rows that a table is made for. */
static uint32_t rows_of(uint32_t capacity, uint32_t load) {
    uint64_t rows = (uint64_t)capacity * load / 100;
    return rows < STORE_FULL ? (uint32_t)rows : STORE_FULL;
}

static uint32_t row_limit(const struct store *store) {
    return rows_of(store->capacity, store->is_ending ? END_LOAD : MAX_LOAD);
}

/* A larger table in the same place; by half only where few rows will follow. */
static bool grow_table(struct store *store) {
    uint32_t old_capacity = store->capacity;
    uint64_t capacity = (uint64_t)old_capacity * (store->is_ending ? 3 : 4) / 2;
    if (!capacity) capacity = FIRST_CAPACITY;
    capacity -= capacity % STORE_BUCKET;
    if (capacity > store->table_reserved / sizeof(uint32_t))
        capacity = store->table_reserved / sizeof(uint32_t);
    if (capacity == old_capacity) return false;
    size_t size = table_size((uint32_t)capacity), more = size - table_size(old_capacity);
    if (store->size > store->size_limit || more > store->size_limit - store->size) return false;
    void *table = pages_open((void *)store->table, table_size(old_capacity), size);
    if (!table) return false;
    store->table = table;
    store->size += more;
    store->capacity = (uint32_t)capacity;
    uint32_t limit = rows_of(store->capacity, END_LOAD), old_bits = store->index_bits;
    for (store->index_bits = 1; limit >> store->index_bits; store->index_bits++)
        if (store->index_bits == 31) {
            store->index_bits = 32;
            break;
        }
    if (old_capacity && capacity / 2 == old_capacity && store->index_bits == old_bits + 1) {
        split_buckets(store, old_capacity);
    } else {
        memset(table, 0, table_size(old_capacity));
        enter_rows(store);
    }
    return true;
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
    while (row_limit(store) < need)
        if (!grow_table(store)) return false;
    while ((uint64_t)store->chunk_count << store->chunk_shift < need)
        if (!add_chunk(store)) return false;
    uint64_t room = (uint64_t)store->chunk_count << store->chunk_shift;
    if (room > row_limit(store)) room = row_limit(store);
    store->room = room < store->max_rows ? (uint32_t)room : store->max_rows;
    return true;
}

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
