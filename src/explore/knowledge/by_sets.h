/* BY SETS - a formula decided by sets of states, for the symbolic engine.
 *
 * Each part becomes the set of reachable states in which it holds, as in knowledge.h; what an agent
 * knows is found by leaving out of the states what it does not observe (sight.h). What coalitions
 * can bring about is found as able_by_sets.h says.
 *
 * Lifetime: in the arena given; sets are held by the diagram during a decision alone, but for the
 *           witness, which stays held, and where there may be a pair, for which they all do.
 * Errors:   what cannot be asked is in the result; false where a part is too complex for sets, or
 *           is_left_open. Past a limit of the diagram the result means nothing.
 */
#pragma once

#include "explore/knowledge/knowledge.h"
#include "explore/symbolic/decide.h"

struct set_formula;

/* Compiles the parts; before any machine of the program is made. */
struct set_formula *set_formula_new(struct arena *arena, struct search *search,
                                    const struct expr *expr);
/* Gives instances numbers, by index, that have none yet: of each move of its coalitions one.
 * Whether there are some. */
bool set_formula_tell(const struct set_formula *formula, uint32_t *told, uint32_t count);
/* known: outcome, agents, and problem. witness: of A[] that fails or E<> that holds, from outside,
 * the states where; else LDD_NONE. */
bool set_formula_decide(struct set_formula *formula, struct decider *decider,
                        struct decided_formula *known, uint32_t *witness);
