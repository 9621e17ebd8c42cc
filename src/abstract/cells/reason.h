/* REASON - why an edge over cells is not exact, and the merge that would make it so (F11). */
#pragma once

#include "abstract/cells/outcomes.h"

/* Names the part of the edge that asks, with its line, and what it asks for. The outcome is not
 * exact. In the arena of the context. */
struct cell_reason outcome_reason(const struct touched_edge *touched,
                                  const struct cell_outcome *outcome);
