/* DECIDE - where in a set a unit of code holds: by terms (unroll.h), or else by all combinations of
 * what it reads (support.h). `deadlock` is true in one part of the states and false in the other.
 *
 * Lifetime: sets that are found are not held.
 * Errors:   false where the unit is too complex, or the time is over (the reach's machine says so).
 *           Past a limit of the diagram the results mean nothing.
 */
#ifndef VARABS_EXPLORE_SYMBOLIC_DECIDE_H
#define VARABS_EXPLORE_SYMBOLIC_DECIDE_H

#include "explore/symbolic/support.h"

struct decider {
    struct reach *reach;
    uint32_t deadlocks; /* held by the caller */
};

/* is_value: the extremes of a value, too. */
bool decide(struct decider *decider, const struct unit *unit, uint32_t set, bool is_value,
            struct verdicts *verdicts);
/* All of the set is stuck, or nothing is. */
bool decide_part(struct decider *decider, const struct unit *unit, uint32_t set, bool is_stuck,
                 bool is_value, struct verdicts *verdicts);

#endif
