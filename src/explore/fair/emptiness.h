/* EMPTINESS - whether a graph has a run that is fair (rule R5.5): emptiness of Streett automata.
 *
 * Nodes say which constraints are enabled in them, edges which are taken. A node without a step has
 * an edge to itself that takes nothing, which whoever builds the graph adds.
 *
 * A fair run ends in a part of a strongly connected component in which it takes all edges again and
 * again. Such a part is good if for each weak constraint some edge takes it or some node does not
 * enable it, and for each strong one some edge takes it or no node enables it. A component that is
 * not good because of strong constraints is looked at again without the nodes that enable them.
 *
 * Lifetime: memory of the ledger, given back by fair_graph_close and fair_parts_close.
 * Errors:   functions give false at a limit, which the ledger notes.
 */
#pragma once

#include "explore/fair/constraint.h"
#include "explore/graph/rows.h"

struct fair_edge {
    uint32_t target; /* FAIR_OUT, or a node that never comes: it leads out of the graph */
    uint32_t tags;   /* number of the set of constraints that it takes */
};
#define FAIR_OUT UINT32_MAX

struct fair_graph {
    const struct fair_sets *sets;
    struct row_steps rows; /* labels: numbers of sets; steps in the order they were added */
    uint32_t *enabled;     /* by node: number of a set */
};

/* A part of a graph that is empty gives no memory to take back. */
void fair_graph_init(struct fair_graph *graph, const struct fair_sets *sets, struct ledger *ledger);
void fair_graph_close(struct fair_graph *graph);
/* The edges of a node come before it (rows_add_step). */
bool fair_graph_add_node(struct fair_graph *graph, uint32_t enabled);

/* Which runs are asked for. Sets of constraints. */
struct fair_question {
    uint64_t weak, strong; /* to these they are fair */
    uint64_t avoid;        /* in the end they take none of these, */
    uint64_t keep;         /* all of these are enabled for ever, */
    uint64_t meet;         /* and each of these again and again */
};

/* The good parts of a graph. */
struct fair_parts {
    uint32_t *of; /* by node: its part, or FAIR_NO_PART */
    bool has_any;
};
#define FAIR_NO_PART 0

bool fair_find(const struct fair_graph *graph, const struct fair_question *question,
               struct fair_parts *parts);
void fair_parts_close(const struct fair_graph *graph, struct fair_parts *parts);

static inline struct fair_edge fair_edge(const struct fair_graph *graph, uint64_t number) {
    return (struct fair_edge){graph->rows.targets[number], graph->rows.labels[number]};
}

static inline bool fair_is_inside(const struct fair_graph *graph,
                                  const struct fair_question *question, const uint32_t *part_of,
                                  uint32_t part, struct fair_edge edge) {
    return edge.target < graph->rows.count && part_of[edge.target] == part &&
           !(fair_set(graph->sets, edge.tags) & question->avoid);
}
