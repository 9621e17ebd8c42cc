/* VIEWS - what players can choose where they cannot tell states apart.
 *
 * A variable is a decider with a class of states that are the same to its agent: a uniform strategy
 * gives it one value, for all of them. Its values are the moves that are possible in some state of
 * the class; NO_MOVE, which is to wait, only where the coalition may. A component is a least set of
 * states that no member of the coalition takes for another one: what is chosen in it does not
 * depend on what is chosen elsewhere.
 *
 * Lifetime: memory of the ledger, given back by views_close; the game and the classes are borrowed.
 */
#pragma once

#include "explore/states/indistinguishable.h"
#include "explore/strategy/game.h"

struct views {
    struct game *game;
    const struct indistinguishable **classes; /* by player */
    uint32_t *base;                           /* by decider: its first variable */
    uint32_t variable_count;
    struct row_steps values;            /* by variable: moves, in order */
    uint64_t *is_certain;               /* bits by value, of a mixed model: see below; or NULL */
    struct indistinguishable component; /* of rows */
    struct row_steps members;           /* by component: its rows */
};

/* classes: by index of the agent. False past a limit of the ledger. */
bool views_open(struct views *views, struct game *game, const struct indistinguishable *classes);
/* Finds which values of a mixed model can be chosen in the original wherever the player observes
 * this: the moves that are certain in a row that is real, if the agent has lost nothing, so that
 * the original agent takes it for all states that look like that row. */
bool views_find_certain(struct views *views, const uint64_t *is_real);
/* Whether a value of a variable can be chosen in the original wherever the player observes this.
 * Under. */
bool is_certain_value(const struct views *views, uint32_t variable, uint32_t move);
void views_close(struct views *views);

static inline uint32_t variable_at(const struct views *views, uint32_t decider, uint32_t row) {
    uint32_t player = views->game->deciders.items[decider].player;
    return views->base[decider] + views->classes[player]->of_row[row];
}
static inline uint32_t value_count(const struct views *views, uint32_t variable) {
    return rows_degree(&views->values, variable);
}
