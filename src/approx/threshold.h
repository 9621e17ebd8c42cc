/* THRESHOLD - the numbers of a model, where the widening of value sets rests (rule A5).
 *
 * A counter that is compared with a constant mostly stays within one of it.
 *
 * Lifetime: in the arena that is given.
 * Errors:   none.
 */
#pragma once

#include "model/network.h"
#include "values/value_set.h"

enum { THRESHOLD_MAX_COUNT = 128 };

/* Literals, constants, parameters of processes and ends of declared ranges, each with its two
 * neighbours; if there are too many, those nearest to zero. */
struct thresholds thresholds_of(const struct network *network, struct arena *arena);
