/* TOTALS - all totals that the folds of a group can have, with what cells there are then (F9).
 *
 * For folds that are no sums, or whose values do not determine how many cells of each kind there
 * are. A state is a total for each fold, and for each kind of each zone how many cells have it, up
 * to a cap: an edge that touches d cells asks for no more than d of a kind, and a fold that is no
 * sum for one more that is left. States come from adding one cell after the other.
 *
 *     m = exists(i) c[i] == 2      two cells of 0..2, cap 2:   m = 0 with {0 twice}, {0 and 1}, ..
 *                                                              m = 1 with {2 twice}, {1 and 2}, ..
 *
 * Invariants: over: each tuple of cells is of some state, cells beside each other in any order.
 * Lifetime:   in the arena of the context.
 */
#pragma once

#include "abstract/cells/group.h"

enum { TOTALS_MAX_STATES = 1 << 16, TOTALS_MAX_WORK = 1 << 25 };

struct totals {
    const struct cell_group *group;
    uint32_t cap, width;
    uint32_t first_kind[CELLS_MAX_ZONES]; /* column of the first kind of a zone */
    VEC(int32_t *) states;                /* folds, then kinds by zone */
    VEC(int32_t *) values;                /* different totals, by fold */
    uint32_t *value_of;                   /* by state */
};

/* NULL if there are too many. */
const struct totals *totals_find(const struct cell_group *group, uint32_t cap);
/* The total of one fold over the kinds that a state has, where each counts once (not of sums). */
int32_t totals_of_kinds(const struct totals *totals, uint32_t fold, const int32_t *state);
/* Test that the merged values are among those that are in, by value; NULL = always. */
const struct expr *totals_test(const struct totals *totals, const bool *is_in);
