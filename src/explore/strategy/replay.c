#include "explore/strategy/replay.h"

#include "explore/strategy/runs_left.h"
#include "lang/syntax/ast.h"

#include <assert.h>

struct replay {
    const struct strategy_plan *plan;
    const struct ability *ability;
    const struct indistinguishable *classes;
    struct all_states *states;
    const struct move **moves; /* by part: what the rules say in the state that was loaded */
    VEC(uint32_t) rows;        /* that are reached */
    uint32_t *number;          /* by row of the search: in rows, plus one */
    struct runs_left left;     /* its states are numbers in rows */
};

/* What the rules of a part say in the state that was loaded: the first one that fits. */
static const struct move *say(const struct replay *replay, const struct plan_part *part) {
    const struct indistinguishable *sight = replay->plan->is_perfect
                                                ? &replay->plan->everything
                                                : &replay->classes[part->player->agent->index];
    for (uint32_t i = 0; i < part->rule_count; i++) {
        const struct plan_rule *rule = &part->rules[i];
        bool fits = true;
        for (uint32_t k = 0; k < rule->condition_count && fits; k++) {
            const struct plan_condition *condition = &rule->conditions[k];
            uint32_t item = (uint32_t)(condition->item - sight->agent->items.items);
            fits = indistinguishable_value(sight, replay->states, item) == condition->value;
        }
        if (fits) return rule->move;
    }
    return NULL;
}

/* The part that decides about a move of a step; NULL if none does. */
static const struct plan_part *part_of(const struct replay *replay, const struct move *move,
                                       uint32_t channel) {
    const struct coalition *coalition = replay->plan->coalition;
    bool is_own = is_own_move(coalition, move);
    for (uint32_t i = 0; i < replay->plan->part_count; i++) {
        const struct plan_part *part = &replay->plan->parts[i];
        if (part->player == &coalition->players.items[move->player] &&
            part->channel == (is_own ? NO_SLOT : channel))
            return part;
    }
    return NULL;
}

static uint32_t channel_of(struct replay *replay, const struct edge_instance *instance) {
    if (instance->channel != ANY_CHANNEL) return instance->channel;
    if (states_run(replay->states, &instance->channel_code) != RUN_TRUE) return NO_SLOT;
    return (uint32_t)replay->states->machine.registers[0];
}

/* Whether the rules let a step of the state that was loaded happen, and whether it goes on. */
static struct chance chance_of(struct replay *replay, const struct step_record *record,
                               uint32_t row) {
    const struct coalition *coalition = replay->plan->coalition;
    const struct expander *expander = replay->states->expander;
    const struct game *game = replay->ability->game;
    struct chance chance = chance_of_strength(game_strength_of(game, record));
    for (uint32_t i = 0; i < record->part_count && chance.happens; i++) {
        uint32_t index = expander->parts.items[record->first_part + i];
        const struct edge_instance *instance = &expander->program->instances.items[index];
        if (coalition->move_of[index] == NO_MOVE) continue;
        const struct move *move = &coalition->moves.items[coalition->move_of[index]];
        const struct plan_part *part = part_of(replay, move, channel_of(replay, instance));
        const struct move *chosen = part ? replay->moves[part - replay->plan->parts] : move;
        if (chosen == move) continue;
        struct condition condition = {part->decider, (uint32_t)(move - coalition->moves.items), 0};
        uint32_t value = chosen ? (uint32_t)(chosen - coalition->moves.items) : NO_MOVE;
        bool is_certain =
            !replay->plan->is_perfect &&
            is_certain_value(replay->ability->views,
                             variable_at(replay->ability->views, part->decider, row), value);
        chance_narrow(&chance, game, row, &condition, value, is_certain);
    }
    return chance;
}

static uint32_t reach(struct replay *replay, uint32_t row) {
    const struct goal *goal = &replay->ability->goal;
    if (!replay->number[row]) {
        uint32_t is_base = in_base(goal, row) ? RUNS_BASE : 0;
        uint32_t may_stay = !goal->is_next && in_stay(goal, row) ? RUNS_STAY : 0;
        VEC_PUSH(replay->states->arena, &replay->rows, row);
        VEC_PUSH(replay->states->arena, &replay->left.flags, (uint8_t)(is_base | may_stay));
        replay->number[row] = replay->rows.count;
    }
    return replay->number[row] - 1;
}

static void add_target(struct replay *replay, uint32_t row) {
    uint32_t number = reach(replay, row);
    VEC_PUSH(replay->states->arena, &replay->left.targets, number);
}

/* The steps of a row under the rules. */
static bool play(struct replay *replay, uint32_t row) {
    struct all_states *states = replay->states;
    struct expander *expander = states->expander;
    const struct store *store = &states->search->store;
    states_load(states, row);
    for (uint32_t i = 0; i < replay->plan->part_count; i++)
        replay->moves[i] = say(replay, &replay->plan->parts[i]);
    bool goes_on = false;
    expander_clear(expander);
    if (!expander_run(expander, states->state)) return false;
    for (uint32_t i = expander->first; i < expander->count; i++) {
        const uint64_t *state = expander_state(expander, i);
        struct chance chance =
            chance_of(replay, &expander->records.items[i - expander->first], row);
        goes_on |= chance.goes_on;
        if (chance.happens) add_target(replay, store_find(store, state, store_hash(store, state)));
    }
    if (!goes_on) add_target(replay, row);
    return true;
}

/* All that is reached; of what is next, nothing goes on. */
static bool play_all(struct replay *replay) {
    const struct goal *goal = &replay->ability->goal;
    uint32_t starts = replay->rows.count;
    for (uint32_t i = 0; i < (goal->is_next ? starts : replay->rows.count); i++) {
        uint32_t row = replay->rows.items[i];
        bool is_end = !goal->is_next && in_base(goal, row);
        if (!states_go_on(replay->states) || i > PLAN_MAX_ROWS) return false;
        if (!is_end && !play(replay, row)) return false;
        VEC_PUSH(replay->states->arena, &replay->left.ends, replay->left.targets.count);
    }
    return true;
}

static bool go_on(void *states) { return states_go_on(states); }

bool replay_wins(const struct strategy_plan *plan, const struct ability *ability,
                 const struct indistinguishable *classes, uint32_t row) {
    struct all_states *states = ability->game->states;
    struct replay replay = {.plan = plan, .ability = ability, .classes = classes, .states = states};
    uint32_t *starts = states_take(states, states->row_count, sizeof *starts);
    bool has_won = false;
    replay.left.arena = states->arena;
    replay.moves = ARENA_ARRAY(states->arena, const struct move *, plan->part_count + 1);
    replay.number = states_take(states, states->row_count, sizeof(uint32_t));
    uint32_t count = replay.number ? ability_starts(ability, row, starts) : 0;
    for (uint32_t i = 0; i < count; i++) reach(&replay, starts[i]);
    states->expander->is_recording = true;
    if (count && play_all(&replay)) {
        const struct goal *goal = &ability->goal;
        has_won = runs_left_win(&replay.left, goal->is_next, goal->is_least, go_on, states);
        assert(has_won || states->ledger.limit != LIMIT_NONE); /* else the strategy is none */
    }
    states->expander->is_recording = false;
    STATES_GIVE(states, starts, replay.number);
    return has_won;
}
