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

struct explorer {
    struct game *game;
    struct list list;
};

/* The conditions of one step of the state that was loaded. */
static uint32_t find_label(struct game *game, const struct step_record *record, struct list *list) {
    const struct coalition *coalition = game->coalition;
    const struct expander *expander = game->states->expander;
    list->items.count = 0;
    for (uint32_t i = 0; i < record->part_count; i++) {
        assert(record->first_part + i < expander->parts.count);
        uint32_t instance = expander->parts.items[record->first_part + i];
        uint32_t number = coalition->move_of[instance];
        if (number == NO_MOVE) continue;
        const struct unit *code = &expander->program->instances.items[instance].channel_code;
        insert(game, list,
               (struct condition){decider_of(game, &coalition->moves.items[number], code), number,
                                  STRENGTH_MUST});
    }
    if (!list->items.count) return 0;
    return lists_number(&game->known_labels, list->items.items, list->items.count);
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

static uint32_t label_of(void *context, uint32_t step, uint32_t target) {
    struct explorer *explorer = context;
    struct game *game = explorer->game;
    (void)target;
    const struct step_record *record = &game->states->expander->records.items[step];
    uint32_t label = find_label(game, record, &explorer->list);
    if (label >= UINT32_MAX / 4) game->states->ledger.limit = LIMIT_MEMORY;
    return label * 4 + game_strength_of(game, record);
}

static bool note_offer(void *context, uint32_t row) {
    struct explorer *explorer = context;
    struct game *game = explorer->game;
    game->offers[row] = find_offer(game, &explorer->list);
    if (game->rows.step_count > UINT32_MAX) game->states->ledger.limit = LIMIT_MEMORY;
    return game->states->ledger.limit == LIMIT_NONE;
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

bool game_open(struct game *game, struct all_states *states, const struct coalition *coalition) {
    struct explorer explorer = {.game = game};
    struct rows_plan plan = {.search = states->search,
                             .expander = states->expander,
                             .state = states->state,
                             .label = label_of,
                             .finish = note_offer,
                             .context = &explorer};
    *game = (struct game){.states = states,
                          .coalition = coalition,
                          .rows = {.ledger = &states->ledger, .has_labels = true},
                          .back.ledger = &states->ledger};
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
    states->expander->is_recording = true;
    bool is_fine = rows_explore(&game->rows, &plan);
    states->expander->is_recording = false;
    assert(!is_fine || game->rows.count == states->row_count);
    return is_fine && rows_turn(&game->back, &game->rows);
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
    rows_close(&game->rows);
    rows_close(&game->back);
    lists_close(&game->known_labels);
    lists_close(&game->known_offers);
    *game = (struct game){.states = NULL};
}
