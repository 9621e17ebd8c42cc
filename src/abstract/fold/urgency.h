/* URGENCY - time that an abstraction of a model with clocks would stop, or let pass (T3.5).
 *
 * While a synchronisation on an urgent channel is possible, time stands still. So a guard there
 * that is weaker than in the original stops time that passes in the original, and a stronger one
 * lets time pass that stands still. Where folds of such edges are not exact, the channels of a
 * may-abstraction are not urgent any more, and the locations of these edges are urgent in a
 * must-abstraction. A condition that a step does not fail is a stronger guard, too, if the original
 * has errors (X7). Without clocks, time makes no difference to states; what it means for liveness,
 * stuck.h says.
 */
#pragma once

#include "abstract/fold/model.h"

/* After all folds. Adds the reasons why it is not exact; they are others' already. False if that is
 * not supported, which is said. */
bool urgency_settle(struct abstraction *abstraction);
