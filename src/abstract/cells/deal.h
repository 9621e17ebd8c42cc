/* DEAL - an edge that gives all cells new values at once, each by a select of its own (F12).
 *
 *     select o0 : who, o1 : who, ..    guard (o0 == 1) + (o1 == 1) + .. == H
 *     owner[0] = o0, owner[1] = o1, ..
 *
 * Such an edge does not ask what cells were, so each outcome is there whatever the merged values
 * are: exactly. Outcomes are found by going from cell to cell with the totals of the merges and of
 * the conditions; what exceeds a condition is cut off.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/group.h"

enum { DEAL_MAX_CONDITIONS = 8, DEAL_MAX_STATES = 1 << 16, DEAL_MAX_OUTCOMES = 1 << 12 };

struct cell_deal;

/* The deal that an edge is, all of whose selects feed one cell each; NULL if it is none. The group
 * is not refused. */
const struct cell_deal *deal_read(struct cell_group *group, const struct template *template,
                                  const struct edge *edge);
/* Whether a conjunct of the guard is one of its conditions. */
bool deal_asks(const struct cell_deal *deal, const struct expr *conjunct);
/* Adds the kinds that cells get. False, and the group is refused, if there are too many. */
bool deal_add_kinds(struct cell_group *group, const struct cell_deal *deal);
/* The different merged values that it can lead to, by fold; false if there are too many. The kinds
 * have their weights. */
struct deal_outcomes {
    VEC(int32_t *) list;
};
bool deal_outcomes_find(const struct cell_group *group, const struct cell_deal *deal,
                        struct deal_outcomes *outcomes);
