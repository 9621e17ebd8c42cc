#include "explore/strategy/plan.h"

struct planner {
    struct ability *ability;
    struct all_states *states;
    const struct game *game;
    struct picker picker;
    const struct indistinguishable *classes;
    struct indistinguishable everything; /* of who sees all */
    uint32_t *value;                     /* by variable, as far as it is known */
    uint32_t *base_rank;                 /* of goals of one step */
    uint32_t *rows, *starts, start_count;
    VEC(struct plan_choice) choices;
    uint32_t *seen; /* by variable, or by row: choice plus one */
    bool is_too_large;
};

static const struct views *views_of(const struct planner *planner) {
    return planner->ability->is_perfect ? NULL : planner->ability->views;
}

/* What is chosen */

static struct aim aim_of(const struct planner *planner, uint32_t row) {
    if (planner->ability->goal.is_next) return (struct aim){planner->base_rank, 1};
    return aim_at(&planner->ability->goal, planner->ability->enforced.rank, row);
}

/* Asks for the choices at a row, and where the lower bound has them, of its component. */
static void pick_rows(struct planner *planner, uint32_t row) {
    const struct views *views = views_of(planner);
    struct aim aim = aim_of(planner, row);
    uint32_t count = 0;
    if (!views || planner->ability->goal.is_next) {
        bool is_alone = !views;
        pick_for(&planner->picker, &aim, is_alone ? &row : planner->starts,
                 is_alone ? 1 : planner->start_count);
    } else {
        uint32_t component = views->component.of_row[row];
        for (uint64_t i = views->members.first[component]; i < views->members.first[component + 1];
             i++)
            if (!in_base(&planner->ability->goal, views->members.targets[i]))
                planner->rows[count++] = views->members.targets[i];
        sort_by_state(planner->states->search, planner->rows, count);
        pick_for(&planner->picker, &aim, planner->rows, count);
    }
    for (uint32_t i = 0; views && i < planner->picker.locals.count; i++)
        planner->value[planner->picker.locals.items[i].key] = picked_value(&planner->picker, i);
}

/* The move of a decider that can do something at a row. */
static uint32_t move_at(struct planner *planner, uint32_t decider, uint32_t row) {
    const struct views *views = views_of(planner);
    uint32_t move = NO_MOVE;
    if (!views) {
        picked_at(&planner->picker, decider, row, &move);
        return move;
    }
    uint32_t variable = variable_at(views, decider, row);
    if (planner->value[variable] == NO_VALUE && value_count(views, variable) == 1)
        planner->value[variable] = views->values.targets[views->values.first[variable]];
    if (planner->value[variable] == NO_VALUE) pick_rows(planner, row);
    return planner->value[variable];
}

static void add_choice(struct planner *planner, uint32_t decider, uint32_t row) {
    const struct views *views = views_of(planner);
    uint32_t move = move_at(planner, decider, row);
    if (views) {
        uint32_t *seen = &planner->seen[variable_at(views, decider, row)];
        if (*seen) return;
        *seen = 1;
    }
    if (planner->choices.count >= PLAN_MAX_CHOICES) planner->is_too_large = true;
    if (planner->is_too_large) return;
    VEC_PUSH(planner->states->arena, &planner->choices,
             (struct plan_choice){.decider = decider, .row = row, .move = move});
}

static bool happens(struct planner *planner, uint32_t row, uint64_t step) {
    uint32_t count;
    const struct condition *label = game_label(planner->game, step, &count);
    struct chance chance = chance_of_step(planner->game, step);
    const struct views *views = views_of(planner);
    for (uint32_t i = 0; i < count && chance.happens; i++) {
        uint32_t move = move_at(planner, label[i].decider, row);
        bool is_certain =
            views && is_certain_value(views, variable_at(views, label[i].decider, row), move);
        chance_narrow(&chance, planner->game, row, &label[i], move, is_certain);
    }
    return chance.happens;
}

/* The choices at a row, and the rows that they lead to. */
static void visit(struct planner *planner, uint32_t row, uint64_t *is_reached, uint32_t *queue,
                  uint32_t *count) {
    const struct game *game = planner->game;
    uint32_t items;
    const struct condition *offer = game_offer(game, row, &items);
    if (!views_of(planner)) pick_rows(planner, row);
    for (uint32_t i = 0; i < items; i++)
        if (!i || offer[i].decider != offer[i - 1].decider)
            add_choice(planner, offer[i].decider, row);
    for (uint64_t i = game->rows.first[row]; i < game->rows.first[row + 1]; i++) {
        uint32_t target = game->rows.targets[i];
        if (planner->ability->goal.is_next || bit_get(is_reached, target)) continue;
        if (!happens(planner, row, i)) continue;
        bit_set(is_reached, target);
        queue[(*count)++] = target;
    }
}

static void collect(struct planner *planner, uint32_t *queue, uint64_t *is_reached) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < planner->start_count; i++) {
        bit_set(is_reached, planner->starts[i]);
        queue[count++] = planner->starts[i];
    }
    for (uint32_t i = 0; i < count && !planner->is_too_large && states_go_on(planner->states);
         i++) {
        bool is_end = !planner->ability->goal.is_next && in_base(&planner->ability->goal, queue[i]);
        if (!is_end) visit(planner, queue[i], is_reached, queue, &count);
        planner->is_too_large |= count > PLAN_MAX_ROWS;
    }
}

/* Rules */

static const struct indistinguishable *sight_of(const struct planner *planner, uint32_t decider) {
    uint32_t player = planner->game->deciders.items[decider].player;
    if (!views_of(planner)) return &planner->everything;
    return &planner->classes[planner->game->coalition->players.items[player].agent->index];
}

/* What the player observes where it chooses. */
static void see_values(struct planner *planner, const struct indistinguishable *sight,
                       struct plan_choice *choice) {
    uint32_t items = sight->agent->items.count;
    choice->values = ARENA_ARRAY(planner->states->arena, int32_t, items + 1);
    states_load(planner->states, choice->row);
    for (uint32_t k = 0; k < items; k++)
        choice->values[k] = indistinguishable_value(sight, planner->states, k);
}

static const struct strategy_plan *make(struct planner *planner) {
    struct arena *arena = planner->states->arena;
    struct strategy_plan *plan = ARENA_NEW(arena, struct strategy_plan);
    uint32_t deciders = planner->game->deciders.count;
    *plan = (struct strategy_plan){.coalition = planner->game->coalition,
                                   .program = planner->states->search->program,
                                   .is_perfect = !views_of(planner),
                                   .everything = planner->everything};
    plan->parts = ARENA_ARRAY(arena, struct plan_part, deciders + 1);
    for (uint32_t i = 0; i < deciders; i++) {
        const struct game_decider *who = &planner->game->deciders.items[i];
        const struct indistinguishable *sight = sight_of(planner, i);
        if (sight->agent->items.count > PLAN_MAX_ITEMS) return NULL;
        for (uint32_t k = 0; k < planner->choices.count; k++)
            if (planner->choices.items[k].decider == i)
                see_values(planner, sight, &planner->choices.items[k]);
        struct plan_part part = {.player = &planner->game->coalition->players.items[who->player],
                                 .decider = i,
                                 .channel = who->channel};
        plan_add_part(plan, arena, &part, sight->agent, planner->choices.items,
                      planner->choices.count);
    }
    return plan;
}

static void know_values(struct planner *planner) {
    const struct ability *ability = planner->ability;
    const struct views *views = views_of(planner);
    for (uint32_t i = 0; views && i < views->variable_count; i++)
        planner->value[i] = ability->value ? ability->value[i] : NO_VALUE;
    for (uint32_t row = 0; row < planner->states->row_count; row++)
        planner->base_rank[row] = in_base(&ability->goal, row) ? 0 : NO_RANK;
}

const struct strategy_plan *plan_make(struct ability *ability,
                                      const struct indistinguishable *classes, uint32_t row) {
    struct all_states *states = ability->game->states;
    struct planner planner = {.ability = ability, .states = states, .game = ability->game};
    uint32_t rows = states->row_count, *queue = states_take(states, rows, sizeof *queue);
    const struct views *views = views_of(&planner);
    uint32_t variables = views ? views->variable_count : 0;
    uint64_t *is_reached = states_take(states, rows / 64 + 1, sizeof *is_reached);
    const struct strategy_plan *plan = NULL;
    planner.classes = classes;
    planner.value = states_take(states, variables, sizeof(uint32_t));
    planner.seen = states_take(states, variables, sizeof(uint32_t));
    planner.base_rank = states_take(states, rows, sizeof(uint32_t));
    planner.rows = states_take(states, rows, sizeof(uint32_t));
    planner.starts = states_take(states, rows, sizeof(uint32_t));
    if (states->ledger.limit == LIMIT_NONE && picker_open(&planner.picker, ability->game, views)) {
        planner.start_count = ability_starts(ability, row, planner.starts);
        know_values(&planner);
        planner.everything.agent = plan_sees_all(states->arena, states->search->network);
        collect(&planner, queue, is_reached);
        if (!planner.is_too_large && states_go_on(states)) plan = make(&planner);
    }
    picker_close(&planner.picker);
    STATES_GIVE(states, queue, is_reached, planner.value, planner.seen, planner.base_rank,
                planner.rows, planner.starts);
    return plan;
}
