/* COUNTS - how many cells of each kind there are, said by the merged values (F8).
 *
 * An atom is a class of kinds of one zone with equal weights in all folds. If all folds are sums,
 * the counts of atoms solve linear equations: for each fold, and for the size of each zone.
 *
 *     s == number of 2s, t == number of 1s, n cells:      count(2) = s, count(1) = t,
 *                                                         count(0) = n - s - t
 *
 * Where they have one solution, questions about cells are inequalities over s and t, and cost
 * nothing that depends on n.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/group.h"

/* (constant + sum of weights[g] * merged value g) / divisor */
struct count_form {
    int64_t weights[CELLS_MAX_FOLDS], constant, divisor;
};

struct counts {
    const struct cell_group *group;
    uint32_t atom_count[CELLS_MAX_ZONES];
    uint32_t atom_of[CELLS_MAX_ZONES][CELLS_MAX_KINDS];
    struct count_form forms[CELLS_MAX_ZONES][CELLS_MAX_KINDS]; /* by atom */
};

/* NULL if some fold is no sum, or the merged values do not determine all counts. */
const struct counts *counts_solve(const struct cell_group *group);

/* At least so many cells of the zone are of the atoms that are in; NULL = always. */
const struct expr *counts_at_least(const struct counts *counts, uint32_t zone, const bool *is_in,
                                   uint32_t least);
/* No cell of the zone is of the atoms that are in; NULL = always. */
const struct expr *counts_none(const struct counts *counts, uint32_t zone, const bool *is_in);

/* Adds a weight for each cell of an atom of the zone, by atom. False if it cannot be said without a
 * division, or is too large. */
bool counts_weigh(const struct counts *counts, uint32_t zone, const int32_t *weights,
                  struct count_form *form);
/* The value of a form without a divisor; NULL if a part of it might leave 32 bits. */
const struct expr *counts_value(const struct counts *counts, const struct count_form *form);
