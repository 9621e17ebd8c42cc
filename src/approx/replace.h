/* REPLACE - values found by other means in place of those of an analysis (--must=lower).
 *
 * Lifetime: in the arena of the analysis.
 * Errors:   none.
 */
#ifndef VARABS_APPROX_REPLACE_H
#define VARABS_APPROX_REPLACE_H

#include "approx/analysis.h"

/* In a copy (pin.h) that was asked nothing yet: from now on tracked local slots of a process, which
 * has no branchpoints, have these joint values, and no others. Addresses ascend; sets by location.
 */
void analysis_replace(struct analysis *analysis, uint32_t process, uint32_t *addresses,
                      uint32_t count, const struct tuple_set *sets);

#endif
