/* QUANTIFIED - conditions on all cells, said of the merged values (F13).
 *
 * forall(i) P(c[i]) holds if there is no cell of a kind that is not P; exists, if there is one that
 * is. A sum is what each kind adds, times the number of its cells: of sum(i) c[i] < x becomes
 * s + 2 * t < x.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/counts.h"
#include "abstract/cells/totals.h"
#include "abstract/cells/touched.h"

struct quantified_test {
    const struct expr *may, *must; /* for some tuple, for every one; NULL = always */
    bool is_exact;                 /* they are the same; under */
};

/* A sum, forall or exists over cells in terms of the merged values, in all states; NULL if they do
 * not say it. */
const struct expr *quantified_says(const struct cell_group *group, const struct counts *counts,
                                   const struct expr *expr);

/* What a sum over cells is by the merged values; NULL if they do not say it. */
const struct expr *sum_by_counts(const struct cell_group *group, const struct counts *counts,
                                 const struct cell_quantifier *quantifier);

/* When all quantifiers of an edge hold, by counts. */
struct quantified_test quantified_by_counts(const struct touched_edge *touched,
                                            const struct counts *counts);
/* Whether all quantifiers of an edge hold of the kinds that a state has. */
bool quantified_holds(const struct touched_edge *touched, const struct totals *totals,
                      const int32_t *state);
