/* PRUNE - a must-abstraction with more steps (U1).
 *
 * An edge is dropped because it is not there for all values that removed variables can have. Some
 * of them they can have only by edges that are dropped as well. The original without some edges
 * that are dropped in any case has only steps of the original, unless they receive broadcasts:
 * nobody may stay away from one. So a must-abstraction of it is one of the original, too; but its
 * value sets are smaller, and other edges may stay. That makes removing several variables at once
 * about as precise as one after the other.
 *
 * What is left out matters: edges that read one removed variable, then all but the ones that leave
 * one location, then all but one are tried, and left out if then strictly fewer are dropped,
 * or fewer invariants depend on removed values.
 */
#ifndef VARABS_ABSTRACT_PRUNE_H
#define VARABS_ABSTRACT_PRUNE_H

#include "abstract/abstract.h"

enum { PRUNE_MAX_TRIALS = 64, PRUNE_MAX_BUDGETS = 16 };

/* After the first folding of a must-abstraction. False after an error. */
bool prune_must(struct abstraction *abstraction, const struct abstract_options *options);

#endif
