/* PLAN - which merges are folded by cells, and what becomes of the edges that touch them (F6 to
 * F11).
 *
 * A group is taken as a whole, or left to the fold by values (S2), which enumerates tuples: then
 * the plan knows why. Where a plan is made, edges of its groups do not go through open edges and
 * residuals; they change merged values by what they do to single cells.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/outcomes.h"

struct cells_plan;

/* NULL if no merge is folded by cells, and there is none of which it is said why not. The context
 * has its request; its analysis is not used. */
const struct cells_plan *cells_plan_make(struct context *context);

/* Whether the plan folds some ghost. */
bool cells_plan_is_used(const struct cells_plan *plan);
/* Whether the plan folds the ghost; a plan may be NULL. */
bool cells_plan_follows(const struct cells_plan *plan, const struct ghost *ghost);
/* Why the plan does not fold the ghost, as a text; NULL if it does, or there is nothing to say. */
const char *cells_plan_why_not(const struct cells_plan *plan, const struct ghost *ghost);
/* The edge as the plan knows it; NULL if it touches no cells. */
const struct touched_edge *cells_plan_edge(const struct cells_plan *plan,
                                           const struct template *template, uint32_t index);
void cells_plan_outcomes(const struct cells_plan *plan, const struct touched_edge *touched,
                         struct outcome_list *outcomes);

/* What becomes of the update in an outcome: visible items, and then the merged values. */
struct cells_items {
    struct item *items;
    uint32_t count;
};
struct cells_items cells_plan_items(const struct touched_edge *touched,
                                    const struct cell_outcome *outcome);
/* The guard of an outcome: what is visible, then the test of merged values (must: by the
 * must-test). for_errors: with conditions of visible assignments, where they can be said (F2). */
const struct expr *cells_plan_guard(const struct touched_edge *touched,
                                    const struct cell_outcome *outcome, bool is_must,
                                    bool for_errors);

/* A sum, forall or exists over merged cells in terms of the merged variables; NULL if these do not
 * say it, or the plan is NULL. It holds in all states, or within the scope of the variable
 * `scoped`, if that is not NULL. */
const struct expr *cells_plan_says(const struct cells_plan *plan, const struct expr *expr,
                                   const struct removal *scoped);

/* When one of some edges of a location, by index, is enabled and does not fail, whatever cells are
 * (sure.h); false if nothing is known. Edges that touch no cells do not count. */
const struct expr *cells_plan_sure(const struct cells_plan *plan, const struct template *template,
                                   const uint32_t *edges, uint32_t count);
