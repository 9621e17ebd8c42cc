/* TIMING FOLD - the condition of an invariant on clocks, for all values of its unknowns (T3.4).
 *
 * Uppaal takes convex conditions only, and a disjunction of two bounds is not convex. So each
 * conjunct is folded by itself: a may-fold takes the weakest bound that some values give, or none,
 * a must-fold the strongest ones.
 */
#pragma once

#include "abstract/fold/residual.h"

/* The folded condition; NULL = true. Sets *differs if values give different conjuncts, and else
 * leaves it. */
const struct expr *fold_timing(struct folder *folder, const struct open_edge *open, bool *differs);

/* What holds where both do: of two bounds of one clock by one operator, the stronger one. NULL =
 * true in the arguments and as the result, which may be false. */
const struct expr *timing_join(struct arena *arena, const struct expr *left,
                               const struct expr *right);
