/* EDGE READS - which variables the labels of an edge may look at, once constants shut some
 * branches: `act(SEND, 2)` does not look at what the function reads for other first arguments.
 *
 * Invariants: over; what is only written is there, too. A parameter counts where its argument is
 *             known and the function does not assign it. Past the budget everything is read.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "model/network.h"

struct edge_reads;

/* Finds the variables that guard, synchronisation and update of an edge may read. */
struct edge_reads *reads_of_edge(struct arena *arena, const struct network *network,
                                 const struct process *process, const struct edge *edge);

bool edge_reads_has(const struct edge_reads *edge_reads, const struct symbol *symbol);
