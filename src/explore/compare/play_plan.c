#include "explore/compare/play_plan.h"

#include "explore/compare/original_moves.h"
#include "explore/knowledge/label.h"
#include "explore/space/search.h"
#include "explore/strategy/runs_left.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What the rules of a part say in a state. */
enum saying_kind {
    SAYS_MOVE,
    SAYS_NOTHING, /* it waits */
    SAYS_ANY      /* any move, perhaps none */
};

struct saying {
    enum saying_kind kind;
    uint32_t move;
};

/* A part of the plan, in the original. */
struct played_part {
    const struct plan_part *part;
    uint32_t player, channel;
    struct indistinguishable sight; /* of the abstract agent */
    struct original_moves *moves;   /* by rule */
    bool sees_moves;                /* what is possible is the same wherever it observes the same */
    struct saying says;
};

struct playing {
    struct plan_played *played;
    const struct strategy_plan *plan;
    const struct visible *visible;
    const struct concretize_options *options;
    struct search *search; /* of the original; all of it is explored where there are labels */
    struct expander *expander;
    struct labelling *labels; /* of parts that are not about single states; or NULL: then, too, */
    bool **may_choose;        /* by player: by class and move, whether that is possible in it */
    uint32_t *numbers;        /* then: by row, that in rows, plus one; others are the same */
    struct all_states states; /* of the original */
    struct all_states image;  /* what a state of the original looks like in the abstraction */
    struct coalition coalition;
    const struct formulas *formulas;
    const struct formula *able;
    struct unit *units; /* by node: atoms */
    struct played_part *parts;
    bool *is_possible;  /* by move, now; */
    uint32_t *channels; /* then: where it receives; NO_SLOT: an own one */
    struct shelf shelf;
    struct runs_left left;
    VEC(uint32_t) rows; /* by number in these */
    uint32_t row;       /* that was loaded */
    bool lacks_sight;   /* all states would say what is possible where it looks the same */
    const char *doubt;  /* what was taken to be as bad as it may be */
};

static bool fail(struct playing *playing, const char *reason) {
    if (!playing->played->reason) playing->played->reason = reason;
    return false;
}

static bool cut(struct playing *playing, enum search_limit limit) {
    playing->played->limit = limit;
    return false;
}

static bool is_over(const struct playing *playing) {
    return playing->played->reason || playing->played->limit != LIMIT_NONE;
}

/* ---- goals ---- */

/* In the state that was loaded. */
static bool holds(struct playing *playing, uint32_t node) {
    const struct formula *formula = &playing->formulas->nodes.items[node];
    if (playing->labels) return bit_get(playing->labels->sets[node], playing->row);
    switch (formula->kind) {
    case FORMULA_NOT: return !holds(playing, formula->left);
    case FORMULA_AND: return holds(playing, formula->left) && holds(playing, formula->right);
    case FORMULA_OR: return holds(playing, formula->left) || holds(playing, formula->right);
    default: break;
    }
    assert(formula->kind == FORMULA_ATOM);
    enum outcome outcome = states_run(&playing->states, &playing->units[node]);
    if (outcome == RUN_FAULT) fail(playing, "what it is for cannot be evaluated in some state");
    return outcome == RUN_TRUE;
}

/* Of the state that was loaded: RUNS_ bits. */
static uint8_t flags_of(struct playing *playing) {
    const struct formula *able = playing->able;
    bool is_one = able->goal == OP_ABLE_X || able->goal == OP_ABLE_F;
    bool left = holds(playing, able->left);
    bool right = is_one || able->goal == OP_ABLE_G ? left : holds(playing, able->right);
    bool is_base = able->goal == OP_ABLE_G   ? false
                   : is_one                  ? left
                   : able->goal == OP_ABLE_R ? left && right
                                             : right;
    bool may_stay = is_one || (able->goal == OP_ABLE_R ? right : left);
    return (uint8_t)((is_base ? RUNS_BASE : 0) | (may_stay ? RUNS_STAY : 0));
}

/* ---- what a state looks like ---- */

/* Loads the image of the state that was loaded. */
static bool see_state(struct playing *playing) {
    const char *problem =
        visible_image(playing->visible, playing->states.search->layout, playing->states.state,
                      playing->image.search->layout, playing->image.state);
    return !problem || fail(playing, problem);
}

/* ---- rules ---- */

/* The moves that are possible in the state that was loaded. A guard that cannot be evaluated does
 * not hold. */
static void find_possible(struct playing *playing) {
    struct all_states *states = &playing->states;
    const struct coalition *coalition = &playing->coalition;
    const struct layout *layout = states->search->layout;
    memset(playing->is_possible, 0, coalition->moves.count * sizeof *playing->is_possible);
    for (uint32_t i = 0; i < coalition->players.count; i++) {
        const struct player *player = &coalition->players.items[i];
        uint32_t field = layout_location(layout, player->process->index);
        const struct row_range *range =
            &player->tests[field_get(&layout->fields[field], states->state)];
        for (uint32_t k = range->first; k < range->first + range->count; k++) {
            const struct move_test *test = &coalition->tests.items[k];
            const struct move *move = &coalition->moves.items[test->move];
            uint32_t channel = move->channel;
            if (!test->is_always && states_run(states, &test->guard) != RUN_TRUE) continue;
            if (test->channel && states_run(states, test->channel) != RUN_TRUE) continue;
            if (test->channel) channel = (uint32_t)states->machine.registers[0];
            playing->is_possible[test->move] = true;
            playing->channels[test->move] = is_own_move(coalition, move) ? NO_SLOT : channel;
        }
    }
}

static struct saying say_any(struct playing *playing, const char *doubt) {
    if (doubt && !playing->doubt) playing->doubt = doubt;
    return (struct saying){SAYS_ANY, NO_MOVE};
}

/* Whether a move is possible in some state that its player takes for the one that was loaded. It is
 * where it is possible here. */
static bool can_choose(const struct playing *playing, uint32_t number) {
    const struct move *move = &playing->coalition.moves.items[number];
    if (!playing->may_choose || playing->plan->is_perfect) return playing->is_possible[number];
    const struct agent *agent = playing->coalition.players.items[move->player].agent;
    uint32_t class = label_classes(playing->labels, agent)->of_row[playing->row];
    size_t place = (size_t) class * playing->coalition.moves.count + number;
    return playing->may_choose[move->player][place];
}

static struct saying say_blind(struct playing *playing, const char *doubt) {
    playing->lacks_sight = true;
    return say_any(playing, doubt);
}

/* What a rule means in the state that was loaded. */
static struct saying say_rule(struct playing *playing, const struct played_part *part,
                              uint32_t rule) {
    const struct original_moves *moves = &part->moves[rule];
    bool may_wait = playing->coalition.modes & MODE_WAIT, is_own = part->channel == NO_SLOT;
    bool sees_moves = part->sees_moves || playing->may_choose;
    if (!part->part->rules[rule].move)
        return may_wait && is_own ? (struct saying){SAYS_NOTHING, NO_MOVE}
                                  : say_any(playing, "a player chooses what the abstraction lacks");
    if (!moves->list.count || !moves->is_certain)
        return say_any(playing, "it is not known which edge a rule is about");
    for (uint32_t i = 0; i < moves->list.count; i++) {
        uint32_t move = moves->list.items[i];
        if (!can_choose(playing, move)) continue;
        if (moves->list.count > 1 && !sees_moves)
            return say_blind(playing, "a player does not see which of several moves is possible");
        if (playing->is_possible[move] && playing->channels[move] == part->channel)
            return (struct saying){SAYS_MOVE, move};
        if (is_own) return (struct saying){SAYS_NOTHING, NO_MOVE}; /* it is possible elsewhere */
    }
    if (!is_own) return say_any(playing, NULL);
    if (may_wait) return (struct saying){SAYS_NOTHING, NO_MOVE};
    if (sees_moves) return say_any(playing, NULL);
    return say_blind(playing, "a player does not see whether the move of a rule is possible");
}

/* Whether the conditions of a rule hold in what is seen. */
static bool fits(struct playing *playing, const struct played_part *part,
                 const struct plan_rule *rule) {
    const struct agent *agent = part->sight.agent;
    for (uint32_t k = 0; k < rule->condition_count; k++) {
        uint32_t item = (uint32_t)(rule->conditions[k].item - agent->items.items);
        if (indistinguishable_value(&part->sight, &playing->image, item) !=
            rule->conditions[k].value)
            return false;
    }
    return true;
}

/* The first rule that fits counts. */
static void say(struct playing *playing, struct played_part *part) {
    for (uint32_t i = 0; i < part->part->rule_count; i++)
        if (fits(playing, part, &part->part->rules[i])) {
            part->says = say_rule(playing, part, i);
            return;
        }
    part->says = say_any(playing, "no rule is about some state");
}

/* ---- steps ---- */

struct allowed {
    bool happens, goes_on; /* perhaps; for certain */
};

static const struct played_part *part_of(const struct playing *playing, uint32_t player,
                                         uint32_t channel) {
    for (uint32_t i = 0; i < playing->plan->part_count; i++)
        if (playing->parts[i].player == player && playing->parts[i].channel == channel)
            return &playing->parts[i];
    return NULL;
}

static struct allowed allow(struct playing *playing, const struct step_record *record) {
    const struct coalition *coalition = &playing->coalition;
    const struct expander *expander = playing->expander;
    struct allowed allowed = {true, true};
    for (uint32_t i = 0; i < record->part_count && allowed.happens; i++) {
        uint32_t index = expander->parts.items[record->first_part + i];
        uint32_t number = coalition->move_of[index];
        if (number == NO_MOVE) continue;
        const struct move *move = &coalition->moves.items[number];
        bool is_own = is_own_move(coalition, move);
        assert(playing->is_possible[number]); /* its guard holds */
        const struct played_part *part =
            part_of(playing, move->player, is_own ? NO_SLOT : playing->channels[number]);
        struct saying says = part ? part->says : say_any(playing, "no rule is about some move");
        allowed.happens = says.kind == SAYS_ANY || says.move == number;
        /* A receiver takes part in any case. */
        allowed.goes_on &= allowed.happens && (says.kind != SAYS_ANY || !is_own);
    }
    return allowed;
}

/* The number of a state that is stored, which is new perhaps. */
static uint32_t number_of(struct playing *playing, uint32_t row) {
    uint32_t *known = playing->numbers ? &playing->numbers[row] : NULL;
    if (known ? *known != 0 : row < playing->rows.count) return known ? *known - 1 : row;
    assert(known || row == playing->rows.count);
    VEC_PUSH(playing->left.arena, &playing->rows, row);
    VEC_PUSH(playing->left.arena, &playing->left.flags, 0);
    if (known) *known = playing->rows.count;
    return playing->rows.count - 1;
}

static bool add_target(struct playing *playing, const uint64_t *words) {
    struct store *store = &playing->search->store;
    uint64_t hash = store_hash(store, words);
    uint64_t most = playing->options->max_states;
    uint32_t row = store_find(store, words, hash);
    assert(row != STORE_FULL || !playing->labels);
    if (row == STORE_FULL) {
        bool is_new;
        if (most && playing->rows.count >= most) return cut(playing, LIMIT_STATES);
        if (!store_has_room(store, 1) && !store_reserve(store, 1))
            return cut(playing, LIMIT_MEMORY);
        store_refill(store, &playing->shelf, 1);
        row = store_add(store, &playing->shelf, words, hash, &is_new);
    }
    uint32_t number = number_of(playing, row);
    VEC_PUSH(playing->left.arena, &playing->left.targets, number);
    return true;
}

/* Looks at a state, and where the strategy leads from there. */
static bool play(struct playing *playing, uint32_t number, bool goes_on) {
    struct expander *expander = playing->expander;
    struct all_states *states = &playing->states;
    playing->row = playing->rows.items[number];
    states_load(states, playing->row);
    expander_clear(expander);
    if (!machine_has_time(&expander->machine)) return cut(playing, expander_limit(expander));
    if (!expander_run(expander, states->state)) return cut(playing, expander_limit(expander));
    if (expander->error_count) return fail(playing, "a step of the original fails");
    states->machine.is_stuck = !expander_degree(expander);
    playing->left.flags.items[number] = flags_of(playing);
    bool is_end = playing->able->goal != OP_ABLE_X && playing->left.flags.items[number] & RUNS_BASE;
    if (!goes_on || is_end) return !is_over(playing);
    find_possible(playing);
    if (!see_state(playing)) return false;
    for (uint32_t i = 0; i < playing->plan->part_count; i++) say(playing, &playing->parts[i]);
    bool is_moving = false;
    for (uint32_t i = expander->first; i < expander->count; i++) {
        struct allowed allowed = allow(playing, &expander->records.items[i - expander->first]);
        is_moving |= allowed.goes_on;
        if (allowed.happens && !add_target(playing, expander_state(expander, i))) return false;
    }
    if (!is_moving) VEC_PUSH(playing->left.arena, &playing->left.targets, number);
    return !is_over(playing);
}

static bool go_on(void *context) {
    struct playing *playing = context;
    return machine_has_time(&playing->expander->machine) ||
           cut(playing, expander_limit(playing->expander));
}

/* All states that some player takes for the initial one. */
static void add_alike(struct playing *playing) {
    uint32_t first = playing->rows.items[0];
    for (uint32_t i = 0; i < playing->coalition.players.count; i++) {
        const struct indistinguishable *classes =
            label_classes(playing->labels, playing->coalition.players.items[i].agent);
        EACH_ROW (&playing->states, row)
            if (classes->of_row[row] == classes->of_row[first]) number_of(playing, row);
    }
}

static void play_all(struct playing *playing) {
    bool is_next = playing->able->goal == OP_ABLE_X;
    bool is_least = playing->able->goal == OP_ABLE_F || playing->able->goal == OP_ABLE_U;
    struct store *store = &playing->search->store;
    struct runs_left *left = &playing->left;
    if (!store->capacity) {
        cut(playing, LIMIT_MEMORY);
        return;
    }
    if (!add_target(playing, playing->search->layout->initial)) return;
    if (playing->able->modes & MODE_SUBJECTIVE) add_alike(playing);
    uint32_t starts = playing->rows.count;
    left->targets.count = 0;
    for (uint32_t i = 0; i < left->flags.count; i++) {
        if (!play(playing, i, !is_next || i < starts)) return;
        if (!is_next || i < starts) VEC_PUSH(left->arena, &left->ends, left->targets.count);
    }
    playing->played->states = left->flags.count;
    if (runs_left_win(left, is_next, is_least, go_on, playing))
        playing->played->outcome = PLAN_WINS;
    else if (playing->doubt)
        fail(playing, playing->doubt);
    else if (!is_over(playing))
        playing->played->outcome = PLAN_FAILS;
}

/* ---- preparation ---- */

/* Whether what an item of an abstract agent says is the same in the original. */
static bool is_shared(const struct visible *visible, const struct observed_item *item) {
    const enum slot_role *roles = visible->roles[SIDE_ABSTRACT];
    if (item->kind == OBSERVED_LOCATION) return true;
    if (item->kind == OBSERVED_SLOT) return roles[item->slot] == ROLE_VISIBLE;
    for (uint32_t i = 0; i < visible->networks[SIDE_ABSTRACT]->slot_count; i++)
        if (roles[i] != ROLE_VISIBLE && roles[i] != ROLE_META) return false;
    return true;
}

static uint32_t channel_of(const struct playing *playing, const struct plan_part *part) {
    const struct program *program = playing->search->program;
    if (part->channel == NO_SLOT) return NO_SLOT;
    for (uint32_t i = 0; i < program->network->cell_count; i++)
        if (part->receives && program->channels[i] &&
            !strcmp(program->channels[i]->name, part->receives))
            return i;
    return ANY_CHANNEL;
}

static bool prepare_part(struct playing *playing, struct played_part *part) {
    const struct strategy_plan *plan = playing->plan;
    const struct visible *visible = playing->visible;
    const struct plan_part *own = part->part;
    struct arena *arena = playing->left.arena;
    uint32_t process = 0;
    while (visible->processes[process].index[SIDE_ABSTRACT] != own->player->process->index)
        process++;
    part->player = playing->coalition.player_of[visible->processes[process].index[SIDE_CONCRETE]];
    if (part->player == NO_PLAYER) return fail(playing, "the coalition is another one there");
    const struct agent *agent = playing->coalition.players.items[part->player].agent;
    part->sees_moves = plan->is_perfect || (!agent->is_declared && !agent->is_blind);
    part->channel = channel_of(playing, own);
    if (part->channel == ANY_CHANNEL) return fail(playing, "a channel is not known there");
    const struct agent *sees = plan->is_perfect ? plan->everything.agent : own->player->agent;
    indistinguishable_compile(&part->sight, &playing->image, sees);
    part->moves = ARENA_ARRAY(arena, struct original_moves, own->rule_count + 1);
    for (uint32_t i = 0; i < own->rule_count; i++) {
        for (uint32_t k = 0; k < own->rules[i].condition_count; k++)
            if (!is_shared(visible, own->rules[i].conditions[k].item))
                return fail(playing, "its rules look at what is removed in some locations only");
        if (own->rules[i].move)
            original_moves_find(&part->moves[i], arena, visible, plan, &playing->coalition,
                                own->rules[i].move);
    }
    return true;
}

/* As states_open, but not all need be there. */
static void open_states(struct playing *playing) {
    struct search *search = playing->search;
    playing->states =
        (struct all_states){.search = search,
                            .expander = playing->expander,
                            .arena = playing->left.arena,
                            .ledger = ledger_beside(search, &playing->expander->machine)};
    playing->states.ledger.max_size = playing->options->max_size;
    if (playing->labels) playing->states.row_count = atomic_load(&search->store.next);
    playing->states.state = layout_state(search->layout, NULL);
    playing->states.words = layout_state(search->layout, NULL);
}

static bool prepare(struct playing *playing) {
    struct arena *arena = playing->left.arena;
    const struct strategy_plan *plan = playing->plan;
    open_states(playing);
    playing->image.arena = arena;
    playing->image.state = layout_state(playing->image.search->layout, NULL);
    playing->image.words = layout_state(playing->image.search->layout, NULL);
    coalition_make(&playing->coalition, &playing->states, &playing->able->agents,
                   playing->able->modes);
    if (playing->coalition.problem) return fail(playing, playing->coalition.problem);
    playing->is_possible = ARENA_ARRAY(arena, bool, playing->coalition.moves.count + 1);
    playing->channels = ARENA_ARRAY(arena, uint32_t, playing->coalition.moves.count + 1);
    playing->parts = ARENA_ARRAY(arena, struct played_part, plan->part_count + 1);
    for (uint32_t i = 0; i < plan->part_count; i++) {
        playing->parts[i].part = &plan->parts[i];
        if (!prepare_part(playing, &playing->parts[i])) return false;
    }
    return true;
}

/* The parts that are about single states. */
static bool compile(struct playing *playing) {
    const struct formulas *formulas = playing->formulas;
    struct compiler *compiler = playing->search->program->compiler;
    playing->units = ARENA_ARRAY(playing->left.arena, struct unit, formulas->nodes.count + 1);
    for (uint32_t i = 0; i < formulas->nodes.count; i++) {
        if (formulas->nodes.items[i].kind != FORMULA_ATOM) continue;
        unit_begin(compiler);
        unit_predicate(compiler, formulas->nodes.items[i].expr, false);
        unit_end(compiler, &playing->units[i]);
    }
    machine_init(&playing->states.machine, &playing->search->program->code);
    machine_init(&playing->image.machine, &playing->image.search->program->code);
    return true;
}

enum { PLAYED_MOST_CHOICES = 1 << 24 };

/* What is possible in each class of states that are the same to a player. */
static void find_choices(struct playing *playing) {
    const struct coalition *coalition = &playing->coalition;
    struct arena *arena = playing->left.arena;
    size_t moves = coalition->moves.count, all = 0;
    bool **found = ARENA_ARRAY(arena, bool *, coalition->players.count + 1);
    for (uint32_t i = 0; i < coalition->players.count; i++) {
        const struct agent *agent = coalition->players.items[i].agent;
        size_t size = moves * label_classes(playing->labels, agent)->count;
        all += size;
        if (all > PLAYED_MOST_CHOICES) return;
        found[i] = ARENA_ARRAY(arena, bool, size + 1);
    }
    EACH_ROW (&playing->states, row) {
        states_load(&playing->states, row);
        find_possible(playing);
        for (uint32_t i = 0; i < moves; i++) {
            uint32_t player = coalition->moves.items[i].player;
            const struct agent *agent = coalition->players.items[player].agent;
            uint32_t class = label_classes(playing->labels, agent)->of_row[row];
            if (playing->is_possible[i]) found[player][class * moves + i] = true;
        }
    }
    playing->may_choose = found;
}

/* The other ones, in all states of the original. */
static bool label(struct playing *playing) {
    struct formulas *parts = ARENA_NEW(playing->left.arena, struct formulas);
    const struct formula *able = playing->able;
    *parts = *playing->formulas;
    parts->nodes.count = (able->left > able->right ? able->left : able->right) + 1;
    parts->needs_steps = true;
    machine_init(&playing->image.machine, &playing->image.search->program->code);
    playing->numbers = ARENA_ARRAY(playing->left.arena, uint32_t, playing->states.row_count + 1);
    playing->expander->is_recording = false;
    labels_make(playing->labels, &playing->states, parts, NULL);
    for (uint32_t i = 0; i < able->agents.list.count && !playing->labels->problem; i++) {
        uint32_t agent = able->agents.list.items[i]->index;
        struct indistinguishable *classes = &playing->labels->classes[agent];
        if (!classes->of_row && states_go_on(&playing->states))
            indistinguishable_find(classes, &playing->states); /* no part needs them */
    }
    playing->expander->is_recording = true;
    if (playing->labels->problem) return fail(playing, playing->labels->problem);
    if (playing->states.ledger.limit != LIMIT_NONE)
        return cut(playing, playing->states.ledger.limit);
    if (playing->states.fault.kind != FAULT_NONE)
        return fail(playing, "what it is for cannot be evaluated in some state");
    find_choices(playing);
    return true;
}

static void play_prepared(struct playing *playing) {
    playing->expander->is_recording = true;
    if (prepare(playing) && (playing->labels ? label(playing) : compile(playing)))
        play_all(playing);
    if (playing->labels && playing->labels->states) labels_close(playing->labels);
    free(playing->states.state);
    free(playing->states.words);
    free(playing->image.state);
    free(playing->image.words);
    if (playing->states.machine.code) machine_close(&playing->states.machine);
    if (playing->image.machine.code) machine_close(&playing->image.machine);
}

/* States of the original as they are reached. */
static void play_on_the_fly(struct playing *playing) {
    struct concretizer original;
    if (concretizer_init(&original, playing->visible, NULL, 0, playing->options)) {
        playing->search = &original.search;
        playing->expander = &original.expander;
        play_prepared(playing);
    } else {
        fail(playing, "the original cannot be explored");
    }
    concretizer_close(&original);
}

/* After all states of the original have been found. */
static void play_all_states(struct playing *playing) {
    struct search search;
    struct expander expander;
    struct labelling labels = {.states = NULL};
    const struct network *network = playing->visible->networks[SIDE_CONCRETE];
    const struct concretize_options *options = playing->options;
    const struct search_options limits = {.max_states = options->max_states,
                                          .max_size = options->max_size,
                                          .max_seconds = options->max_seconds,
                                          .diag = options->diag,
                                          .is_full = true};
    bool is_made = search_run(&search, network, &limits, NULL, 0);
    if (!is_made)
        fail(playing, "the original cannot be explored");
    else if (!search.is_complete)
        cut(playing, search.limit);
    else if (search.errors)
        fail(playing, "a step of the original fails");
    if (is_made && !is_over(playing)) {
        expander_init(&expander, search.program);
        if (options->max_seconds > 0)
            expander.machine.deadline = search.start + options->max_seconds;
        playing->search = &search;
        playing->expander = &expander;
        playing->labels = &labels;
        play_prepared(playing);
        expander_close(&expander);
    }
    search_close(&search);
}

void play_plan(struct plan_played *played, const struct strategy_plan *plan, struct search *search,
               const struct visible *visible, const struct query *query,
               const struct concretize_options *options, struct arena *arena) {
    struct agents agents;
    struct formulas formulas;
    struct playing playing = {.played = played,
                              .plan = plan,
                              .visible = visible,
                              .formulas = &formulas,
                              .options = options,
                              .image.search = search,
                              .left.arena = arena};
    *played = (struct plan_played){.outcome = PLAN_UNKNOWN};
    if (plan->program != search->program) {
        fail(&playing, "it was found in states that are not kept");
        return;
    }
    agents_init(&agents, arena, visible->networks[SIDE_CONCRETE]);
    bool is_made = query->quantifier == QUERY_FORMULA &&
                   formulas_make(&formulas, arena, &agents, query->predicate);
    if (is_made) playing.able = formula_able(&formulas);
    if (!playing.able) {
        fail(&playing, "the query is another one there");
    } else if (playing.able->modes & MODE_SUBJECTIVE ||
               !formula_is_of_states(&formulas, playing.able->left) ||
               !formula_is_of_states(&formulas, playing.able->right)) {
        play_all_states(&playing);
    } else {
        struct playing again = playing;
        play_on_the_fly(&playing);
        if (played->outcome == PLAN_UNKNOWN && playing.lacks_sight) {
            *played = (struct plan_played){.outcome = PLAN_UNKNOWN};
            play_all_states(&again);
        }
    }
    agents_close(&agents);
}
