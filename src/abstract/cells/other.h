/* OTHER - merges beside those of a group, on edges that touch its cells (F14).
 *
 *     card_a == 0 && owner[c] == 1, owner[c] = 0, card_a = c + 1
 *     colour_a = card_a == 0 ? 0 : card_a <= N ? 1 : 2            its guard is colour_a == 0
 */
#pragma once

#include "abstract/cells/group.h"

/* A condition in the guard of an edge, about a variable of one cell, in terms of a merge that is in
 * no group; NULL if no merge says it for all values of the type. */
const struct expr *other_says(const struct cell_group *group, const struct template *template,
                              const struct edge *edge, const struct expr *condition);

/* Assignments after the update of an edge that set back variables whose scope it enters, or moves
 * in to where they rest at another value (S4, S7). scopes_cross says why scopes ask more of the
 * edge (S6); NULL: they do not. */
struct rest_list {
    VEC(const struct expr *) list;
};
const char *scopes_cross(const struct cell_group *group, const struct template *template,
                         const struct edge *edge, struct rest_list *rests);
