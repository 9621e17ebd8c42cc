/* GRAPH - the states that a search stored, as a graph whose nodes bear what is visible of them.
 *
 * A node is a row of the search's store, row 0 the initial state. Its class is the number of its
 * visible part, the same number in both graphs of a comparison. Its successors are listed once
 * each, by class and then by row.
 *
 * Steps that only processes take which the abstract model lacks, and which leave the visible part
 * as it is, are silent.
 *
 * Invariants: the search is complete and has no gaps, as one with a single job.
 * Lifetime:   heap memory, freed by graph_close; searches are borrowed.
 * Errors:     a limit makes functions give false; the ledger says which.
 */
#pragma once

#include "explore/graph/rows.h"
#include "explore/space/search.h"
#include "explore/visible/view.h"

/* What steps there are to one node. */
enum { STEP_SEEN = 1, STEP_SILENT = 2 };

struct graph {
    const struct search *search;
    const bool *is_gone;   /* by process: the other model lacks it; NULL: none */
    uint32_t count;        /* nodes */
    uint32_t *classes;     /* by node */
    struct row_steps rows; /* nodes: of one node by class, then by row, each once */
    uint8_t *kinds;        /* by step of these rows; NULL: all are seen */
    bool *can_idle; /* by node: time may pass for ever (successor/idle.h); NULL: in all of them */
};

/* Nodes next to each other in a list of successors. */
struct node_list {
    const uint32_t *nodes;
    uint32_t count;
};

/* Visible parts, numbered in the order in which they are met. */
struct classifier {
    const struct view *view;
    struct ledger *ledger;
    struct store store;
    struct shelf shelf;
    uint64_t *state, *visible; /* heap */
};

/* Makes graphs without steps; is_gone: by process of the concrete model, or NULL. Close the
 * classifier either way. */
bool graphs_classify(struct classifier *classifier, struct graph *graphs, const struct view *view,
                     const struct search *const searches[SIDE_COUNT], const bool *is_gone,
                     struct ledger *ledger);
void classifier_close(struct classifier *classifier);
/* Finds the steps. is_stuttering: nodes without successors are their own. */
bool graph_link(struct graph *graph, bool is_stuttering, struct ledger *ledger);
void graph_close(struct graph *graph, struct ledger *ledger);

static inline struct node_list graph_successors(const struct graph *graph, uint32_t node) {
    return (struct node_list){graph->rows.targets + graph->rows.first[node],
                              rows_degree(&graph->rows, node)};
}

static inline bool graph_can_idle(const struct graph *graph, uint32_t node) {
    return !graph->can_idle || graph->can_idle[node];
}

/* Whether only processes take part that the other model lacks; the step was recorded. */
bool step_is_of_gone(const struct expander *expander, const struct step_record *record,
                     const bool *is_gone);

/* What silent steps there are. */
struct silence {
    bool has_steps;   /* any */
    bool may_diverge; /* a run of nothing else that has no end */
};

/* False at a limit, which the ledger notes. */
bool graph_find_silence(const struct graph *graph, struct silence *silence, struct ledger *ledger);

/* Whether some location or channel may keep time from passing. */
static inline bool has_urgency(const struct program *program) {
    return program->has_committed || program->has_urgent || program->urgent.count;
}

/* The nodes of a class, in a list that is sorted by class; classes: by node. */
struct node_list nodes_of_class(struct node_list list, const uint32_t *classes, uint32_t class);
