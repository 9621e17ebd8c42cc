/* ABLE BY SETS - the states in which a coalition has a strategy for a goal, as ability.h finds
 * rows.
 *
 * With perfect information that is a fixpoint of what can be forced in one step. With imperfect
 * information the fixpoint that chooses state by state is an upper bound (ST6). A lower bound is
 * what one uniform strategy does: it is chosen class by class so that it stays where the upper
 * bound has it and leads on where that was first found, and is then played (ST9). What lies between
 * the bounds is open.
 *
 * Lifetime: sets that are found are not held; those of the goal must be.
 * Errors:   false where a set or a game is too complex. Past a limit of the diagram the results
 *           mean nothing.
 */
#pragma once

#include "explore/knowledge/game_by_sets.h"

/* As struct goal: base and stay. */
struct set_goal {
    bool is_next, is_least;
    uint32_t base, stay;
};

struct set_ability {
    uint32_t sure, possible;
    /* How, for plan_by_sets.h; held */
    uint32_t able;        /* by the state alone */
    VEC(uint32_t) layers; /* of a goal that is reached: by which able grows from the base */
};

bool able_by_sets(struct set_game *game, const struct set_goal *goal, struct set_ability *ability);
