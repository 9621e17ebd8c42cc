/* LTS - the steps of a model with labels, explored on the way: a labelled transition system.
 *
 * A node is a row of the search's store, row 0 the initial state. Its edges are found when they are
 * asked for first, and kept: in the order of the expansion, or sorted by label, each once.
 *
 * Lifetime: search is borrowed, and prepared; everything else is heap memory until lts_close. The
 *           search's store is the one that fills.
 * Errors:   lts_expand says what is in the way.
 */
#ifndef VARABS_EXPLORE_REFINE_LTS_H
#define VARABS_EXPLORE_REFINE_LTS_H

#include "explore/compare/graph.h"
#include "explore/fair/constraint.h"
#include "explore/refine/label.h"

enum lts_state { LTS_FINE, LTS_OVERFLOW, LTS_LIMIT, LTS_FAULT };

struct lts_edge {
    uint32_t label, target;
    uint32_t tags; /* number of the set of constraints that the step is of (explore/fair) */
};

struct lts_node {
    uint64_t first; /* edge; LTS_UNSEEN before it is expanded */
    uint32_t count;
    bool has_error, is_stable; /* stable: no hidden step */
};
#define LTS_UNSEEN UINT64_MAX

struct lts {
    struct search *search;
    struct labeller labeller;
    struct fair_sets *sets; /* NULL: nobody asks for constraints */
    struct fair_marker marker;
    uint32_t shift; /* of the constraints' numbers */
    struct expander expander;
    struct shelf shelf;
    struct allowance *allowance;
    bool is_sorted;
    uint64_t *state;        /* that is expanded, with scratch words */
    struct lts_node *nodes; /* by row */
    struct lts_edge *edges;
    size_t node_capacity, edge_capacity;
    uint64_t edge_count;
    /* what was found in the nodes that were expanded */
    uint64_t transitions, expanded, errors;
    struct fault first_error;
    uint32_t choice_row; /* of the first node with a hidden step, or two ways to do one action: to
                            different states, or by steps of different constraints */
    bool is_deterministic;
    size_t charged; /* of the store */
    enum lts_state state_of;
    struct fault fault; /* LTS_FAULT */
};

/* False at a limit, which the allowance says. is_sorted: edges by label, each once. */
bool lts_open(struct lts *lts, struct search *search, struct label_table *labels, enum side side,
              bool is_sorted, struct allowance *allowance);
/* From now on edges have the constraints that their steps are of. Borrows the sets, which have them
 * with numbers so much higher. */
void lts_mark(struct lts *lts, const struct fair_constraints *constraints, struct fair_sets *sets,
              uint32_t shift);
void lts_close(struct lts *lts);

/* Finds the edges of a row; false if something is in the way, which lts->state_of says. */
bool lts_expand(struct lts *lts, uint32_t row);

/* Rows so far, without the free one on the shelf. */
static inline uint32_t lts_count(const struct lts *lts) {
    return (uint32_t)store_count(&lts->search->store) - (lts->shelf.end - lts->shelf.next);
}

static inline const struct lts_edge *lts_edges(const struct lts *lts, uint32_t row) {
    return lts->edges + lts->nodes[row].first;
}

/* The edges of a row with a label, where they are sorted; the row was expanded. */
const struct lts_edge *lts_edges_of(const struct lts *lts, uint32_t row, uint32_t label,
                                    uint32_t *count);
/* The number of the set of constraints that are enabled in a node that was expanded. */
uint32_t lts_enabled(const struct lts *lts, uint32_t row);

/* Room for so many items of a size; false at a limit. */
bool room_for(struct allowance *allowance, void **items, size_t *capacity, size_t need,
              size_t size);

#endif
