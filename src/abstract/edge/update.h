/* UPDATE - the items of an update without removed variables. */
#pragma once

#include "abstract/edge/open_edge.h"

/* Sets the items of an open edge, what they need to be known of the source state, and the symbolic
 * store after them. False (reported) where that cannot be done. */
bool open_edge_update(struct context *context, struct open_edge *open);
