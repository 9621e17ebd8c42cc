/* PLAN RULES - the rules of a plan, from the choices that it is to make.
 *
 * For each decider there is a list of rules; the first one counts whose conditions hold in what the
 * player observes, or with perfect information in the state. Conditions that make no difference
 * for what is reached are left out.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "explore/states/indistinguishable.h"
#include "explore/strategy/coalition.h"

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
    const char *receives;      /* name of the channel, or NULL */
    uint32_t choice_count;     /* information sets, or states, that are reached */
    struct plan_rule *rules;
    uint32_t rule_count;
};

struct strategy_plan {
    const struct coalition *coalition;
    const struct program *program; /* that it was found with, which may be gone */
    bool is_perfect;
    struct indistinguishable everything; /* what is observed with perfect information */
    struct plan_part *parts;
    uint32_t part_count;
};

/* What a decider does at a row, which stands for all that are the same. */
struct plan_choice {
    uint32_t decider, row, move;
    int32_t *values; /* by item: what is observed there */
    bool is_covered; /* by a rule */
};

/* Adds the rules of one decider, if it has a choice: part says which it is. sees: whose items its
 * choices have values of. */
void plan_add_part(struct strategy_plan *plan, struct arena *arena, const struct plan_part *part,
                   const struct agent *sees, struct plan_choice *choices, uint32_t count);

/* Who sees everything: locations and variables. */
const struct agent *plan_sees_all(struct arena *arena, const struct network *network);
