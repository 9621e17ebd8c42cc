/* SIMULATE INTERNAL - what looking for good pairs and refuting one share.
 *
 * simulate.c  the greatest set of good pairs
 * refute.c    why a pair is bad
 */
#pragma once

#include "explore/compare/pairs/pair_look.h"
#include "explore/compare/pairs/simulate.h"

/* The number of a pair, or UINT32_MAX if it is not there. */
uint32_t simulation_find(const struct simulation *simulation, const uint32_t *nodes);

/* The successors of a pair; false at a limit. */
bool simulation_look(struct simulation *simulation, uint32_t number, struct pair_look *look);

/* The pair of a node of a side and one of the other. */
static inline void join_nodes(uint32_t nodes[SIDE_COUNT], enum side side, uint32_t node,
                              uint32_t choice) {
    nodes[side] = node;
    nodes[other_side(side)] = choice;
}

/* Whether the initial states look the same. */
bool simulation_starts_alike(const struct simulation *simulation);

/* Whether time may pass in the node of a side that moves, but not in the other: the side, or
 * SIDE_COUNT. */
enum side simulation_timed_side(const struct simulation *simulation, const struct pair *pair);
/* Whether that makes the pair bad. */
bool simulation_is_mistimed(const struct simulation *simulation, const struct pair *pair);
