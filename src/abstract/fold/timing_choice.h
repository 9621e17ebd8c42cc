/* TIMING CHOICE - edges of a must-abstraction whose condition on clocks is that of several (T3.3).
 *
 * An edge has to be there for all values that removed variables can have. Where they give other
 * conditions on clocks, those of all values together are the condition of an edge that is:
 *
 *     P.A -> P.B with x >= v && x < v + 4, for v in {2, 5}:   x >= 5 && x < 6
 *
 * If edges do the same and some value allows several of them, each choice of one for each value
 * gives such an edge. So the sets of conditions are gone through; a choice uses those of one set.
 */
#pragma once

#include "abstract/fold/residual.h"

/* After the guards of classes are folded. Adds classes. */
void fold_timing_choices(struct folder *folder);
