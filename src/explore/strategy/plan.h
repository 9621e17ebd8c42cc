/* PLAN - a strategy as rules that people can read.
 *
 * It is made of what is chosen in the rows that the strategy reaches. Before a plan is shown it is
 * played (replay.h).
 *
 * Lifetime: in the arena of the states.
 */
#pragma once

#include "explore/strategy/ability.h"
#include "explore/strategy/plan_rules.h"

/* The strategy that ability_find found for a row; NULL if it is too large to be shown, or past a
 * limit. classes: by index of the agent. */
const struct strategy_plan *plan_make(struct ability *ability,
                                      const struct indistinguishable *classes, uint32_t row);
