/* WHY BY SETS - for which other state an agent takes one, found as knowledge.c finds it.
 *
 * Of the states that are the same to the agent, all that differ in what it does not know are given;
 * which of them is the nearest is for the caller.
 *
 * Lifetime: the decision of the formula is the latest, and may have a pair.
 */
#pragma once

#include "explore/knowledge/by_sets.h"

/* In this state of the witness, or in the initial one where there is no witness. False if no agent
 * is to blame, or at a limit of the diagram. others: not held. */
bool set_formula_explain(const struct set_formula *formula, const uint64_t *words,
                         uint32_t *others);
/* Says which of the others it is, by its value. */
void set_formula_choose(const struct set_formula *formula, const uint64_t *words);
