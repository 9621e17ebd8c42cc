/* A table that becomes larger: its entries are split, or the rows are entered anew. */
#define _DEFAULT_SOURCE /* le64toh */
#include "explore/store/store_internal.h"

#include "base/pages.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in bytes, loads in percent. */
enum {
    FIRST_CAPACITY = 1 << 12,
    MAX_LOAD = 80,
    END_LOAD = 92,        /* where few rows will follow */
    PAGE = 1 << 16,       /* of any machine */
    SPLIT_LEAST = 1 << 15 /* entries of a table that two threads make larger */
};
#define LARGEST_TABLE ((size_t)UINT32_MAX / STORE_BUCKET * STORE_BUCKET * sizeof(uint32_t))

static size_t table_size(uint32_t capacity) { return (size_t)capacity * sizeof(uint32_t); }

bool store_reserve_table(struct store *store) {
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

uint32_t store_row_limit(const struct store *store) {
    return rows_of(store->capacity, store->is_ending ? END_LOAD : MAX_LOAD);
}

bool store_grow_table(struct store *store) {
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
