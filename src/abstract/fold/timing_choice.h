/* TIMING CHOICE - edges of a must-abstraction with the conditions on clocks of several edges
 * (T3.3).
 *
 * An edge has to be there for all values that removed variables can have. Where different values
 * give different conditions on clocks, an edge that asks for all of them is there for all values:
 *
 *     P.A -> P.B with x >= v && x < v + 4, for v in {2, 5}:   x >= 5 && x < 6
 *
 * If edges do the same and some value allows several of them, each choice of one for each value
 * gives such an edge. So the sets of conditions are enumerated; a choice uses those of one set.
 */
#pragma once

#include "abstract/fold/residual.h"

/* After the guards of classes are folded. Adds classes. */
void fold_timing_choices(struct folder *folder);
