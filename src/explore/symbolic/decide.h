/* DECIDE - where in a set a unit of code holds: by terms (unroll.h), or else by all combinations of
 * what it reads. `deadlock` is true in one part of the states and false in the other.
 *
 * Lifetime: sets that are found are not held.
 * Errors:   false where the unit is too complex, or the time is over (the reach's machine says so).
 *           Past a limit of the diagram the results mean nothing.
 */
#pragma once

#include "explore/symbolic/reach.h"
#include "explore/symbolic/select.h"

/* ---- all combinations of what is read ---- */

/* Decides a unit of a query for every combination of the fields that it reads.
 *
 * For what is not for terms (unroll.h): all short vectors of the states are looked at one by one,
 * as long as they are few.
 *
 * Errors: false where it is not known what the unit reads, or there are too many combinations. Past
 *         a limit of the diagram the results mean nothing.
 */

enum { SUPPORT_MAX = 1 << 18 /* combinations */ };

/* Where in a set the unit holds and where its evaluation fails; where it holds, the extremes of its
 * value. The machine has is_stuck set. */
struct verdicts {
    uint32_t holds, fails;
    struct extremes extremes;
};

/* wanted: NULL, or the value that it must have to hold. */
bool support_decide(struct reach *reach, const struct unit *unit, uint32_t set, bool is_stuck,
                    const int32_t *wanted, struct verdicts *verdicts);

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
