/* PLAN BY SETS - a strategy as rules, as plan.h shows it, of which sets say what is chosen.
 *
 * The strategy is played state by state from where it has to do; what it chooses there becomes
 * rules, and these are played again before they are shown.
 *
 * Lifetime: the plan lives in the arena of the game. The sets of the game, the goal and the ability
 *           are held.
 */
#pragma once

#include "explore/knowledge/able_by_sets.h"
#include "explore/strategy/plan_rules.h"

/* NULL if it is too large to be shown, or past a limit. units: by index of the agent. */
const struct strategy_plan *plan_by_sets(struct set_game *game, const struct set_goal *goal,
                                         const struct set_ability *ability,
                                         const struct sight_units *units);
