#include "explore/knowledge/plan_by_sets.h"

#include "explore/graph/lists.h"
#include "lang/syntax/ast.h"

#include <assert.h>
#include <string.h>

#define NO_LAYER UINT32_MAX
enum { MAX_TRIES = 1 << 12 /* profiles in one state */ };

/* A step of the state that is looked at. */
struct planned_step {
    uint32_t label;
    uint32_t target; /* number of the state */
    bool is_in_aim;
};

struct set_planner {
    struct set_game *game;
    const struct set_goal *goal;
    const struct set_ability *ability;
    const struct sight_units *units;
    const struct agent *sees_all;
    struct strategy_plan *plan; /* that is played; NULL: the sets say what is chosen */
    struct ledger ledger;
    struct lists states; /* that are reached, from number 1 on */
    struct lists views;  /* a decider with what its player observes */
    VEC(uint32_t) targets;
    VEC(uint32_t) ends; /* by state: after its targets */
    VEC(struct plan_choice) choices;
    VEC(struct planned_step) steps;
    uint64_t *words;
    int32_t *values;           /* room for a decider, and what its player observes */
    int64_t *chosen, *effects; /* by decider: what is chosen, and what that comes to here */
    bool *is_offered;          /* by decider: whether it has options */
    uint32_t tries;
    bool is_too_large;
};

static struct reach *reach_of(const struct set_planner *planner) {
    return planner->game->decider->reach;
}

static struct arena *arena_of(const struct set_planner *planner) { return planner->game->arena; }

/* Sets, of which a state is a member or not */

static void make_vector(const struct set_planner *planner, const uint64_t *words) {
    struct reach *reach = reach_of(planner);
    struct level_state point = {(uint64_t *)words, count_committed(reach->program, words)};
    levels_vector(&reach->levels, &point, reach->tuple);
}

/* Of the state whose vector was made last. */
static bool is_in(const struct set_planner *planner, uint32_t set) {
    struct reach *reach = reach_of(planner);
    return set_has(&reach->ldd, set, reach->tuple, reach->levels.count);
}

/* Layers are numbered from 1 on, after the base. */
static uint32_t layer_of(const struct set_planner *planner) {
    if (is_in(planner, planner->goal->base)) return 0;
    for (uint32_t i = 0; i < planner->ability->layers.count; i++)
        if (is_in(planner, planner->ability->layers.items[i])) return i + 1;
    return NO_LAYER;
}

/* Whether it is one that a state of a layer has to lead to. */
static bool is_in_aim(const struct set_planner *planner, uint32_t layer) {
    if (planner->goal->is_next) return is_in(planner, planner->goal->base);
    if (planner->goal->is_least) return layer_of(planner) < layer;
    return is_in(planner, planner->ability->able);
}

/* What is observed */

static const struct agent *agent_of(const struct set_planner *planner, uint32_t decider) {
    const struct set_game *game = planner->game;
    if (game->sees_all) return planner->sees_all;
    return game->coalition->players.items[game->deciders.items[decider].player].agent;
}

static int32_t value_of(const struct set_planner *planner, const struct agent *agent,
                        uint32_t index) {
    struct reach *reach = reach_of(planner);
    struct machine *machine = &reach->expander.machine;
    const struct layout *layout = reach->program->layout;
    const struct observed_item *item = &agent->items.items[index];
    const uint64_t *words = planner->words;
    bool is_guard = item->kind == OBSERVED_GUARD;
    if (item->kind == OBSERVED_LOCATION || is_guard) {
        const struct packed *field = &layout->fields[layout_location(layout, item->process->index)];
        int32_t location = field_get(field, words);
        if (!is_guard) return location;
        if (location != (int32_t)item->edge->source) return 0;
    }
    if (item->kind == OBSERVED_SLOT) return field_get(&layout->fields[item->slot], words);
    const struct seen_value *value = &planner->units[agent->index].items[index];
    memcpy(reach->point.words, words, layout->word_count * sizeof *words);
    enum outcome outcome = machine_unit(machine, &value->unit, reach->point.words);
    if (value->is_bool || outcome != RUN_TRUE) return outcome == RUN_TRUE;
    return machine->registers[0];
}

/* The decider, then what its player observes; gives how much that is. */
static uint32_t see(struct set_planner *planner, uint32_t decider) {
    const struct agent *agent = agent_of(planner, decider);
    planner->values[0] = (int32_t)decider;
    for (uint32_t i = 0; i < agent->items.count; i++)
        planner->values[i + 1] = value_of(planner, agent, i);
    return agent->items.count;
}

/* What is chosen in the state that is looked at */

/* By the rules of the plan: the first one that fits. */
static int64_t say(struct set_planner *planner, uint32_t index) {
    const struct set_decider *decider = &planner->game->deciders.items[index];
    const struct agent *agent = agent_of(planner, index);
    const struct move *moves = planner->game->coalition->moves.items, *move = NULL;
    see(planner, index);
    for (uint32_t p = 0; p < planner->plan->part_count; p++) {
        const struct plan_part *part = &planner->plan->parts[p];
        bool is_found = part->decider != index;
        for (uint32_t i = 0; i < part->rule_count && !is_found; i++) {
            const struct plan_rule *rule = &part->rules[i];
            is_found = true;
            for (uint32_t k = 0; k < rule->condition_count; k++) {
                const struct plan_condition *condition = &rule->conditions[k];
                ptrdiff_t item = condition->item - agent->items.items;
                is_found &= planner->values[item + 1] == condition->value;
            }
            if (is_found) move = rule->move;
        }
    }
    for (uint32_t i = 0; i < decider->options.count && move; i++)
        if (decider->options.items[i].move == (uint32_t)(move - moves)) return i;
    return CHOOSES_NOTHING;
}

/* By the sets; with perfect information only where there is no choice. */
static int64_t option_of(const struct set_planner *planner, const struct set_decider *decider) {
    for (uint32_t i = 0; i < decider->options.count; i++) {
        const struct set_option *option = &decider->options.items[i];
        if (is_in(planner, decider->has_choice ? option->value : option->offer)) return i;
    }
    return CHOOSES_NOTHING;
}

/* What a choice comes to in the state. */
static int64_t effect_of(const struct set_planner *planner, const struct set_decider *decider,
                         int64_t chosen) {
    if (chosen < 0 || is_in(planner, decider->options.items[chosen].offer)) return chosen;
    return is_own_decider(decider) ? CHOOSES_NOTHING : CHOOSES_ANY;
}

static bool happens(const struct set_planner *planner, const struct planned_step *step,
                    const int64_t *effects) {
    const struct set_label *label = &planner->game->labels.items[step->label];
    for (uint32_t i = 0; i < label->count; i++) {
        int64_t effect = effects[label->conditions[i].decider];
        if (effect != CHOOSES_ANY && effect != label->conditions[i].option) return false;
    }
    return true;
}

/* With perfect information: profiles of the deciders from one on, until all that happens leads to
 * the aim. is_good: the state is in it itself. */
static bool search(struct set_planner *planner, uint32_t index, bool is_good) {
    const struct set_game *game = planner->game;
    while (index < game->deciders.count &&
           (!planner->is_offered[index] || !game->deciders.items[index].has_choice))
        index++;
    if (planner->tries++ >= MAX_TRIES) return false;
    if (index == game->deciders.count) {
        bool has_step = false, is_fine = true;
        for (uint32_t i = 0; i < planner->steps.count && is_fine; i++) {
            if (!happens(planner, &planner->steps.items[i], planner->chosen)) continue;
            has_step = true;
            is_fine = planner->steps.items[i].is_in_aim;
        }
        return is_fine && (has_step || is_good);
    }
    const struct set_decider *decider = &game->deciders.items[index];
    for (uint32_t i = 0; i < decider->options.count; i++) {
        planner->chosen[index] = i;
        if (is_in(planner, decider->options.items[i].offer) && search(planner, index + 1, is_good))
            return true;
    }
    planner->chosen[index] = CHOOSES_NOTHING;
    return decider->may_wait && search(planner, index + 1, is_good);
}

static void add_choice(struct set_planner *planner, uint32_t index) {
    const struct set_decider *decider = &planner->game->deciders.items[index];
    uint32_t count = see(planner, index), known = planner->views.count;
    if (lists_number(&planner->views, planner->values, count + 1) != known) return;
    int64_t chosen = planner->chosen[index];
    struct plan_choice choice = {.decider = index,
                                 .move = NO_MOVE,
                                 .values = ARENA_ARRAY(arena_of(planner), int32_t, count + 1)};
    memcpy(choice.values, planner->values + 1, count * sizeof *choice.values);
    if (chosen >= 0) choice.move = decider->options.items[chosen].move;
    VEC_PUSH(arena_of(planner), &planner->choices, choice);
    planner->is_too_large |= planner->choices.count > PLAN_MAX_CHOICES;
}

/* Chooses for all deciders; false if it is too much. */
static bool choose(struct set_planner *planner, uint32_t layer) {
    const struct set_game *game = planner->game;
    uint32_t count = game->deciders.count;
    bool is_fine = true;
    make_vector(planner, planner->words);
    for (uint32_t i = 0; i < count; i++) {
        const struct set_decider *decider = &game->deciders.items[i];
        planner->is_offered[i] = is_in(planner, decider->offer);
        planner->chosen[i] = CHOOSES_NOTHING;
        if (planner->is_offered[i])
            planner->chosen[i] = planner->plan ? say(planner, i) : option_of(planner, decider);
    }
    planner->tries = 0;
    if (game->sees_all && !planner->plan) {
        is_fine = search(planner, 0, is_in_aim(planner, layer));
        assert(is_fine || planner->tries >= MAX_TRIES); /* sets say that there is a choice */
    }
    for (uint32_t i = 0; i < count; i++) {
        planner->effects[i] = effect_of(planner, &game->deciders.items[i], planner->chosen[i]);
        if (planner->is_offered[i] && !planner->plan) add_choice(planner, i);
    }
    return is_fine;
}

/* Playing */

static void load(struct set_planner *planner, uint32_t number) {
    const struct layout *layout = reach_of(planner)->program->layout;
    uint32_t count;
    const uint64_t *words = lists_items(&planner->states, number, &count);
    memcpy(planner->words, layout->initial, layout->word_count * sizeof *words);
    memcpy(planner->words, words, count * sizeof *words);
    make_vector(planner, planner->words);
}

/* The steps of the state, each with its label. */
static bool find_steps(struct set_planner *planner, uint32_t layer) {
    struct reach *reach = reach_of(planner);
    struct expander *expander = &reach->expander;
    const struct layout *layout = reach->program->layout;
    planner->steps.count = 0;
    expander_clear(expander);
    if (!expander_run(expander, planner->words)) return false;
    for (uint32_t i = 0; i < expander->count; i++) {
        make_vector(planner, expander_state(expander, i));
        struct planned_step step = {.target = i, .is_in_aim = is_in_aim(planner, layer)};
        memcpy(reach->point.words, planner->words, layout->word_count * sizeof(uint64_t));
        step.label = set_game_label(planner->game, &expander->records.items[i]);
        VEC_PUSH(arena_of(planner), &planner->steps, step);
    }
    return true;
}

static bool visit(struct set_planner *planner, uint32_t number) {
    const struct expander *expander = &reach_of(planner)->expander;
    load(planner, number);
    uint32_t layer = layer_of(planner), before = planner->targets.count;
    if (!find_steps(planner, layer) || !choose(planner, layer)) return false;
    for (uint32_t i = 0; i < planner->steps.count; i++) {
        const struct planned_step *step = &planner->steps.items[i];
        if (!happens(planner, step, planner->effects)) continue;
        uint32_t target = lists_number(&planner->states, expander_state(expander, step->target),
                                       expander->word_count);
        VEC_PUSH(arena_of(planner), &planner->targets, target);
    }
    if (planner->targets.count == before) VEC_PUSH(arena_of(planner), &planner->targets, number);
    return true;
}

static bool is_end(struct set_planner *planner, uint32_t number) {
    load(planner, number);
    return !planner->goal->is_next && is_in(planner, planner->goal->base);
}

/* From the starts on; of a goal of one step they alone choose. */
static bool play(struct set_planner *planner, const struct lists *starts) {
    uint32_t count;
    planner->targets.count = planner->ends.count = 0;
    for (uint32_t i = 1; i < starts->count; i++) {
        const uint64_t *words = lists_items(starts, i, &count);
        lists_number(&planner->states, words, count);
    }
    uint32_t most = planner->goal->is_next ? starts->count : PLAN_MAX_ROWS + 1;
    for (uint32_t i = 1; i < planner->states.count; i++) {
        if (i < most && !is_end(planner, i) && !visit(planner, i)) return false;
        planner->is_too_large |= i >= PLAN_MAX_ROWS;
        if (planner->is_too_large || planner->ledger.limit != LIMIT_NONE) return false;
        VEC_PUSH(arena_of(planner), &planner->ends, planner->targets.count);
    }
    return ledger_goes_on(&planner->ledger);
}

/* Whether what was played does what it is for */

static bool arrives(struct set_planner *planner) {
    uint32_t count = planner->states.count, left = 0;
    uint8_t *counts = ARENA_ARRAY(arena_of(planner), uint8_t, count + 1);
    for (uint32_t i = 1; i < count; i++) {
        counts[i] = is_end(planner, i);
        left += !counts[i];
    }
    for (bool changes = true; changes && left;) {
        changes = false;
        for (uint32_t i = count; i-- > 1;) {
            bool is_fine = !counts[i];
            for (uint32_t k = i > 1 ? planner->ends.items[i - 2] : 0;
                 k < planner->ends.items[i - 1] && is_fine; k++)
                is_fine = counts[planner->targets.items[k]];
            if (!is_fine) continue;
            counts[i] = changes = true;
            left--;
        }
    }
    return !left;
}

static bool wins(struct set_planner *planner) {
    const struct set_goal *goal = planner->goal;
    for (uint32_t i = 0; goal->is_next && i < planner->targets.count; i++) {
        load(planner, planner->targets.items[i]);
        if (!is_in(planner, goal->base)) return false;
    }
    for (uint32_t i = 1; !goal->is_next && i < planner->states.count; i++) {
        load(planner, i);
        if (!is_in(planner, goal->base) && !is_in(planner, goal->stay)) return false;
    }
    return !goal->is_least || arrives(planner);
}

/* The plan */

static bool add_states(struct set_planner *planner, struct lists *starts, uint32_t set,
                       uint32_t level) {
    struct reach *reach = reach_of(planner);
    if (level == reach->levels.count) {
        levels_point(&reach->levels, reach->tuple, &reach->point);
        uint32_t words = reach->expander.word_count;
        return lists_number(starts, reach->point.words, words) != LISTS_FULL &&
               starts->count <= PLAN_MAX_ROWS;
    }
    for (; set; set = reach->ldd.nodes[set].right) {
        reach->tuple[level] = reach->ldd.nodes[set].value;
        if (!add_states(planner, starts, reach->ldd.nodes[set].down, level + 1)) return false;
    }
    return true;
}

/* The states from which the strategy has to do. */
static bool find_starts(struct set_planner *planner, struct lists *starts) {
    const struct set_game *game = planner->game;
    struct reach *reach = reach_of(planner);
    uint32_t set = reach->initial;
    bool is_subjective = game->coalition->modes & MODE_SUBJECTIVE;
    if (!add_states(planner, starts, reach->initial, 0)) return false;
    for (uint32_t i = 0; i < game->coalition->players.count && is_subjective; i++)
        set = set_union(&reach->ldd, set, sight_same(game->sights[i], reach, reach->initial));
    return !ldd_is_over(&reach->ldd) && add_states(planner, starts, set, 0);
}

static struct strategy_plan *make(struct set_planner *planner) {
    const struct set_game *game = planner->game;
    struct arena *arena = arena_of(planner);
    struct strategy_plan *plan = ARENA_NEW(arena, struct strategy_plan);
    uint32_t count = game->deciders.count;
    *plan = (struct strategy_plan){.coalition = game->coalition,
                                   .program = reach_of(planner)->program,
                                   .is_perfect = game->sees_all,
                                   .everything.agent = planner->sees_all};
    plan->parts = ARENA_ARRAY(arena, struct plan_part, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct set_decider *decider = &game->deciders.items[i];
        struct plan_part part = {.player = &game->coalition->players.items[decider->player],
                                 .decider = i,
                                 .channel = decider->channel};
        if (agent_of(planner, i)->items.count > PLAN_MAX_ITEMS) return NULL;
        plan_add_part(plan, arena, &part, agent_of(planner, i), planner->choices.items,
                      planner->choices.count);
    }
    return plan;
}

/* Plays what the sets say, makes rules of it, and plays these. */
static const struct strategy_plan *plan_from(struct set_planner *planner,
                                             const struct lists *starts) {
    if (!play(planner, starts)) return NULL;
    struct strategy_plan *plan = make(planner);
    lists_close(&planner->states);
    if (!plan || !lists_open(&planner->states, &planner->ledger, sizeof(uint64_t))) return NULL;
    planner->plan = plan;
    if (!play(planner, starts)) return NULL;
    bool has_won = wins(planner);
    assert(has_won); /* else the strategy is none */
    return plan;
}

const struct strategy_plan *plan_by_sets(struct set_game *game, const struct set_goal *goal,
                                         const struct set_ability *ability,
                                         const struct sight_units *units) {
    struct reach *reach = game->decider->reach;
    struct machine *machine = &reach->expander.machine;
    struct set_planner planner = {
        .game = game,
        .goal = goal,
        .ability = ability,
        .units = units,
        .ledger = {.deadline = machine->deadline, .grace = machine->grace}};
    struct lists starts = {0};
    const struct strategy_plan *plan = NULL;
    planner.sees_all = plan_sees_all(game->arena, reach->program->network);
    planner.words = ARENA_ARRAY(game->arena, uint64_t, reach->program->layout->word_count + 1);
    planner.chosen = ARENA_ARRAY(game->arena, int64_t, game->deciders.count + 1);
    planner.effects = ARENA_ARRAY(game->arena, int64_t, game->deciders.count + 1);
    planner.is_offered = ARENA_ARRAY(game->arena, bool, game->deciders.count + 1);
    uint32_t most = planner.sees_all->items.count;
    for (uint32_t i = 0; i < game->coalition->players.count; i++) {
        uint32_t count = game->coalition->players.items[i].agent->items.count;
        if (count > most) most = count;
    }
    planner.values = ARENA_ARRAY(game->arena, int32_t, most + 1);
    reach->expander.is_recording = true;
    if (lists_open(&planner.states, &planner.ledger, sizeof(uint64_t)) &&
        lists_open(&planner.views, &planner.ledger, sizeof(int32_t)) &&
        lists_open(&starts, &planner.ledger, sizeof(uint64_t)) && find_starts(&planner, &starts))
        plan = plan_from(&planner, &starts);
    reach->expander.is_recording = false;
    lists_close(&planner.states);
    lists_close(&planner.views);
    lists_close(&starts);
    return plan;
}
