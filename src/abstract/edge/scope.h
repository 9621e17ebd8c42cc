/* SCOPE - edges into and out of the scope of a removal (rule S1).
 *
 * Inside, the variable rests at its initial value. An edge that enters puts it there, behind its
 * update. An edge that leaves first gives it one of the values that it can have in the location,
 * the one that the guard was asked with, and then runs its update as it is.
 */
#ifndef VARABS_ABSTRACT_EDGE_SCOPE_H
#define VARABS_ABSTRACT_EDGE_SCOPE_H

#include "abstract/edge/open_edge.h"

/* An update of an edge out of a scope finds other values than the guard says they were. */
void store_scopes(struct context *context, struct open_edge *open, struct symbolic_store *store);
/* What an edge into or out of a scope does to the variable. */
void open_edge_scopes(struct context *context, struct open_edge *open);
/* Whether an edge does anything to a variable because it enters or leaves its scope. */
bool edge_crosses_scope(const struct request *request, const struct template *template,
                        const struct edge *edge);

#endif
