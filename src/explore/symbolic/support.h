/* SUPPORT - decides a unit of a query for every combination of the fields that it reads.
 *
 * For what is not for terms (unroll.h): all short vectors of the states are looked at one by one,
 * as long as they are few.
 *
 * Errors: false where it is not known what the unit reads, or there are too many combinations. Past
 *         a limit of the diagram the results mean nothing.
 */
#ifndef VARABS_EXPLORE_SYMBOLIC_SUPPORT_H
#define VARABS_EXPLORE_SYMBOLIC_SUPPORT_H

#include "explore/symbolic/reach.h"
#include "explore/symbolic/select.h"

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

#endif
