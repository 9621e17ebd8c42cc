/* OPEN - makes the open edge of an edge, or the same of an invariant. */
#ifndef VARABS_ABSTRACT_EDGE_OPEN_H
#define VARABS_ABSTRACT_EDGE_OPEN_H

#include "abstract/edge/open_edge.h"

/* The form of an edge; false (reported) if it cannot be abstracted. */
bool form_of_edge(struct form_context *context, const struct template *template, uint32_t index,
                  struct form *form);
/* The form of a location's invariant; never fails, but may weaken to true. */
void form_of_invariant(struct form_context *context, const struct template *template,
                       uint32_t location, struct form *form);

#endif
