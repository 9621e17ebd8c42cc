/* PRIORITY - the order in which the value analysis visits locations (rule A1).
 *
 * The reachability index of a location is the number of locations reachable from it. Locations
 * are ranked by it, higher first, ties by document order. Computed from strongly connected
 * components, whose reachable sets are united bottom-up.
 */
#ifndef VARABS_APPROX_PRIORITY_H
#define VARABS_APPROX_PRIORITY_H

#include "base/arena.h"

#include <stdint.h>

struct graph { /* successors of node i: target[first[i]] ... target[first[i + 1] - 1] */
    uint32_t node_count;
    const uint32_t *first, *target;
};

/* rank[node] = place in the order, from 0. */
uint32_t *priority_ranks(struct arena *arena, const struct graph *graph);

#endif
