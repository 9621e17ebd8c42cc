/* MENTION - which variables the labels of an edge may look at, once constants shut some branches:
 * `act(SEND, 2)` does not look at what the function reads for other first arguments.
 *
 * Invariants: over; what is only written is there, too. A parameter counts where its argument is
 *             known and the function does not assign it. Past the budget everything is mentioned.
 * Lifetime:   in the arena given.
 */
#ifndef VARABS_CLASSES_MENTION_H
#define VARABS_CLASSES_MENTION_H

#include "model/network.h"

struct mentions;

/* Of guard, synchronisation and update. */
struct mentions *mentions_of_edge(struct arena *arena, const struct network *network,
                                  const struct process *process, const struct edge *edge);

bool mentions_has(const struct mentions *mentions, const struct symbol *symbol);

#endif
