/* INDISTINGUISHABLE - which states are the same to an agent.
 *
 * Two reachable states are in one class if every item that the agent observes has the same value in
 * them. Numbers go by the first row of each; keys are compared, not only hashed.
 *
 * Lifetime: memory of the ledger, given back by indistinguishable_close.
 * Errors:   limits and faults of the states; then the classes are worth nothing.
 */
#pragma once

#include "agents/agents.h"
#include "explore/states/all_states.h"

#define NO_CLASS UINT32_MAX

struct indistinguishable {
    const struct agent *agent; /* NULL: of several agents together */
    uint32_t *of_row;          /* NO_CLASS in gaps */
    uint32_t count;
    struct unit *units;  /* by item: what guards and values are compiled to */
    struct unit *losses; /* conditions under which the agent has lost something (MX3) */
    uint64_t
        *is_lost; /* by class: the agent has lost something in some row; NULL: in none, or all */
};

/* Compiles what the agent observes; before the machine is made. */
void indistinguishable_compile(struct indistinguishable *classes, struct all_states *states,
                               const struct agent *agent);
void indistinguishable_find(struct indistinguishable *classes, struct all_states *states);
/* Whether, in some row that looks the same to the agent, it has lost something that it observes of
 * the original. */
bool indistinguishable_has_lost(const struct indistinguishable *classes, uint64_t row);
/* States that are the same to all of several agents. */
void indistinguishable_join(struct indistinguishable *joint, struct all_states *states,
                            const struct indistinguishable *const *parts, uint32_t count);
/* States that a chain leads from one to the other, each of its steps the same to some agent. */
void indistinguishable_chain(struct indistinguishable *chains, struct all_states *states,
                             const struct indistinguishable *const *parts, uint32_t count);
/* Takes the rows out of a set whose class has a row that is not in the part. */
void indistinguishable_leave(const struct indistinguishable *classes, struct all_states *states,
                             const uint64_t *part, uint64_t *set);
/* The value that the agent observes of one item, in the state that was loaded last. A guard that
 * cannot be evaluated does not hold. */
int32_t indistinguishable_value(const struct indistinguishable *classes, struct all_states *states,
                                uint32_t item);
void indistinguishable_close(struct indistinguishable *classes, struct all_states *states);
