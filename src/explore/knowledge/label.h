/* LABEL - the rows in which each part of a formula holds.
 *
 * Where the search for a strategy is given up it is not known whether a part holds; then sets and
 * possible differ, and so do those of what it is part of. In a mixed model the sets say where a
 * part holds for certain in the original, and where it may hold (MX2, MX3; in_mixed.h).
 *
 * Lifetime: memory of the ledger, given back by labels_close.
 */
#pragma once

#include "explore/knowledge/labelling.h"

/* Compiles, then computes all sets; limit and fault of the states say what went wrong. shared:
 * steps for the games of all coalitions, or NULL: each game has its own. */
void labels_make(struct labelling *labels, struct all_states *states,
                 const struct formulas *formulas, struct known_steps *shared);
void labels_close(struct labelling *labels);
