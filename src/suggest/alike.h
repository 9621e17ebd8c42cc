/* ALIKE - numbers that a model uses alike, as the cells of an array would be (P3).
 *
 * Two numbers are alike if what names them is the same where they change places: edges and
 * invariants in any order, updates of an edge in any order, and sums, products, conjunctions,
 * disjunctions and equations with their sides in any order. It is read off the text, and proves
 * nothing.
 *
 *     r1 == 2 -> r1 = 1      r2 == 2 -> r2 = 1      r1 + r2 == 4 -> r1 = 0, r2 = 0
 *
 * Lifetime: everything lives in the arena given.
 */
#pragma once

#include "suggest/cuts.h"

struct alike {
    VEC(const struct cut_variable *) list; /* two or more, in the order of declaration */
};

struct alike_sets {
    VEC(struct alike) list;
};

/* The sets of numbers that may be merged; no number is in two of them. */
void alike_find(struct alike_sets *sets, struct arena *arena, const struct network *network,
                const struct cut_list *cuts);
