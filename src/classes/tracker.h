/* TRACKER - which process is to tell the points of a shared variable apart, though others name it.
 *
 * For each process it is asked at which of its locations the variable does not matter, as far as
 * names tell: nobody can read it there, nor at a location to which the process may carry it without
 * having written it. The process with the greatest part of such locations is tried.
 *
 * That is a guess, which may be any: what comes of it is checked. All of it is taken, or nothing,
 * so that no point gets more classes than without trackers.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "classes/point.h"

/* Trackers, by the first slot of a variable, for some of those of which values are apart in points
 * found without; NULL: none has one. */
const struct process **trackers_find(struct arena *arena, const struct analysis *analysis,
                                     const struct points *points, const struct query *queries,
                                     uint32_t query_count);

/* Whether all variables with trackers gain by them in the points found with them, and no variable
 * loses. Forgets those that do not gain; *has_some: some were forgotten, others were not. */
bool trackers_gain(const struct analysis *analysis, const struct points *without,
                   const struct points *with, const struct process **trackers, bool *has_some);
