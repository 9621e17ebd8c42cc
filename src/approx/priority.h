/* PRIORITY - the order in which the value analysis visits locations (rule A1).
 *
 * The reachability index of a location is the number of locations reachable from it. Locations
 * are ranked by it, higher first, ties by document order. Computed from strongly connected
 * components, whose reachable sets are united bottom-up; beyond some 10,000 components, by their
 * topological order instead.
 */
#pragma once

#include "lang/syntax/ast.h"

struct edge_graph { /* successors of node i: target[first[i]] ... target[first[i + 1] - 1] */
    uint32_t node_count;
    const uint32_t *first, *target;
};

/* Locations of a template by rank, and their edges. */
struct ranking {
    uint32_t *rank, *by_rank;
    uint32_t *first, *edges; /* of location i: edges[first[i]] to edges[first[i + 1] - 1] */
};

void rank_template(const struct template *template, struct arena *arena, struct ranking *ranking);

/* rank[node] = place in the order, from 0. */
uint32_t *priority_ranks(struct arena *arena, const struct edge_graph *graph);
