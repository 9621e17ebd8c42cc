/* WIDE - removed slots with more values than anybody wants to choose from (rules A5, A6).
 *
 * Errors: none.
 */
#ifndef VARABS_APPROX_WIDE_H
#define VARABS_APPROX_WIDE_H

#include "approx/fact.h"

enum { WIDE_VALUES = 300 };

/* How many removed slots have more than WIDE_VALUES values somewhere, and are read by what is more
 * than an update of themselves; the one with the most values, if there are any. */
uint32_t wide_slots(const struct analysis *analysis, struct wide_slot *widest);

#endif
