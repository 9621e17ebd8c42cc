#include "explore/strategy/game.h"

#include "lang/syntax/ast.h"

#include <assert.h>

/* A list under construction. */
struct list {
    VEC(struct condition) items;
};

static bool is_before(struct condition left, struct condition right) {
    return left.decider != right.decider ? left.decider < right.decider : left.move < right.move;
}

/* Keeps a list in order, each item once. */
static void insert(struct game *game, struct list *list, struct condition item) {
    uint32_t at = list->items.count;
    while (at && is_before(item, list->items.items[at - 1])) at--;
    if (at && !is_before(list->items.items[at - 1], item)) {
        uint32_t *strength = &list->items.items[at - 1].strength;
        if (*strength < item.strength) *strength = item.strength;
        return;
    }
    VEC_PUSH(game->states->arena, &list->items, item);
    for (uint32_t i = list->items.count - 1; i > at; i--)
        list->items.items[i] = list->items.items[i - 1];
    assert(!at || is_before(list->items.items[at - 1], item));
    list->items.items[at] = item;
}

/* Deciders */

static uint32_t decider_of_channel(struct game *game, uint32_t player, uint32_t channel) {
    for (uint32_t i = game->coalition->players.count; i < game->deciders.count; i++)
        if (game->deciders.items[i].player == player && game->deciders.items[i].channel == channel)
            return i;
    VEC_PUSH(game->states->arena, &game->deciders, (struct game_decider){player, channel});
    return game->deciders.count - 1;
}

/* The channel of a move in the state that was loaded; code says it where it depends on that. */
static uint32_t channel_of(struct game *game, const struct move *move, const struct unit *code) {
    struct all_states *states = game->states;
    if (move->channel != ANY_CHANNEL) return move->channel;
    if (!code || states_run(states, code) != RUN_TRUE) return NO_SLOT;
    return (uint32_t)states->machine.registers[0];
}

static uint32_t decider_of(struct game *game, const struct move *move, const struct unit *code) {
    if (is_own_move(game->coalition, move)) return move->player;
    return decider_of_channel(game, move->player, channel_of(game, move, code));
}

/* Whether the channel of a move, if the move has one, can be evaluated in the state that was
 * loaded. */
static bool has_channel(struct game *game, const struct move *move, const struct unit *code) {
    return !code || channel_of(game, move, code) != NO_SLOT;
}

/* The moves that are possible in the state that was loaded. A guard that cannot be evaluated does
 * not hold, and no move is made over a channel that there is not. */
static uint32_t find_offer(struct game *game, struct list *list) {
    struct all_states *states = game->states;
    const struct coalition *coalition = game->coalition;
    const struct layout *layout = states->search->layout;
    list->items.count = 0;
    for (uint32_t i = 0; i < coalition->players.count; i++) {
        const struct player *player = &coalition->players.items[i];
        uint32_t field = layout_location(layout, player->process->index);
        uint32_t location = (uint32_t)field_get(&layout->fields[field], states->state);
        assert(location < player->process->template->location_count);
        const struct row_range *range = &player->tests[location];
        for (uint32_t k = range->first; k < range->first + range->count; k++) {
            const struct move_test *test = &coalition->tests.items[k];
            if (!test->is_always && states_run(states, &test->guard) != RUN_TRUE) continue;
            const struct move *move = &coalition->moves.items[test->move];
            if (!has_channel(game, move, test->channel)) continue;
            insert(game, list,
                   (struct condition){decider_of(game, move, test->channel), test->move,
                                      game->strengths ? test->strength : STRENGTH_MUST});
        }
    }
    return lists_number(&game->known_offers, list->items.items, list->items.count);
}

/* Steps */

/* The conditions of a step with these parts. */
static bool add_label(struct game *game, const struct taker *takers, uint32_t count,
                      struct list *list) {
    const struct coalition *coalition = game->coalition;
    list->items.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = coalition->move_of[takers[i].instance];
        if (number == NO_MOVE) continue;
        const struct move *move = &coalition->moves.items[number];
        uint32_t decider = move->player;
        if (!is_own_move(coalition, move))
            decider = decider_of_channel(game, move->player,
                                         move->channel == ANY_CHANNEL ? takers[i].channel
                                                                      : move->channel);
        insert(game, list, (struct condition){decider, number, STRENGTH_MUST});
    }
    return lists_add(&game->known_labels, list->items.items, list->items.count);
}

uint32_t game_strength_of(const struct game *game, const struct step_record *record) {
    const struct expander *expander = game->states->expander;
    if (!game->strengths) return STRENGTH_MUST;
    for (uint32_t i = 0; i < record->part_count; i++) {
        uint32_t part = expander->parts.items[record->first_part + i];
        const struct edge_instance *instance = &expander->program->instances.items[part];
        bool is_of_player = game->coalition->player_of[instance->process->index] != NO_PLAYER;
        if (is_of_player && edge_is_joint(instance->edges[0])) return GAME_NO_STEP;
        if (is_of_player && edge_is_either(instance->edges[0])) return STRENGTH_MAY;
    }
    return strength_of_step(game->strengths, expander, record);
}

static uint32_t strength_of(const void *context, const struct step_record *record) {
    return game_strength_of(context, record);
}

/* Labels, and offers of all rows; in their order, by which deciders of channels are numbered. */
static bool find_rows(struct game *game, const struct known_steps *known) {
    struct all_states *states = game->states;
    struct list list = {.items.count = 0};
    EACH_ROW_IN_TIME (states, row) {
        for (uint64_t i = known->rows.first[row]; i < known->rows.first[row + 1]; i++) {
            uint32_t number = known->rows.labels[i] / 4, count;
            assert(number <= game->known_labels.count); /* they are numbered by appearance */
            if (number < game->known_labels.count) continue;
            const struct taker *takers = lists_items(&known->takers, number, &count);
            if (!add_label(game, takers, count, &list)) return false;
        }
        states_load(states, row);
        game->offers[row] = find_offer(game, &list);
    }
    return states_go_on(states);
}

static void find_failing(struct game *game, const struct model *model) {
    const struct coalition *coalition = game->coalition;
    game->may_fail = ARENA_ARRAY(game->states->arena, bool, coalition->players.count + 1);
    for (uint32_t i = 0; i < coalition->players.count; i++)
        for (uint32_t k = 0; k < model->failing.count; k++)
            game->may_fail[i] |=
                str_is(model->failing.items[k],
                       coalition->players.items[i].process->template->symbol->name);
}

/* Those that are shared, or else the game's own; NULL at a limit. In a mixed model the strength of
 * a step depends on the coalition. */
static const struct known_steps *find_steps(struct game *game, struct known_steps *shared) {
    struct all_states *states = game->states;
    if (shared && !game->strengths) {
        if (!known_steps_find(shared, states, NULL, NULL, NULL)) return NULL;
        if (!shared->is_given_up) return shared;
    }
    return known_steps_find(&game->own, states, game->coalition,
                            game->strengths ? strength_of : NULL, game)
               ? &game->own
               : NULL;
}

bool game_open(struct game *game, struct all_states *states, const struct coalition *coalition,
               struct known_steps *shared) {
    *game = (struct game){.states = states, .coalition = coalition};
    if (states->search->network->model->is_mixed)
        game->strengths = strengths_of_program(states->arena, states->search->program);
    find_failing(game, states->search->network->model);
    for (uint32_t i = 0; i < coalition->players.count; i++)
        VEC_PUSH(states->arena, &game->deciders, (struct game_decider){i, NO_SLOT});
    game->offers = states_take(states, states->row_count, sizeof(uint32_t));
    if (!lists_open(&game->known_labels, &states->ledger, sizeof(struct condition)) ||
        !lists_open(&game->known_offers, &states->ledger, sizeof(struct condition)) ||
        !game->offers)
        return false;
    const struct known_steps *known = find_steps(game, shared);
    if (!known) return false;
    game->rows = known->rows;
    game->back = known->back;
    return find_rows(game, known);
}

bool game_is_certain(const struct game *game) {
    bool is_certain = true;
    for (uint32_t i = 0; i < game->coalition->players.count; i++) is_certain &= !game->may_fail[i];
    for (uint64_t i = 0; i < game->rows.step_count; i++)
        is_certain &= game_strength(game, i) == STRENGTH_MUST;
    for (uint32_t i = 0; i < game->known_offers.count; i++) {
        uint32_t count;
        const struct condition *items = lists_items(&game->known_offers, i, &count);
        for (uint32_t k = 0; k < count; k++) is_certain &= items[k].strength == STRENGTH_MUST;
    }
    return is_certain;
}

/* Gives the moves back to the ledger; may be called where nothing was opened. */
void game_close(struct game *game) {
    struct all_states *states = game->states;
    if (!states) return;
    STATES_GIVE(states, game->offers);
    known_steps_close(&game->own);
    lists_close(&game->known_labels);
    lists_close(&game->known_offers);
    *game = (struct game){.states = NULL};
}
