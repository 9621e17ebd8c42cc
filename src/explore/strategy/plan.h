/* PLAN - a strategy as rules that people can read.
 *
 * For each decider there is a list of rules; the first one counts whose conditions hold in what the
 * player observes, or with perfect information in the state. Conditions that make no difference
 * for what is reached are left out. Before a plan is shown it is played (replay.h).
 *
 * Lifetime: in the arena of the states.
 */
#ifndef VARABS_EXPLORE_STRATEGY_PLAN_H
#define VARABS_EXPLORE_STRATEGY_PLAN_H

#include "explore/strategy/ability.h"

enum { PLAN_MAX_ROWS = 1 << 16, PLAN_MAX_CHOICES = 256, PLAN_MAX_ITEMS = 128 };

struct plan_condition {
    const struct observed_item *item;
    int32_t value;
};

struct plan_rule {
    const struct plan_condition *conditions;
    uint32_t condition_count;
    const struct move *move; /* NULL: wait */
};

/* The rules of one player for its own moves, or for what it receives on a channel. */
struct plan_part {
    const struct player *player;
    uint32_t decider, channel; /* NO_SLOT: own moves */
    uint32_t choice_count;     /* information sets, or states, that are reached */
    struct plan_rule *rules;
    uint32_t rule_count;
};

struct strategy_plan {
    const struct coalition *coalition;
    const struct program *program;
    bool is_perfect;
    struct indistinguishable everything; /* what is observed with perfect information */
    struct plan_part *parts;
    uint32_t part_count;
};

/* The strategy that ability_find found for a row; NULL if it is too large to be shown, or past a
 * limit. classes: by index of the agent. */
const struct strategy_plan *plan_make(struct ability *ability,
                                      const struct indistinguishable *classes, uint32_t row);

#endif
