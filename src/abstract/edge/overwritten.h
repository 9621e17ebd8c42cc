/* OVERWRITTEN - assignments of an update whose variables are set again before anything reads them
 * (M10).
 *
 *     x = 1 - x, y = 2    and after it    x = 0        becomes        y = 2, x = 0
 *
 * Nothing reads what the first one wrote. So it is left out, where it never fails in the original
 * and does nothing else: the steps that remain lead to the same states.
 */
#pragma once

#include "abstract/edge/open_edge.h"

/* Whether what comes after an update gives a place another value whatever it holds; under. */
typedef bool (*sets_place)(const void *user, const struct expr *place);

/* Takes such items from those of an open edge, of which the first ones never fail for sure. What
 * comes after reads nothing that it sets. */
void overwritten_drop(struct context *context, struct open_edge *open, uint32_t sure,
                      sets_place sets, const void *user);
/* Finds such items of the update of an edge as it is written: by item, whether it is left out. */
const bool *overwritten_find(struct arena *arena, const struct analysis *analysis,
                             const struct template *template, const struct edge *edge,
                             sets_place sets, const void *user);
