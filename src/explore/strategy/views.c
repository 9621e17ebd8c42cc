/* See views.h. */
#include "explore/strategy/views.h"

#include "base/index.h"
#include "lang/syntax/ast.h"

#include <assert.h>
#include <stdlib.h>

/* Variables with their values, while they are found: each pair once. */
struct pairs {
    struct index index;
    uint64_t *items; /* the variable, and the value in the low half */
    uint32_t count;
};

/* Adds a value, once. */
static bool add_value(struct pairs *pairs, struct ledger *ledger, uint32_t variable,
                      uint32_t move) {
    uint64_t item = (uint64_t)variable << 32 | move, hash = index_mix(0, item);
    for (struct index_probe probe = index_begin(hash); index_next(&pairs->index, &probe);)
        if (pairs->items[probe.number] == item) return true;
    if (!LEDGER_ROOM(ledger, pairs->items, (size_t)pairs->count + 1) ||
        !index_add(&pairs->index, hash, pairs->count))
        return false;
    pairs->items[pairs->count++] = item;
    return true;
}

/* The values that a row gives; a class that has the same offer in many rows is looked at once. */
static bool add_row(struct views *views, struct pairs *pairs, uint32_t *offers, uint32_t row) {
    const struct game *game = views->game;
    bool waits = game->coalition->modes & MODE_WAIT;
    uint32_t count;
    const struct condition *items = game_offer(game, row, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t decider = items[i].decider, variable = variable_at(views, decider, row);
        if (offers[variable] == game->offers[row] + 1) continue;
        if (!add_value(pairs, &game->work->ledger, variable, items[i].move)) return false;
        if (waits && !is_receiver(game, decider) &&
            !add_value(pairs, &game->work->ledger, variable, NO_MOVE))
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        offers[variable_at(views, items[i].decider, row)] = game->offers[row] + 1;
    return true;
}

static int compare_pairs(const void *left, const void *right) {
    const uint64_t *one = left, *other = right;
    return (*one > *other) - (*one < *other);
}

static bool collect(struct views *views, struct pairs *pairs) {
    struct row_steps *values = &views->values;
    uint32_t at = 0;
    if (pairs->count) qsort(pairs->items, pairs->count, sizeof *pairs->items, compare_pairs);
    for (uint32_t v = 0; v < views->variable_count; v++) {
        for (; at < pairs->count && pairs->items[at] >> 32 == v; at++)
            if (!rows_add_step(values, (uint32_t)pairs->items[at], 0)) return false;
        if (!rows_add_row(values)) return false;
    }
    assert(at == pairs->count);
    return true;
}

static bool find_values(struct views *views) {
    struct work *work = views->game->work;
    struct pairs pairs = {.index.memory = ledger_memory(&work->ledger)};
    uint32_t *offers = work_take(work, views->variable_count, sizeof *offers);
    bool is_fine = offers != NULL;
    EACH_ROW_IN_TIME (work, row) is_fine = add_row(views, &pairs, offers, row);
    is_fine = is_fine && collect(views, &pairs);
    WORK_GIVE(work, offers);
    LEDGER_GIVE(&work->ledger, pairs.items);
    index_close(&pairs.index);
    return is_fine;
}

/* Components of rows that no player takes for others, and the rows of each. */
static bool find_components(struct views *views) {
    struct work *work = views->game->work;
    struct row_steps rows = {.ledger = &work->ledger};
    indistinguishable_chain(&views->component, work, views->classes,
                            views->game->coalition->players.count);
    bool is_fine = work->ledger.limit == LIMIT_NONE;
    for (uint32_t row = 0; is_fine && row < work->row_count; row++) {
        uint32_t component = views->component.of_row[row];
        is_fine =
            (component == NO_CLASS || rows_add_step(&rows, component, 0)) && rows_add_row(&rows);
    }
    is_fine = is_fine && rows_turn(&views->members, &rows);
    rows_close(&rows);
    return is_fine;
}

bool views_open(struct views *views, struct game *game, const struct indistinguishable *classes) {
    const struct coalition *coalition = game->coalition;
    uint64_t count = 0;
    *views = (struct views){
        .game = game, .values.ledger = &game->work->ledger, .members.ledger = &game->work->ledger};
    assert(coalition->players.count); /* nobody sees everything, so to speak */
    views->classes = ARENA_ARRAY(game->work->arena, const struct indistinguishable *,
                                 coalition->players.count + 1);
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
    rows_close(&views->values);
    rows_close(&views->members);
    indistinguishable_close(&views->component, work);
    *views = (struct views){.game = NULL};
}
