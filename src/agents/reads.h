/* READS - the slots that say what a process can do: those that its guards, channels, ranges of
 * selects and invariants read (`observe P: guards`).
 *
 * Slot by slot where an index is constant for the process, `a[id]` say; the whole array where it is
 * not, or where a function reads it.
 *
 * Invariants: over-approximates what is read.
 */
#pragma once

#include "model/network.h"

/* Whether a process reads each slot: network->slot_count of them, in the arena. The environment is
 * the network's. */
const bool *reads_of_process(const struct network *network, const struct process *process,
                             struct environment *environment, struct arena *arena);
