/* RECEIVED - what a receiver finds in shared variables, behind the updates before its own (A2). */
#ifndef VARABS_ABSTRACT_EDGE_RECEIVED_H
#define VARABS_ABSTRACT_EDGE_RECEIVED_H

#include "abstract/edge/open_edge.h"

/* What a shared variable holds when the update of a receiver starts, in terms of the source state:
 * itself, or what all possible senders write; NULL if that is not known, as for all other edges. */
const struct expr *received_value(const struct context *context, const struct open_edge *open,
                                  const struct expr *name);

#endif
