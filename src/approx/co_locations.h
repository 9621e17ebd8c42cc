/* CO LOCATIONS - which locations two processes can be at together, and which of their edges can
 * synchronise.
 *
 * For each two processes their control graphs are walked side by side: what one does by itself, or
 * with a third process that has an edge for it somewhere, and what both do together, on a channel
 * for two or a broadcast that may leave out whom it likes. Variables count only for the channels
 * that an expression may mean, and where the value analysis has found that a guard never holds.
 * That a location is committed, or a channel urgent, does not count, nor do invariants: pairs that
 * an invariant keeps out are there.
 *
 * Invariants: all of it over. A branchpoint is passed within a step: any location may go with it.
 * Lifetime:   in the arena given; the analysis is borrowed. Pairs are walked when first asked for.
 * Errors:     none; past the budget all locations may go together, and all edges may synchronise.
 */
#pragma once

#include "approx/labels/fact.h"

struct co_locations;

struct co_locations *co_locations_new(struct arena *arena, struct analysis *analysis);

/* Whether the budget is passed. */
bool co_locations_is_over(const struct co_locations *pairs);

/* Whether two processes can be at these locations at the same time. */
bool co_locations_has(struct co_locations *pairs, const struct process *left,
                      uint32_t left_location, const struct process *right, uint32_t right_location);

/* Whether an edge of one process can take part in a step with one of another: as sender and
 * receiver, or both as receivers of one broadcast. Says nothing of their locations. */
bool co_locations_can_sync(const struct co_locations *pairs, const struct process *left,
                           const struct edge *left_edge, const struct process *right,
                           const struct edge *right_edge);

/* Whether all channels that the edge may mean are for one sender and one receiver. */
bool co_locations_is_binary(const struct co_locations *pairs, const struct process *process,
                            const struct edge *edge);
