/* TIMING - the conjuncts on clocks of a guard or invariant, which are carried through (T3).
 *
 * Clocks have no values that a fold could put in, so a condition is taken apart: what is said of
 * numbers is folded, and what is said of clocks is part of what an edge does.
 */
#ifndef VARABS_ABSTRACT_FACTS_TIMING_H
#define VARABS_ABSTRACT_FACTS_TIMING_H

#include "abstract/request/request.h"

struct timed_condition {
    const struct expr *numbers, *timing; /* NULL = true */
};

/* The two parts of a condition, each with its conjuncts in their order. */
struct timed_condition timing_split(struct arena *arena, const struct expr *condition);
/* T3.10: the condition with every comparison of a clock that goes taken as true; NULL = true. A
 * condition on clocks holds where all of its comparisons do, if it holds anywhere. */
const struct expr *timing_relax(struct arena *arena, const struct request *request,
                                const struct expr *condition);
/* Whether what stands behind a condition by && is evaluated: that is no matter of clocks. */
const struct expr *timing_numbers(struct arena *arena, const struct expr *condition);

#endif
