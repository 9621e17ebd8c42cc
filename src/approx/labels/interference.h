/* INTERFERENCE - whether the other participants of a step may change what an update names, before
 * it runs (rule A2).
 *
 * The update of a receiver runs on what the sender has left, and in a broadcast on what the
 * receivers before it have left. Where none of them can write a shared variable that the update
 * names, it finds there what its guard has found, as if the process moved by itself.
 *
 * Which cell of an array of channels an expression means does not count, nor what guards say.
 *
 * Invariants: over. Next to a branchpoint, and where a channel may be any, others change all.
 * Lifetime:   in the arena given; the network is borrowed.
 */
#pragma once

#include "model/network.h"

struct interference;

struct interference *interference_find(struct arena *arena, const struct network *network);

/* In some process of the template. The edge receives. */
bool interference_disturbs(const struct interference *interference, const struct template *template,
                           const struct edge *edge);
