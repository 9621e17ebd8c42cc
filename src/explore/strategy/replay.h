/* REPLAY - plays a plan by its rules alone, and looks whether it does what it is for. */
#pragma once

#include "explore/strategy/plan.h"

/* Whether all runs from a row on reach the goal, or keep to it; from all rows that count with it,
 * if that is subjective. classes: by index of the agent. False past a limit, too. */
bool replay_wins(const struct strategy_plan *plan, const struct ability *ability,
                 const struct indistinguishable *classes, uint32_t row);
