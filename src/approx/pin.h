/* PIN - a value analysis with values from elsewhere: one value only of what does not matter
 * (classes/classes.h), or joint values found by other means.
 *
 * Lifetime: in the arena of the analysis, which stays as it is; facts about edges and notes are
 *           shared with it.
 * Errors:   none.
 */
#pragma once

#include "approx/analysis.h"

/* A copy whose slots may be pinned. */
struct analysis *analysis_copy(const struct analysis *analysis);

/* In a copy that was asked nothing yet: from now on a slot has one value, a local one while its
 * process is at the location, a shared one always. The slot must be tracked. */
void analysis_pin(struct analysis *analysis, uint32_t slot, uint32_t location, int32_t value);

/* In such a copy: from now on tracked local slots of a process, which has no branchpoints, have
 * these joint values, and no others (--must=lower). Addresses ascend; sets by location. */
void analysis_replace(struct analysis *analysis, uint32_t process, uint32_t *addresses,
                      uint32_t count, const struct tuple_set *sets);

/* Whether a cell of a local variable may really have other values there than the analysis says. */
bool analysis_is_pinned(const struct analysis *analysis, const struct template *template,
                        uint32_t location, const struct symbol *symbol, uint32_t offset);
