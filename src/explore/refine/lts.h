/* LTS - the steps of a model with labels, explored on the way: a labelled transition system.
 *
 * A node is a row of the search's store, row 0 the initial state. Its edges are found when they are
 * asked for first, and kept: in the order of the expansion, or sorted by label, each once. Several
 * threads can find them ahead of that, for rows that lts->ahead is asked for.
 *
 * Lifetime: search is borrowed, and prepared; everything else is heap memory until lts_close. The
 *           search's store is the one that fills.
 * Errors:   lts_expand says what is in the way.
 */
#pragma once

#include "explore/refine/ahead.h"

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

/* Options with which an LTS is made. */
struct lts_options {
    enum side side;
    bool is_sorted;                       /* edges by label, each once */
    struct fair_constraints *constraints; /* that edges are of; NULL: nobody asks */
    struct fair_sets *sets;
    uint32_t jobs; /* threads */
};

struct lts {
    struct search *search;
    struct lts_options options;
    struct step_finder finder;
    struct ahead ahead; /* of more than one thread */
    struct shelf shelf;
    struct ledger *ledger;
    struct lts_node *nodes; /* by row */
    struct lts_edge *edges;
    uint64_t edge_count;
    /* what was found in the nodes that were expanded */
    uint64_t transitions, expanded, errors;
    struct fault first_error;
    uint32_t choice_row; /* of the first node with a hidden step, or two ways to do one action: to
                            different states, or by steps of different constraints */
    bool is_deterministic;
    enum lts_state state_of;
    struct fault fault; /* LTS_FAULT */
};

/* False at a limit, which the ledger says. Borrows the constraints and their sets. */
bool lts_open(struct lts *lts, struct search *search, struct label_table *labels,
              const struct lts_options *options, struct ledger *ledger);
void lts_close(struct lts *lts);

/* Finds the edges of a row; false if something is in the way, which lts->state_of says. */
bool lts_expand(struct lts *lts, uint32_t row);

/* Whether the edges of a row were found. */
static inline bool lts_is_expanded(const struct lts *lts, uint32_t row) {
    return lts->nodes[row].first != LTS_UNSEEN;
}

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
