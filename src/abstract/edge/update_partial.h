/* UPDATE_PARTIAL - updates of variables of which only some cells are removed: the variable stays
 * declared, and its removed cells hold their initial value in every state. */
#ifndef VARABS_ABSTRACT_EDGE_UPDATE_PARTIAL_H
#define VARABS_ABSTRACT_EDGE_UPDATE_PARTIAL_H

#include "abstract/edge/open_edge.h"

/* Removed cells that one update may have to set. */
enum { UPDATE_MAX_CELLS = 16 };

/* Sets the removed cells that the update may look at before its items, and resets them behind
 * them. is_function: the update has become one. False (reported) where that cannot be done. */
bool update_frame_partial(struct context *context, const struct removal *removal,
                          struct open_edge *open, bool is_within_step, bool is_function);
/* Whether the update of the edge involves a variable. */
bool update_involves(const struct context *context, const struct open_edge *open,
                     const struct symbol *symbol);

#endif
