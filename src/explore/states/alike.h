/* ALIKE - which states are the same to an agent.
 *
 * Two reachable states are in one class if every item that the agent observes has the same value in
 * them. Numbers go by the first row of each; keys are compared, not only hashed.
 *
 * Lifetime: memory of the work, given back by alike_close.
 * Errors:   limits and faults of the work; then the classes are worth nothing.
 */
#ifndef VARABS_EXPLORE_STATES_ALIKE_H
#define VARABS_EXPLORE_STATES_ALIKE_H

#include "agents/agents.h"
#include "explore/states/work.h"

#define NO_CLASS UINT32_MAX

struct alike {
    const struct agent *agent; /* NULL: of several agents together */
    uint32_t *of_row;          /* NO_CLASS in gaps */
    uint32_t count;
    struct unit *units; /* by item: what guards and values are compiled to */
};

/* Compiles what the agent observes; before the machine of the work is made. */
void alike_compile(struct alike *classes, struct work *work, const struct agent *agent);
void alike_find(struct alike *classes, struct work *work);
/* States that are the same to all of several agents. */
void alike_join(struct alike *joint, struct work *work, const struct alike *const *parts,
                uint32_t count);
/* States that a chain leads from one to the other, each of its steps the same to some agent. */
void alike_chain(struct alike *chains, struct work *work, const struct alike *const *parts,
                 uint32_t count);
/* Takes the rows out of a set whose class has a row that is not in the part. */
void alike_leave(const struct alike *classes, struct work *work, const uint64_t *part,
                 uint64_t *set);
/* What the agent observes by one item, in the state of the work that was loaded last. A guard that
 * cannot be evaluated does not hold. */
int32_t alike_value(const struct alike *classes, struct work *work, uint32_t item);
void alike_close(struct alike *classes, struct work *work);

#endif
