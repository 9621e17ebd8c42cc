/* OPEN - makes the open edge of an edge, or the same of an invariant. */
#pragma once

#include "abstract/edge/open_edge.h"

/* The open edge of an edge; false (reported) if it cannot be abstracted. */
bool open_edge_make(struct context *context, const struct template *template, uint32_t index,
                    struct open_edge *open);
/* The open edge of a location's invariant; never fails, but may weaken to true. */
void open_invariant_make(struct context *context, const struct template *template,
                         uint32_t location, struct open_edge *open);
