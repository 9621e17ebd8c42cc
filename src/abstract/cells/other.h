/* OTHER - merges beside those of a group, on edges that touch its cells (F14).
 *
 *     card_a == 0 && owner[c] == 1, owner[c] = 0, card_a = c + 1
 *     colour_a = card_a == 0 ? 0 : card_a <= N ? 1 : 2            its guard is colour_a == 0
 */
#pragma once

#include "abstract/cells/group.h"

/* A condition in the guard of an edge about a variable of one cell that a merge of no group follows, in
 * terms of that; NULL if there is none that says it for all values of the type. */
const struct expr *other_says(const struct cell_group *group, const struct template *template,
                              const struct edge *edge, const struct expr *condition);

/* Assignments that set back variables into whose scope an edge leads, or to another rest in it, behind its
 * update (S4, S7). Why they are not all that scopes ask of the edge (S6); NULL if they are. */
struct rest_list {
    VEC(const struct expr *) list;
};
const char *scopes_cross(const struct cell_group *group, const struct template *template,
                         const struct edge *edge, struct rest_list *rests);
