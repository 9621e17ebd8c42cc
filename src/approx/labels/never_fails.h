/* NEVER FAILS - that an evaluation raises no runtime error, by the least and greatest values of
 * what it reads (approx/labels/hull.h). */
#pragma once

#include "approx/labels/hull.h"

/* Under: whether the guard, the synchronisation or the update item that the hull is for never
 * fails. */
bool never_fails(const struct hull *hull, const struct expr *expr);
/* Under: whether it is an assignment that can fail in one way only: what is written leaves the
 * range of its target. */
bool only_range_may_fail(const struct hull *hull, const struct expr *expr);
