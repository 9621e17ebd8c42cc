/* PLAY PLAN - plays a strategy that was found on a mixed abstraction in the original, by its rules
 * alone (ST10).
 *
 * Rules look at the visible part of a state, as the abstract agent observes it. A player takes the
 * move of the original that the rule's was made of; where that is not possible it waits, or takes
 * any, as the abstract strategy has it (ST7). Only states that the strategy leads to are looked at.
 * Where what the strategy means there is not known (which of several edges; whether its move is
 * possible where it looks the same to the player), everything is taken to happen, so that it is not
 * said to do what it does not; if it does not then, that proves nothing.
 *
 * Lifetime: in the arena given; the plan with its search, and visible, are borrowed.
 * Errors:   limits, and what cannot be played, leave the outcome unknown.
 */
#pragma once

#include "explore/compare/concretize.h"

enum plan_outcome {
    PLAN_UNKNOWN,
    PLAN_WINS, /* in the original, too */
    PLAN_FAILS /* it does not, although the abstraction is sure of it: that is a bug */
};

struct plan_played {
    enum plan_outcome outcome;
    const char *reason; /* PLAN_UNKNOWN: why; or */
    enum search_limit limit;
    uint64_t states; /* of the original that were looked at */
};

/* search: of the abstraction, which the plan was found in; query: the same for the original. */
void play_plan(struct plan_played *played, const struct strategy_plan *plan, struct search *search,
               const struct visible *visible, const struct query *query,
               const struct concretize_options *options, struct arena *arena);
