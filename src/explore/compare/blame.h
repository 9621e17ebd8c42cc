/* BLAME - which removed slots keep the original from a step of an abstract run. */
#ifndef VARABS_EXPLORE_COMPARE_BLAME_H
#define VARABS_EXPLORE_COMPARE_BLAME_H

#include "explore/compare/concretize.h"

enum { BLAME_MAX_STATES = 1 << 12 };

/* rows: states of the original from which the step is not possible. Sets slots and slot_count of
 * the result; false if there is no time for it. */
bool blame(const struct concretizer *concretizer, const struct trace_step *step,
           const uint32_t *rows, uint32_t count, struct arena *arena,
           struct concretization *result);

#endif
