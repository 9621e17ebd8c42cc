/* RUNS - states from which a maximal run stays inside a set, and where runs lead.
 *
 * Lifetime: sets of the caller must be held: the diagram may collect. Results are not held.
 * Errors:   a limit of the diagram ends everything (ldd_is_over); the results mean nothing then.
 */
#pragma once

#include "explore/symbolic/reach.h"

/* States of inside from which a run stays there for ever, or as far as to one of the ends, which
 * are states of inside, too: the greatest set in which every other state has a successor. False
 * where there are too many chains of marks. */
bool runs_inside(struct reach *reach, uint32_t inside, uint32_t ends, uint32_t *runs);
/* The states that are reached from a set through states of inside, and that set as well. */
uint32_t runs_onward(struct reach *reach, uint32_t from, uint32_t inside);
uint32_t runs_successors(struct reach *reach, uint32_t set);
/* The subset of a set that has a successor in another one; if there are not too many chains of
 * marks. */
uint32_t runs_before(struct reach *reach, uint32_t set, uint32_t target);
