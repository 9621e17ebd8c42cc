/* PRUNE - a must-abstraction with more steps (U1).
 *
 * A step is lost because it is not there for all values that removed variables can have. Some of
 * them they can have only by steps that are lost as well. So the model is restricted to what is
 * kept in any case (restrict.h), where the value sets are smaller and other steps may stay.
 *
 * What it is restricted to matters:
 * - to what is kept when one variable after the other is removed. That makes removing several at
 *   once as precise as a chain of single runs;
 * - without what reads one removed variable, then without all that is lost but the edges that leave
 *   one location, then but one edge. This is done where then strictly more is kept.
 */
#ifndef VARABS_ABSTRACT_PRUNE_H
#define VARABS_ABSTRACT_PRUNE_H

#include "abstract/abstract.h"

enum { PRUNE_MAX_TRIALS = 64, PRUNE_MAX_BUDGETS = 16, PRUNE_MAX_PARTS = 32 };

/* After the first folding of a must-abstraction. False after an error. */
bool prune_must(struct abstraction *abstraction, const struct abstract_options *options);

#endif
