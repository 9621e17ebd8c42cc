/* UPDATE_FUNCTION - an update as a generated function in which removed variables are locals (M2).
 */
#pragma once

#include "abstract/edge/open_edge.h"

/* The whole update as one function. False (reported) where that cannot be done. */
bool update_as_function(struct context *context, struct open_edge *open);
