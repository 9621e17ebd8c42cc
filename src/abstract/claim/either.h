/* EITHER - where a process has an internal step for all values of what was removed, though which
 * one depends on them (MX1).
 *
 *     guards of two edges    x == 0    x > 0        x is 0, 1 or 2
 *     mixed                  @may      @may         and one of them is there: both are @either
 *
 * So the state does not stay as it is, whichever of the edges it is; but no process can choose one
 * for that. What may fail is not counted on.
 */
#pragma once

#include "abstract/fold/model.h"

/* Marks such edges of a mixed abstraction. If an edge is one in some states only, it becomes two.
 */
void mark_either(struct abstraction *abstraction);
