#include "explore/strategy/plan_rules.h"

#include <string.h>

struct choices {
    struct plan_choice *items; /* those of one decider count */
    uint32_t count, decider;
    uint32_t item_count; /* that are observed */
};

static bool fits(const struct choices *choices, uint32_t at, uint32_t own, const uint8_t *is_kept) {
    const int32_t *values = choices->items[at].values, *of_own = choices->items[own].values;
    bool is_met = choices->items[at].decider == choices->decider;
    for (uint32_t k = 0; k < choices->item_count && is_met; k++)
        is_met = !is_kept[k] || values[k] == of_own[k];
    return is_met;
}

/* Whether a rule for one choice, with the conditions kept, says something else than another one
 * that no rule covers. */
static bool conflicts(const struct choices *choices, uint32_t own, const uint8_t *is_kept) {
    for (uint32_t i = 0; i < choices->count; i++)
        if (!choices->items[i].is_covered && choices->items[i].move != choices->items[own].move &&
            fits(choices, i, own, is_kept))
            return true;
    return false;
}

/* The rule for one choice: all that is observed, less what makes no difference; the location of the
 * player goes last. */
static struct plan_rule make_rule(struct choices *choices, struct arena *arena,
                                  const struct coalition *coalition, const struct agent *sees,
                                  uint32_t own) {
    uint32_t items = choices->item_count, move = choices->items[own].move;
    uint8_t *is_kept = ARENA_ARRAY(arena, uint8_t, items + 1);
    struct plan_condition *conditions = ARENA_ARRAY(arena, struct plan_condition, items + 1);
    struct plan_rule rule = {.conditions = conditions};
    memset(is_kept, 1, items);
    for (uint32_t k = items; k-- > 0;) {
        is_kept[k] = 0;
        is_kept[k] = conflicts(choices, own, is_kept);
    }
    for (uint32_t k = 0; k < items; k++)
        if (is_kept[k])
            conditions[rule.condition_count++] =
                (struct plan_condition){&sees->items.items[k], choices->items[own].values[k]};
    for (uint32_t i = 0; i < choices->count; i++)
        choices->items[i].is_covered |= fits(choices, i, own, is_kept);
    if (move != NO_MOVE) rule.move = &coalition->moves.items[move];
    return rule;
}

void plan_add_part(struct strategy_plan *plan, struct arena *arena, const struct plan_part *part,
                   const struct agent *sees, struct plan_choice *choices, uint32_t count) {
    struct choices all = {choices, count, part->decider, sees->items.count};
    struct plan_part *added = &plan->parts[plan->part_count];
    *added = *part;
    if (part->channel < ANY_CHANNEL && plan->program->channels[part->channel])
        added->receives = arena_printf(arena, "%s", plan->program->channels[part->channel]->name);
    added->rules = ARENA_ARRAY(arena, struct plan_rule, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (choices[i].decider != part->decider) continue;
        added->choice_count++;
        if (!choices[i].is_covered)
            added->rules[added->rule_count++] = make_rule(&all, arena, plan->coalition, sees, i);
    }
    plan->part_count += added->rule_count > 0;
}

const struct agent *plan_sees_all(struct arena *arena, const struct network *network) {
    struct agent *all = ARENA_NEW(arena, struct agent);
    *all = (struct agent){0};
    for (uint32_t i = 0; i < network->process_count; i++)
        VEC_PUSH(
            arena, &all->items,
            (struct observed_item){.kind = OBSERVED_LOCATION, .process = &network->processes[i]});
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (!network->slots[i].is_meta)
            VEC_PUSH(arena, &all->items, (struct observed_item){.kind = OBSERVED_SLOT, .slot = i});
    return all;
}
