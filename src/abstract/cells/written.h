/* WRITTEN - what visible items of an edge that touches cells write, and when they do not fail. */
#pragma once

#include "abstract/cells/touched.h"

/* What an update reads of visible variables must be as it was when the guard was read. */
bool update_reads_what_it_wrote(const struct touched_edge *touched);
/* When no visible item of an update fails, as far as that can be said (F2). items: by item, with
 * what is known of cells put in. */
const struct expr *items_hold(const struct touched_edge *touched, const struct expr *const *items);
