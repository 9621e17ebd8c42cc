/* Nodes of decision diagrams, the results that are remembered, and collection. */
#include "explore/symbolic/diagram/ldd.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/interrupt.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_NODES = 1 << 12,
    FIRST_CACHE = 1 << 12,
    MAX_CACHE = 1 << 24,
    COLLECT_NODES = 1 << 22, /* no collection below, nor below a part of the memory */
    COLLECT_PART = 4,
    LONG_LIST = 16,
    KEEP_ROUNDS = 4, /* over the remembered results that are kept */
    LOOK_STORES = 1 << 13
};

#define NO_NODES (UINT32_MAX / 2) /* the largest capacity */

static unsigned traits_of(uint32_t operation) {
    static const unsigned char traits[] = {0,
#define X(name, traits) traits,
                                           LDD_OPERATIONS(X)
#undef X
    };
    assert((operation & 0xFF) < sizeof traits);
    return traits[operation & 0xFF];
}

static uint64_t mix(uint64_t x) {
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 32;
    x *= UINT64_C(0xD1B54A32D192ED03);
    return x ^ x >> 29;
}

/* Nodes */

/* Two for each node: chains are short, as every node in one is a look elsewhere in memory. */
static size_t bucket_count(size_t nodes) { return nodes * 2; }

static uint32_t bucket_of(const struct ldd *ldd, uint32_t value, uint32_t down, uint32_t right) {
    uint64_t hash = mix((uint64_t)down << 32 | right) ^ value * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)mix(hash) & (uint32_t)(bucket_count(ldd->capacity) - 1);
}

static void link_node(struct ldd *ldd, uint32_t node) {
    struct ldd_node *at = &ldd->nodes[node];
    uint32_t *bucket = &ldd->buckets[bucket_of(ldd, at->value, at->down, at->right)];
    at->chain = *bucket;
    *bucket = node;
}

static size_t size_with(const struct ldd *ldd, size_t nodes, size_t cache) {
    return nodes * sizeof *ldd->nodes + bucket_count(nodes) * sizeof *ldd->buckets +
           cache * sizeof *ldd->cache + ldd->item_capacity * sizeof *ldd->items +
           ldd->held_capacity * sizeof *ldd->held;
}

/* Of all tables as they are now, free entries too. */
size_t ldd_size(const struct ldd *ldd) { return size_with(ldd, ldd->capacity, ldd->cache_size); }

static bool has_room(const struct ldd *ldd, size_t nodes, size_t cache) {
    return !ldd->limits.max_size || size_with(ldd, nodes, cache) <= ldd->limits.max_size;
}

static void note_size(struct ldd *ldd) {
    size_t size = ldd_size(ldd);
    if (size > ldd->peak_size) ldd->peak_size = size;
}

/* Half of the places for results; the upper ones move down where they are free or worth more. */
static void halve_cache(struct ldd *ldd) {
    uint32_t half = ldd->cache_size / 2;
    for (uint32_t i = 0; i < half; i++) {
        const struct ldd_entry *upper = &ldd->cache[half + i];
        unsigned traits = traits_of(ldd->cache[i].operation);
        if (!(traits & LDD_KEPT) && upper->operation != LDD_FREE_ENTRY) ldd->cache[i] = *upper;
    }
    ldd->cache = heap_resize(ldd->cache, half, sizeof *ldd->cache);
    ldd->cache_size = half;
    ldd->lacks_room = true;
}

/* Room for so many nodes, if need be in place of results, as long as there are some for nodes. */
static bool make_room(struct ldd *ldd, uint32_t nodes) {
    while (!has_room(ldd, nodes, ldd->cache_size)) {
        if (ldd->cache_size <= FIRST_CACHE || ldd->cache_size < nodes / 2) return false;
        halve_cache(ldd);
    }
    return true;
}

static bool grow_nodes(struct ldd *ldd) {
    uint32_t capacity = ldd->capacity ? ldd->capacity * 2 : FIRST_NODES;
    if (capacity > NO_NODES || (ldd->capacity && !make_room(ldd, capacity))) {
        ldd->end = LDD_MEMORY;
        return false;
    }
    ldd->nodes = heap_resize(ldd->nodes, capacity, sizeof *ldd->nodes);
    ldd->buckets = heap_resize(ldd->buckets, bucket_count(capacity), sizeof *ldd->buckets);
    memset(ldd->buckets, 0, bucket_count(capacity) * sizeof *ldd->buckets);
    ldd->capacity = capacity;
    assert(!(capacity & (capacity - 1)));
    for (uint32_t i = LDD_UNIT + 1; i < ldd->count; i++) link_node(ldd, i); /* none is free */
    note_size(ldd);
    return true;
}

uint32_t ldd_make(struct ldd *ldd, uint32_t value, uint32_t down, uint32_t right) {
    if (down == LDD_NONE || ldd_is_over(ldd)) return right;
    DEBUG_CHECK(assert(down < ldd->count && right < ldd->count));
    assert(right != LDD_UNIT);
    assert(right == LDD_NONE || value < ldd->nodes[right].value);
    uint32_t node = ldd->buckets[bucket_of(ldd, value, down, right)];
    for (; node; node = ldd->nodes[node].chain) {
        const struct ldd_node *at = &ldd->nodes[node];
        if (at->value == value && at->down == down && at->right == right) return node;
    }
    node = ldd->free;
    if (node) {
        ldd->free = ldd->nodes[node].chain;
    } else {
        if (ldd->count == ldd->capacity && !grow_nodes(ldd)) return right;
        node = ldd->count++;
    }
    ldd->nodes[node] = (struct ldd_node){value, down, right, 0};
    link_node(ldd, node);
    ldd->used++;
    ldd->made++;
    return node;
}

/* Lists */

/* An empty set below is not part of any list and is left out. */
void ldd_push(struct ldd *ldd, uint32_t value, uint32_t down) {
    if (down == LDD_NONE) return;
    if (ldd->item_count == ldd->item_capacity) {
        ldd->item_capacity = ldd->item_capacity ? ldd->item_capacity * 2 : 256;
        ldd->items = heap_resize(ldd->items, ldd->item_capacity, sizeof *ldd->items);
    }
    ldd->items[ldd->item_count++] = (struct ldd_item){value, down};
}

/* Makes the list and takes its items off again. To look at the items of long lists is work, too. */
uint32_t ldd_list(struct ldd *ldd, size_t mark, uint32_t right) {
    assert(mark <= ldd->item_count);
    ldd->stores += (ldd->item_count - mark) / LONG_LIST;
    while (ldd->item_count > mark) {
        struct ldd_item item = ldd->items[--ldd->item_count];
        right = ldd_make(ldd, item.value, item.down, right);
    }
    return right;
}

uint32_t ldd_list_onto(struct ldd *ldd, size_t mark, uint32_t right, uint32_t old, bool is_more) {
    if (is_more) return ldd_list(ldd, mark, right);
    assert(mark <= ldd->item_count);
    ldd->stores += (ldd->item_count - mark) / LONG_LIST;
    ldd->item_count = mark;
    return old;
}

/* Results that are remembered: one a place, the newest. While there is no room for more places, an
 * expensive result stays in its place, and another one goes to the place beside it. */

static uint32_t place_of(uint32_t size, uint32_t operation, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t hash =
        mix((uint64_t)a << 32 | b) ^ ((uint64_t)c << 32 | operation) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)mix(hash) & (size - 1);
}

/* Twice the places. An entry stays, or moves on by as many as there were; what was beside its own
 * place still is. */
static void grow_cache(struct ldd *ldd) {
    uint32_t old_size = ldd->cache_size, size = old_size ? old_size * 2 : FIRST_CACHE;
    ldd->cache_stores = 0;
    if (old_size >= MAX_CACHE) return;
    ldd->lacks_room = old_size && !has_room(ldd, ldd->capacity, size);
    if (ldd->lacks_room) return;
    ldd->cache = heap_resize(ldd->cache, size, sizeof *ldd->cache);
    memset(ldd->cache + old_size, 0, (size - old_size) * sizeof *ldd->cache);
    ldd->cache_size = size;
    for (uint32_t i = 0; i < old_size; i++) {
        struct ldd_entry entry = ldd->cache[i];
        if (entry.operation == LDD_FREE_ENTRY) continue;
        uint32_t place = place_of(size, entry.operation, entry.a, entry.b, entry.c);
        place ^= (place ^ i) & 1;
        assert(place == i || place == i + old_size);
        ldd->cache[i] = (struct ldd_entry){0};
        ldd->cache[place] = entry;
    }
    note_size(ldd);
}

static bool is_entry_of(const struct ldd_entry *entry, uint32_t operation, uint32_t a, uint32_t b,
                        uint32_t c) {
    return entry->a == a && entry->b == b && entry->c == c && entry->operation == operation;
}

bool ldd_recall(const struct ldd *ldd, uint32_t operation, uint32_t a, uint32_t b, uint32_t c,
                uint32_t *result) {
    uint32_t place = place_of(ldd->cache_size, operation, a, b, c);
    const struct ldd_entry *entry = &ldd->cache[place];
    if (ldd->lacks_room && !is_entry_of(entry, operation, a, b, c)) entry = &ldd->cache[place ^ 1];
    if (!is_entry_of(entry, operation, a, b, c)) return false;
    *result = entry->result;
    return true;
}

static void look_at_limits(struct ldd *ldd) {
    const struct ldd_limits *limits = &ldd->limits;
    ldd->next_look = ldd->stores + LOOK_STORES;
    if (limits->look) limits->look(limits->context);
    if (limits->stores && limits->stores < ldd->next_look) ldd->next_look = limits->stores;
    if (limits->stores && ldd->stores >= limits->stores) ldd->end = LDD_STORES;
    if (limits->deadline > 0 && clock_seconds() > limits->deadline) ldd->end = LDD_TIME;
    if (interrupt_is_asked()) ldd->end = interrupt_is_timeout() ? LDD_TIME : LDD_INTERRUPT;
    if (interrupt_is_for_memory()) ldd->end = LDD_MEMORY;
    if (limits->is_cancelled && atomic_load(limits->is_cancelled)) ldd->end = LDD_INTERRUPT;
}

void ldd_work(struct ldd *ldd, uint64_t stores) {
    if (ldd_is_over(ldd)) return;
    ldd->stores += stores;
    if (ldd->stores >= ldd->next_look) look_at_limits(ldd);
}

/* Replaces what else was remembered at that place; nothing past a limit. */
void ldd_store(struct ldd *ldd, uint32_t operation, uint32_t a, uint32_t b, uint32_t c,
               uint32_t result) {
    assert((operation & 0xFF) != LDD_FREE_ENTRY);
    if (ldd_is_over(ldd)) return;
    if (++ldd->cache_stores > ldd->cache_size) grow_cache(ldd);
    uint32_t place = place_of(ldd->cache_size, operation, a, b, c);
    if (ldd->lacks_room && !(traits_of(operation) & LDD_KEPT) &&
        traits_of(ldd->cache[place].operation) & LDD_KEPT)
        place ^= 1;
    ldd->cache[place] = (struct ldd_entry){a, b, c, operation, result};
    ldd_work(ldd, 1);
}

/* Collection */

void ldd_add_root(struct ldd *ldd, uint32_t *root) {
    if (ldd->root_count == ldd->root_capacity) {
        ldd->root_capacity = ldd->root_capacity ? ldd->root_capacity * 2 : 64;
        ldd->roots = heap_resize(ldd->roots, ldd->root_capacity, sizeof *ldd->roots);
    }
    ldd->roots[ldd->root_count++] = root;
}

size_t ldd_hold(struct ldd *ldd, uint32_t node) {
    if (ldd->held_count == ldd->held_capacity) {
        ldd->held_capacity = ldd->held_capacity ? ldd->held_capacity * 2 : 256;
        ldd->held = heap_resize(ldd->held, ldd->held_capacity, sizeof *ldd->held);
    }
    ldd->held[ldd->held_count] = node;
    return ldd->held_count++;
}

static bool is_marked(const unsigned char *marks, uint32_t node) {
    return node <= LDD_UNIT || marks[node];
}

/* Depth is that of a vector: lists are followed in a loop. */
static void mark_below(const struct ldd *ldd, unsigned char *marks, uint32_t node) {
    for (; !is_marked(marks, node); node = ldd->nodes[node].right) {
        marks[node] = 1;
        mark_below(ldd, marks, ldd->nodes[node].down);
    }
}

static bool has_marked_arguments(const struct ldd_entry *entry, const unsigned char *marks) {
    unsigned traits = traits_of(entry->operation);
    return (!(traits & LDD_NODE_A) || is_marked(marks, entry->a)) &&
           (!(traits & LDD_NODE_B) || is_marked(marks, entry->b)) &&
           (!(traits & LDD_NODE_C) || is_marked(marks, entry->c));
}

/* Closed sets are expensive to compute: they stay while what they were made of does. */
static bool keep_results(const struct ldd *ldd, unsigned char *marks) {
    bool has_changed = false;
    for (uint32_t i = 0; i < ldd->cache_size; i++) {
        const struct ldd_entry *entry = &ldd->cache[i];
        if (!(traits_of(entry->operation) & LDD_KEPT) || is_marked(marks, entry->result) ||
            !has_marked_arguments(entry, marks))
            continue;
        mark_below(ldd, marks, entry->result);
        has_changed = true;
    }
    return has_changed;
}

static void sweep(struct ldd *ldd, const unsigned char *marks) {
    memset(ldd->buckets, 0, bucket_count(ldd->capacity) * sizeof *ldd->buckets);
    ldd->used = 0;
    ldd->free = 0;
    for (uint32_t i = ldd->count; i-- > LDD_UNIT + 1;) {
        if (marks[i]) {
            link_node(ldd, i);
            ldd->used++;
        } else {
            ldd->nodes[i] = (struct ldd_node){.chain = ldd->free};
            ldd->free = i;
        }
    }
    for (uint32_t i = 0; i < ldd->cache_size; i++) {
        struct ldd_entry *entry = &ldd->cache[i];
        if (!has_marked_arguments(entry, marks) || !is_marked(marks, entry->result))
            *entry = (struct ldd_entry){0};
    }
}

/* That nodes are as ldd.h says, and that every other one is on the list of free ones. */
static void ldd_check(const struct ldd *ldd) {
    uint32_t used = 0, unused = 0;
    for (uint32_t i = LDD_UNIT + 1; i < ldd->count; i++) {
        const struct ldd_node *node = &ldd->nodes[i];
        if (node->down == LDD_NONE) continue; /* free */
        used++;
        assert(node->down < ldd->count && node->right < ldd->count && node->right != LDD_UNIT);
        assert(node->right == LDD_NONE || node->value < ldd->nodes[node->right].value);
    }
    for (uint32_t at = ldd->free; at; at = ldd->nodes[at].chain) {
        assert(ldd->nodes[at].down == LDD_NONE);
        unused++;
    }
    assert(used == ldd->used && used + unused == ldd->count - LDD_UNIT - 1);
}
static uint32_t collect_from(const struct ldd *ldd) {
    uint64_t from = COLLECT_NODES, part = UINT64_MAX;
    if (ldd->limits.max_size)
        part = ldd->limits.max_size / COLLECT_PART /
               (sizeof *ldd->nodes + bucket_count(1) * sizeof *ldd->buckets);
    if (part < from) from = part;
    if (ldd->used * UINT64_C(2) > from) from = ldd->used * UINT64_C(2);
    return from > NO_NODES ? NO_NODES : (uint32_t)from;
}

/* Only nodes below roots and held ones stay; what is remembered of others goes. */
void ldd_collect(struct ldd *ldd) {
    unsigned char *marks = heap_resize(NULL, ldd->count + 1, 1);
    memset(marks, 0, ldd->count + 1);
    for (size_t i = 0; i < ldd->root_count; i++) mark_below(ldd, marks, *ldd->roots[i]);
    for (size_t i = 0; i < ldd->held_count; i++) mark_below(ldd, marks, ldd->held[i]);
    for (size_t i = 0; i < ldd->item_count; i++) mark_below(ldd, marks, ldd->items[i].down);
    for (int round = 0; round < KEEP_ROUNDS && keep_results(ldd, marks); round++) continue;
    sweep(ldd, marks);
    free(marks);
    ldd->collections++;
    ldd->collect_at = collect_from(ldd);
    DEBUG_CHECK(ldd_check(ldd));
}

void ldd_safe_point(struct ldd *ldd) {
    uint64_t work = (uint64_t)ldd->count + ldd->cache_size;
    bool is_chance = ldd->spare_work >= work;
    if (is_chance) ldd->spare_work -= work;
    if (is_chance || ldd->used >= ldd->collect_at) ldd_collect(ldd);
}

/* Lifetime */

/* No nodes but the two ends; close it. */
void ldd_init(struct ldd *ldd, struct ldd_limits limits) {
    *ldd = (struct ldd){.limits = limits, .count = LDD_UNIT + 1};
    grow_nodes(ldd);
    grow_cache(ldd);
    memset(ldd->nodes, 0, (LDD_UNIT + 1) * sizeof *ldd->nodes);
    ldd->collect_at = collect_from(ldd);
    look_at_limits(ldd);
}

void ldd_resume(struct ldd *ldd, struct ldd_limits limits) {
    assert(!ldd->item_count);
    ldd->limits = limits;
    ldd->end = LDD_GOES_ON;
    if (ldd->lacks_room) ldd->cache_stores = ldd->cache_size; /* perhaps there is room now */
    look_at_limits(ldd);
}

/* A limit of stores that is below the one there was. */
void ldd_end_at(struct ldd *ldd, uint64_t stores) {
    if (!ldd->limits.stores || stores < ldd->limits.stores) ldd->limits.stores = stores;
    if (stores < ldd->next_look) ldd->next_look = stores;
}

/* All nodes are gone. */
void ldd_close(struct ldd *ldd) {
    assert(ldd->used <= ldd->count);
    free(ldd->nodes);
    free(ldd->buckets);
    free(ldd->cache);
    free(ldd->items);
    free(ldd->held);
    free(ldd->roots);
}
