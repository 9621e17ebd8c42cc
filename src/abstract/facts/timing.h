/* TIMING - the conjuncts on clocks of a guard or invariant, which are passed through (T3).
 *
 * Clocks have no values that a fold could put in. So a condition is split: its conjuncts on numbers
 * are folded, and those on clocks are part of what an edge does.
 */
#pragma once

#include "abstract/request/request.h"

struct timed_condition {
    const struct expr *numbers, *timing; /* NULL = true */
};

/* The two parts of a condition, each with its conjuncts in their order. */
struct timed_condition timing_split(struct arena *arena, const struct expr *condition);
/* T3.10: the condition with true in place of every comparison of a removed clock; NULL = true. A
 * condition on clocks holds where all of its comparisons do, if it holds anywhere. */
const struct expr *timing_drop_clocks(struct arena *arena, const struct request *request,
                                      const struct expr *condition);
/* The condition with true in place of every comparison of clocks: false where the condition is
 * false at all times, so that what stands after it by && is not evaluated. */
const struct expr *timing_numbers(struct arena *arena, const struct expr *condition);
