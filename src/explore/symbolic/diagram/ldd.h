/* LDD - sets of vectors as list decision diagrams: nodes, what is remembered, and collection.
 *
 * A set of vectors of one length is a list of values; after each value, one level down, is the set
 * of what follows it. LDD_NONE is the empty set, LDD_UNIT the set of the empty vector.
 *
 * Invariants: lists ascend; nothing follows only LDD_NONE; equal sets are the same node. Nodes do
 *             not know their level.
 * Lifetime:   heap memory, freed by ldd_close. A node lives until ldd_collect finds it neither
 *             below a root nor on the stack of held nodes; that happens at safe points only, so
 *             operations on sets (sets.h) protect nothing.
 * Errors:     past a limit (is_over) operations give meaningless sets and remember none of them;
 *             ldd_resume goes on with what was remembered before.
 * Source:     van Dijk, van de Pol: Sylvan: multi-core framework for decision diagrams, 2017 (list
 *             decision diagrams).
 */
#pragma once

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LDD_NONE, LDD_UNIT };

struct ldd_node {
    uint32_t value, down, right;
    uint32_t chain; /* the next one of the bucket, or the next free one */
};

/* Which arguments of an operation are nodes; whether its result is kept while they live. */
enum { LDD_NODE_A = 1, LDD_NODE_B = 2, LDD_NODE_C = 4, LDD_KEPT = 8 };

#define LDD_OPERATIONS(X)                                                                          \
    X(UNION, LDD_NODE_A | LDD_NODE_B)                                                              \
    X(MINUS, LDD_NODE_A | LDD_NODE_B)                                                              \
    X(INTERSECT, LDD_NODE_A | LDD_NODE_B)                                                          \
    X(PROJECT, LDD_NODE_A)                                                                         \
    X(MATCH, LDD_NODE_A | LDD_NODE_B)                                                              \
    X(UNMATCH, LDD_NODE_A | LDD_NODE_B)                                                            \
    X(IMAGE, LDD_NODE_A | LDD_NODE_B | LDD_NODE_C)                                                 \
    X(CLOSE, LDD_NODE_A | LDD_KEPT)                                                                \
    X(BEFORE, LDD_NODE_A | LDD_NODE_B)                                                             \
    X(PREIMAGE, LDD_NODE_A | LDD_NODE_B | LDD_NODE_C)                                              \
    X(SELECT, LDD_NODE_A)                                                                          \
    X(STUCK, LDD_NODE_A)                                                                           \
    X(MAKE_ROOM, LDD_NODE_A)

enum ldd_operation {
    LDD_FREE_ENTRY,
#define X(name, traits) LDD_##name,
    LDD_OPERATIONS(X)
#undef X
};

struct ldd_entry {
    uint32_t a, b, c, operation, result;
};

/* An item of the list that an operation makes before the nodes. */
struct ldd_item {
    uint32_t value, down;
};

struct ldd_limits {
    size_t max_size;                 /* bytes; 0 = none */
    uint64_t stores;                 /* of results, from the start; 0 = none */
    double deadline;                 /* by clock_seconds; 0 = none */
    const atomic_bool *is_cancelled; /* or NULL: asked for now and then, as interrupts are */
    void (*look)(void *context);     /* or NULL: called now and then */
    void *context;
};

enum ldd_end { LDD_GOES_ON, LDD_MEMORY, LDD_STORES, LDD_TIME, LDD_INTERRUPT };

struct ldd {
    struct ldd_node *nodes;
    uint32_t *buckets;
    uint32_t count, capacity; /* nodes that were ever used, and room */
    uint32_t used, free;      /* nodes in use; the first free one or 0 */
    struct ldd_entry *cache;
    uint32_t cache_size;
    uint64_t stores, cache_stores; /* of results: all, and since the cache grew */
    bool lacks_room;               /* for a larger cache, when one was wanted last */
    struct ldd_item *items;        /* lists that are being made */
    size_t item_count, item_capacity;
    uint32_t *held;
    size_t held_count, held_capacity;
    uint32_t **roots;
    size_t root_count, root_capacity;
    struct ldd_limits limits;
    enum ldd_end end; /* why operations give nothing any more */
    uint64_t next_look;
    uint32_t collect_at; /* nodes in use from which on a safe point collects */
    uint64_t spare_work; /* for tests: every safe point collects until so much was looked at */
    uint64_t collections, made; /* figures: made counts nodes ever made */
    size_t peak_size;
};

void ldd_init(struct ldd *ldd, struct ldd_limits limits);
void ldd_close(struct ldd *ldd);

static inline bool ldd_is_over(const struct ldd *ldd) { return ldd->end != LDD_GOES_ON; }
/* Goes on after a limit, with other ones. Some work is done again, so a limit of stores has to grow
 * by factors. */
void ldd_resume(struct ldd *ldd, struct ldd_limits limits);
/* Lowers the limit of stores. */
void ldd_end_at(struct ldd *ldd, uint64_t stores);

/* The node with these parts; without anything below it is the list after. */
uint32_t ldd_make(struct ldd *ldd, uint32_t value, uint32_t down, uint32_t right);

/* A list is made of items: ldd_mark, ldd_push in ascending order, ldd_list with what is after. */
static inline size_t ldd_mark(const struct ldd *ldd) { return ldd->item_count; }
void ldd_push(struct ldd *ldd, uint32_t value, uint32_t down);
uint32_t ldd_list(struct ldd *ldd, size_t mark, uint32_t right);
/* The same, or the list that there was if that one has all of it: is_more says that it has not. */
uint32_t ldd_list_onto(struct ldd *ldd, size_t mark, uint32_t right, uint32_t old, bool is_more);

/* Results of operations: false where none is remembered. */
bool ldd_recall(const struct ldd *ldd, uint32_t operation, uint32_t a, uint32_t b, uint32_t c,
                uint32_t *result);
void ldd_store(struct ldd *ldd, uint32_t operation, uint32_t a, uint32_t b, uint32_t c,
               uint32_t result);
/* Counts work that leaves no result. */
void ldd_work(struct ldd *ldd, uint64_t stores);

/* A variable whose set lives as long as it is registered. */
void ldd_add_root(struct ldd *ldd, uint32_t *root);
/* Holds a node until ldd_release with what ldd_hold gave. */
size_t ldd_hold(struct ldd *ldd, uint32_t node);
static inline void ldd_release(struct ldd *ldd, size_t mark) {
    assert(mark <= ldd->held_count);
    ldd->held_count = mark;
}

/* Where all nodes that are needed are held, below roots, or in lists that are being made. */
void ldd_safe_point(struct ldd *ldd);
void ldd_collect(struct ldd *ldd);

size_t ldd_size(const struct ldd *ldd); /* bytes */
