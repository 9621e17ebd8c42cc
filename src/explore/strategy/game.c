/* See game.h. */
#include "explore/strategy/game.h"

#include "lang/syntax/ast.h"

#include <assert.h>
#include <string.h>

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
    if (at && !is_before(list->items.items[at - 1], item)) return;
    VEC_PUSH(game->work->arena, &list->items, item);
    for (uint32_t i = list->items.count - 1; i > at; i--)
        list->items.items[i] = list->items.items[i - 1];
    list->items.items[at] = item;
}

/* Deciders */

static uint32_t decider_of_channel(struct game *game, uint32_t player, uint32_t channel) {
    for (uint32_t i = game->coalition->players.count; i < game->deciders.count; i++)
        if (game->deciders.items[i].player == player && game->deciders.items[i].channel == channel)
            return i;
    VEC_PUSH(game->work->arena, &game->deciders, (struct game_decider){player, channel});
    return game->deciders.count - 1;
}

/* The channel of a move in the state that was loaded; code says it where it depends on that. */
static uint32_t channel_of(struct game *game, const struct move *move, const struct unit *code) {
    struct work *work = game->work;
    if (move->channel != ANY_CHANNEL) return move->channel;
    if (!code || work_run(work, code) != RUN_TRUE) return NO_SLOT;
    return (uint32_t)work->machine.registers[0];
}

static uint32_t decider_of(struct game *game, const struct move *move, const struct unit *code) {
    if (is_own_move(game->coalition, move)) return move->player;
    return decider_of_channel(game, move->player, channel_of(game, move, code));
}

/* Whether the channel of a move, if it has one, is one in the state that was loaded. */
static bool has_channel(struct game *game, const struct move *move, const struct unit *code) {
    return !code || channel_of(game, move, code) != NO_SLOT;
}

/* What is possible in the state that was loaded. A guard that cannot be evaluated does not hold,
 * and no move is made over a channel that there is not. */
static uint32_t find_offer(struct game *game, struct list *list) {
    struct work *work = game->work;
    const struct coalition *coalition = game->coalition;
    const struct layout *layout = work->search->layout;
    list->items.count = 0;
    for (uint32_t i = 0; i < coalition->players.count; i++) {
        const struct player *player = &coalition->players.items[i];
        uint32_t field = layout_location(layout, player->process->index);
        uint32_t location = (uint32_t)field_get(&layout->fields[field], work->state);
        const struct row_range *range = &player->tests[location];
        for (uint32_t k = range->first; k < range->first + range->count; k++) {
            const struct move_test *test = &coalition->tests.items[k];
            if (!test->is_always && work_run(work, &test->guard) != RUN_TRUE) continue;
            const struct move *move = &coalition->moves.items[test->move];
            if (!has_channel(game, move, test->channel)) continue;
            insert(game, list,
                   (struct condition){decider_of(game, move, test->channel), test->move});
        }
    }
    return tuples_number(&game->known_offers, list->items.items, list->items.count);
}

/* Steps */

/* The conditions of one step of the state that was loaded. */
static uint32_t find_label(struct game *game, const struct step_record *record, struct list *list) {
    const struct coalition *coalition = game->coalition;
    const struct expander *expander = game->work->expander;
    list->items.count = 0;
    for (uint32_t i = 0; i < record->part_count; i++) {
        uint32_t instance = expander->parts.items[record->first_part + i];
        uint32_t number = coalition->move_of[instance];
        if (number == NO_MOVE) continue;
        const struct unit *code = &expander->program->instances.items[instance].channel_code;
        insert(game, list,
               (struct condition){decider_of(game, &coalition->moves.items[number], code), number});
    }
    if (!list->items.count) return 0;
    return tuples_number(&game->known_labels, list->items.items, list->items.count);
}

static bool grow(struct game *game, uint32_t more) {
    struct work *work = game->work;
    if (game->capacity - game->count >= more) return true;
    uint64_t capacity = (uint64_t)game->capacity * 2 + more + (1 << 10);
    if (capacity > UINT32_MAX) work->ledger.limit = LIMIT_MEMORY;
    uint32_t *targets = work_take(work, capacity, sizeof *targets);
    uint32_t *labels = work_take(work, capacity, sizeof *labels);
    if (!labels) {
        work_give(work, targets, capacity, sizeof *targets);
        return false;
    }
    if (game->count) {
        memcpy(targets, game->targets, game->count * sizeof *targets);
        memcpy(labels, game->labels, game->count * sizeof *labels);
    }
    work_give(work, game->targets, game->capacity, sizeof *targets);
    work_give(work, game->labels, game->capacity, sizeof *labels);
    game->targets = targets;
    game->labels = labels;
    game->capacity = (uint32_t)capacity;
    return true;
}

static bool add_row(struct game *game, struct list *list, uint32_t row) {
    struct work *work = game->work;
    struct expander *expander = work->expander;
    if (!work_expand(work, row) || !grow(game, expander_degree(expander))) return false;
    for (uint32_t i = 0; i < expander_degree(expander); i++) {
        game->targets[game->count] = work_successor(work, i);
        game->labels[game->count++] = find_label(game, &expander->records.items[i], list);
    }
    game->offers[row] = find_offer(game, list);
    return work->ledger.limit == LIMIT_NONE;
}

/* Counting sort by target. */
static bool turn_around(struct game *game) {
    struct work *work = game->work;
    uint32_t rows = game->row_count;
    game->first_source = work_take(work, (size_t)rows + 1, sizeof(uint32_t));
    game->sources = work_take(work, game->capacity, sizeof(uint32_t));
    if (!game->sources) return false;
    for (uint32_t i = 0; i < game->count; i++) game->first_source[game->targets[i] + 1]++;
    for (uint32_t row = 0; row < rows; row++)
        game->first_source[row + 1] += game->first_source[row];
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = game->first[row]; i < game->first[row + 1]; i++)
            game->sources[game->first_source[game->targets[i]]++] = row;
    for (uint32_t row = rows; row > 0; row--) game->first_source[row] = game->first_source[row - 1];
    game->first_source[0] = 0;
    return true;
}

bool game_open(struct game *game, struct work *work, const struct coalition *coalition) {
    struct list list = {0};
    uint32_t rows = work->row_count, next = 0;
    *game = (struct game){.work = work, .coalition = coalition, .row_count = rows};
    for (uint32_t i = 0; i < coalition->players.count; i++)
        VEC_PUSH(work->arena, &game->deciders, (struct game_decider){i, NO_SLOT});
    game->first = work_take(work, (size_t)rows + 1, sizeof(uint32_t));
    game->offers = work_take(work, rows, sizeof(uint32_t));
    if (!tuples_open(&game->known_labels, work) || !tuples_open(&game->known_offers, work) ||
        !game->offers)
        return false;
    work->expander->is_recording = true;
    for (uint32_t row = work_first(work); row < rows && work_goes_on(work);
         row = work_next(work, row)) {
        while (next <= row) game->first[next++] = game->count; /* with gaps, which have no steps */
        if (!add_row(game, &list, row)) break;
    }
    work->expander->is_recording = false;
    while (next <= rows) game->first[next++] = game->count;
    return work_goes_on(work) && turn_around(game);
}

/* Gives the moves back to the work; may be called where nothing was opened. */
void game_close(struct game *game) {
    struct work *work = game->work;
    if (!work) return;
    work_give(work, game->first, (size_t)game->row_count + 1, sizeof(uint32_t));
    work_give(work, game->first_source, (size_t)game->row_count + 1, sizeof(uint32_t));
    work_give(work, game->offers, game->row_count, sizeof(uint32_t));
    work_give(work, game->targets, game->capacity, sizeof(uint32_t));
    work_give(work, game->labels, game->capacity, sizeof(uint32_t));
    work_give(work, game->sources, game->capacity, sizeof(uint32_t));
    tuples_close(&game->known_labels);
    tuples_close(&game->known_offers);
    *game = (struct game){.work = NULL};
}
