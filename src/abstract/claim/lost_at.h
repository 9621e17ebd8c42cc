/* LOST_AT - where agents have lost something of what they observe (MX3).
 *
 * What was removed tells states apart only where it may have several values. A guard of an edge
 * says nothing where its process is elsewhere; a variable, nothing where it has one value. So at
 * other locations an agent that sees the location has lost nothing.
 *
 * Invariants: over-approximates: elsewhere, states that look the same to the agent in the output
 *             are images of states that are the same to it.
 * Lifetime:   in the arena of the abstraction.
 */
#ifndef VARABS_ABSTRACT_CLAIM_LOST_AT_H
#define VARABS_ABSTRACT_CLAIM_LOST_AT_H

#include "abstract/fold/model.h"
#include "agents/agents.h"

struct lost_places {
    VEC(const char *) list; /* locations of processes, `P.l` */
    bool is_everywhere;
};

bool agent_sees_location(const struct agent *agent, const struct process *process);

/* Adds where it counts that an agent has lost an item, which the output does not say. */
void lost_at_add(const struct abstraction *abstraction, struct lost_places *places,
                 const struct agent *agent, const struct observed_item *item);

#endif
