/* See views.h. */
#include "explore/strategy/views.h"

#include "lang/syntax/ast.h"

#include <assert.h>
#include <stdlib.h>

/* Values of variables as chained lists, while they are found. */
struct chains {
    uint32_t *heads;          /* by variable: node plus one */
    uint32_t *moves, *others; /* by node */
    uint32_t count, capacity;
};

static bool grow(struct chains *chains, struct work *work) {
    if (chains->count < chains->capacity) return true;
    uint32_t capacity = chains->capacity ? chains->capacity * 2 : 1 << 8;
    if (capacity > UINT32_MAX / 4) work->ledger.limit = LIMIT_MEMORY;
    uint32_t *moves = work_take(work, capacity, sizeof *moves);
    uint32_t *others = work_take(work, capacity, sizeof *others);
    if (!others) {
        work_give(work, moves, capacity, sizeof *moves);
        return false;
    }
    if (chains->count) {
        memcpy(moves, chains->moves, chains->count * sizeof *moves);
        memcpy(others, chains->others, chains->count * sizeof *others);
    }
    work_give(work, chains->moves, chains->capacity, sizeof *moves);
    work_give(work, chains->others, chains->capacity, sizeof *others);
    chains->moves = moves;
    chains->others = others;
    chains->capacity = capacity;
    return true;
}

/* Adds a value, once. */
static bool add_value(struct chains *chains, struct work *work, uint32_t variable, uint32_t move) {
    for (uint32_t i = chains->heads[variable]; i; i = chains->others[i - 1])
        if (chains->moves[i - 1] == move) return true;
    if (!grow(chains, work)) return false;
    chains->moves[chains->count] = move;
    chains->others[chains->count] = chains->heads[variable];
    chains->heads[variable] = ++chains->count;
    return true;
}

/* The values that a row gives; a class that has the same offer in many rows is looked at once. */
static bool add_row(struct views *views, struct chains *chains, uint32_t *offers, uint32_t row) {
    const struct game *game = views->game;
    bool waits = game->coalition->modes & MODE_WAIT;
    uint32_t count;
    const struct condition *items = game_offer(game, row, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t decider = items[i].decider, variable = variable_at(views, decider, row);
        if (offers[variable] == game->offers[row] + 1) continue;
        if (!add_value(chains, game->work, variable, items[i].move)) return false;
        if (waits && !is_receiver(game, decider) &&
            !add_value(chains, game->work, variable, NO_MOVE))
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        offers[variable_at(views, items[i].decider, row)] = game->offers[row] + 1;
    return true;
}

static int compare_moves(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static bool collect(struct views *views, const struct chains *chains) {
    struct work *work = views->game->work;
    uint32_t at = 0;
    views->first = work_take(work, (size_t)views->variable_count + 1, sizeof(uint32_t));
    views->moves = work_take(work, chains->count, sizeof(uint32_t));
    if (!views->first || !views->moves) return false;
    views->move_count = chains->count;
    for (uint32_t v = 0; v < views->variable_count; v++) {
        views->first[v] = at;
        for (uint32_t i = chains->heads[v]; i; i = chains->others[i - 1])
            views->moves[at++] = chains->moves[i - 1];
        qsort(views->moves + views->first[v], at - views->first[v], sizeof(uint32_t),
              compare_moves);
    }
    views->first[views->variable_count] = at;
    assert(at == views->move_count);
    return true;
}

static bool find_values(struct views *views) {
    struct work *work = views->game->work;
    struct chains chains = {0};
    uint32_t *offers = work_take(work, views->variable_count, sizeof *offers);
    chains.heads = work_take(work, views->variable_count, sizeof(uint32_t));
    bool is_fine = chains.heads != NULL;
    for (uint32_t row = work_first(work); is_fine && row < work->row_count && work_goes_on(work);
         row = work_next(work, row))
        is_fine = add_row(views, &chains, offers, row);
    is_fine = is_fine && collect(views, &chains);
    work_give(work, offers, views->variable_count, sizeof(uint32_t));
    work_give(work, chains.heads, views->variable_count, sizeof(uint32_t));
    work_give(work, chains.moves, chains.capacity, sizeof(uint32_t));
    work_give(work, chains.others, chains.capacity, sizeof(uint32_t));
    return is_fine;
}

/* Components */

static uint32_t root_of(uint32_t *parents, uint32_t at) {
    while (parents[at] != at) {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    return at;
}

/* Joins the classes of all players that share a row; without players every row is alone. */
static void join(struct views *views, uint32_t *parents) {
    struct work *work = views->game->work;
    uint32_t players = views->game->coalition->players.count;
    for (uint32_t row = work_first(work); row < work->row_count; row = work_next(work, row))
        for (uint32_t i = 1; i < players; i++)
            parents[root_of(parents, views->base[i] + views->classes[i]->of_row[row])] =
                root_of(parents, views->base[0] + views->classes[0]->of_row[row]);
    for (uint32_t row = work_first(work); row < work->row_count; row = work_next(work, row))
        views->component[row] = root_of(parents, views->base[0] + views->classes[0]->of_row[row]);
}

/* Gives components numbers from 0 on, and lists their rows. */
static bool number_components(struct views *views, uint32_t *numbers) {
    struct work *work = views->game->work;
    for (uint32_t row = work_first(work); row < work->row_count; row = work_next(work, row)) {
        uint32_t *number = &numbers[views->component[row]];
        if (!*number) *number = ++views->component_count;
        views->component[row] = *number - 1;
    }
    views->first_row = work_take(work, (size_t)views->component_count + 1, sizeof(uint32_t));
    views->rows = work_take(work, work->row_count, sizeof(uint32_t));
    if (!views->first_row || !views->rows) return false;
    for (uint32_t row = work_first(work); row < work->row_count; row = work_next(work, row))
        views->first_row[views->component[row] + 1]++;
    for (uint32_t i = 0; i < views->component_count; i++)
        views->first_row[i + 1] += views->first_row[i];
    for (uint32_t row = work_first(work); row < work->row_count; row = work_next(work, row))
        views->rows[views->first_row[views->component[row]]++] = row;
    for (uint32_t i = views->component_count; i > 0; i--)
        views->first_row[i] = views->first_row[i - 1];
    views->first_row[0] = 0;
    return true;
}

static bool find_components(struct views *views) {
    struct work *work = views->game->work;
    uint32_t count = views->variable_count;
    views->component = work_take(work, work->row_count, sizeof(uint32_t));
    uint32_t *parents = work_take(work, count, sizeof *parents);
    uint32_t *numbers = work_take(work, count, sizeof *numbers);
    bool is_fine = views->component && parents && numbers;
    for (uint32_t i = 0; is_fine && i < count; i++) parents[i] = i;
    if (is_fine) join(views, parents);
    is_fine = is_fine && number_components(views, numbers);
    work_give(work, parents, count, sizeof *parents);
    work_give(work, numbers, count, sizeof *numbers);
    return is_fine;
}

bool views_open(struct views *views, struct game *game, const struct alike *classes) {
    const struct coalition *coalition = game->coalition;
    uint64_t count = 0;
    *views = (struct views){.game = game};
    assert(coalition->players.count); /* nobody sees everything, so to speak */
    views->classes =
        ARENA_ARRAY(game->work->arena, const struct alike *, coalition->players.count + 1);
    views->base = ARENA_ARRAY(game->work->arena, uint32_t, game->deciders.count + 1);
    for (uint32_t i = 0; i < coalition->players.count; i++)
        views->classes[i] = &classes[coalition->players.items[i].agent->index];
    for (uint32_t i = 0; i < game->deciders.count; i++) {
        views->base[i] = (uint32_t)count;
        count += views->classes[game->deciders.items[i].player]->count;
    }
    if (count >= UINT32_MAX) game->work->ledger.limit = LIMIT_MEMORY;
    views->variable_count = (uint32_t)count;
    return game->work->ledger.limit == LIMIT_NONE && find_values(views) && find_components(views);
}

/* Gives its rows back to the work; may be called where nothing was opened. */
void views_close(struct views *views) {
    if (!views->game) return;
    struct work *work = views->game->work;
    work_give(work, views->first, (size_t)views->variable_count + 1, sizeof(uint32_t));
    work_give(work, views->moves, views->move_count, sizeof(uint32_t));
    work_give(work, views->component, work->row_count, sizeof(uint32_t));
    work_give(work, views->first_row, (size_t)views->component_count + 1, sizeof(uint32_t));
    work_give(work, views->rows, work->row_count, sizeof(uint32_t));
    *views = (struct views){.game = NULL};
}
