/* NARROW - what the guard of an edge leaves of the values of the cells that it compares (rule A5).
 *
 * Sets that are too large to be tried one by one are cut first: where `x + y < 4` holds and y is
 * not negative, x is at most 3. Comparisons between sums, differences, multiples and plain cells
 * are followed, through `&&`, `||` and `!`; anything else cuts nothing.
 *
 * The result belongs to the label run, until the next one: the enumeration and hulls (hull.h) use
 * it, for cells that others may have changed meanwhile only until label_run_forget says so (A2).
 *
 * Lifetime: cut sets share the lists of the sets they come from.
 * Errors:   none.
 */
#pragma once

#include "approx/labels/label_run.h"

/* By the guard of a leg whose selects have been bound; false if no values let it hold. */
bool narrow_by_guard(struct label_run *run, const struct leg *leg, uint32_t number);

/* From now on nothing is narrowed. */
void narrow_nothing(struct label_run *run);
