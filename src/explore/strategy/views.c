#include "explore/strategy/views.h"

#include "base/sort.h"
#include "explore/graph/lists.h"
#include "lang/syntax/ast.h"

#include <assert.h>
#include <stdlib.h>

/* Adds a value to those that were found, once: the variable, and the value in the low half. */
static bool add_value(struct lists *found, uint32_t variable, uint32_t move) {
    return lists_number(found, &(uint64_t){(uint64_t)variable << 32 | move}, 1) != LISTS_FULL;
}

/* The values that a row gives; a class that has the same offer in many rows is looked at once. */
static bool add_row(struct views *views, struct lists *found, uint32_t *offers, uint32_t row) {
    const struct game *game = views->game;
    uint32_t count;
    const struct condition *items = game_offer(game, row, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t decider = items[i].decider, variable = variable_at(views, decider, row);
        if (offers[variable] == game->offers[row] + 1) continue;
        if (!add_value(found, variable, items[i].move)) return false;
        if (may_choose_nothing(game, decider) && !add_value(found, variable, NO_MOVE)) return false;
    }
    for (uint32_t i = 0; i < count; i++)
        offers[variable_at(views, items[i].decider, row)] = game->offers[row] + 1;
    return true;
}

static bool collect(struct views *views, const struct lists *found) {
    uint64_t *items = (void *)found->items; /* each is a list of its own but for the empty one */
    uint32_t at = 0, count = found->count - 1;
    if (count) qsort(items, count, sizeof *items, compare_u64);
    for (uint32_t v = 0; v < views->variable_count; v++) {
        for (; at < count && items[at] >> 32 == v; at++)
            if (!rows_add_step(&views->values, (uint32_t)items[at], 0)) return false;
        if (!rows_add_row(&views->values)) return false;
    }
    assert(at == count);
    return true;
}

static bool find_values(struct views *views) {
    struct all_states *states = views->game->states;
    struct lists found;
    bool is_fine = lists_open(&found, &states->ledger, sizeof(uint64_t));
    uint32_t *offers = states_take(states, views->variable_count, sizeof *offers);
    EACH_ROW_IN_TIME (states, row) is_fine = add_row(views, &found, offers, row);
    is_fine = is_fine && collect(views, &found);
    STATES_GIVE(states, offers);
    lists_close(&found);
    return is_fine;
}

/* Components of rows that no player takes for others, and the rows of each. */
static bool find_components(struct views *views) {
    struct all_states *states = views->game->states;
    struct row_steps rows = {.ledger = &states->ledger};
    indistinguishable_chain(&views->component, states, views->classes,
                            views->game->coalition->players.count);
    bool is_fine = states->ledger.limit == LIMIT_NONE;
    for (uint32_t row = 0; is_fine && row < states->row_count; row++) {
        uint32_t component = views->component.of_row[row];
        is_fine =
            (component == NO_CLASS || rows_add_step(&rows, component, 0)) && rows_add_row(&rows);
    }
    assert(!is_fine || rows.step_count == store_count(&states->search->store)); /* without gaps */
    is_fine = is_fine && rows_turn(&views->members, &rows);
    rows_close(&rows);
    return is_fine;
}

bool views_open(struct views *views, struct game *game, const struct indistinguishable *classes) {
    const struct coalition *coalition = game->coalition;
    uint64_t count = 0;
    *views = (struct views){.game = game,
                            .values.ledger = &game->states->ledger,
                            .members.ledger = &game->states->ledger};
    assert(coalition->players.count); /* nobody sees everything, so to speak */
    views->classes = ARENA_ARRAY(game->states->arena, const struct indistinguishable *,
                                 coalition->players.count + 1);
    views->base = ARENA_ARRAY(game->states->arena, uint32_t, game->deciders.count + 1);
    for (uint32_t i = 0; i < coalition->players.count; i++)
        views->classes[i] = &classes[coalition->players.items[i].agent->index];
    for (uint32_t i = 0; i < game->deciders.count; i++) {
        views->base[i] = (uint32_t)count;
        count += views->classes[game->deciders.items[i].player]->count;
    }
    if (count >= UINT32_MAX) game->states->ledger.limit = LIMIT_MEMORY;
    views->variable_count = (uint32_t)count;
    return game->states->ledger.limit == LIMIT_NONE && find_values(views) && find_components(views);
}

bool is_certain_value(const struct views *views, uint32_t variable, uint32_t move) {
    const struct row_steps *values = &views->values;
    for (uint64_t i = values->first[variable]; views->is_certain && i < values->first[variable + 1];
         i++)
        if (values->targets[i] == move) return bit_get(views->is_certain, (uint32_t)i);
    return false;
}

bool views_find_certain(struct views *views, const uint64_t *is_real) {
    const struct game *game = views->game;
    struct all_states *states = game->states;
    size_t size = views->values.step_count / 64 + 1;
    views->is_certain = states_take(states, size, sizeof(uint64_t));
    if (!views->is_certain) return false;
    EACH_ROW_IN_TIME (states, row) {
        uint32_t count;
        const struct condition *items = game_offer(game, row, &count);
        for (uint32_t i = 0; bit_get(is_real, row) && i < count; i++) {
            const struct game_decider *decider = &game->deciders.items[items[i].decider];
            if (items[i].strength < STRENGTH_SURE ||
                indistinguishable_has_lost(views->classes[decider->player], row))
                continue;
            uint32_t variable = variable_at(views, items[i].decider, row);
            uint64_t at = views->values.first[variable];
            while (views->values.targets[at] != items[i].move) at++;
            assert(at < views->values.first[variable + 1]); /* it is offered, so it is a value */
            bit_set(views->is_certain, (uint32_t)at);
        }
    }
    return states_go_on(states);
}

/* Gives its rows back to the ledger; may be called where nothing was opened. */
void views_close(struct views *views) {
    if (!views->game) return;
    struct all_states *states = views->game->states;
    if (views->is_certain) STATES_GIVE(states, views->is_certain);
    rows_close(&views->values);
    rows_close(&views->members);
    indistinguishable_close(&views->component, states);
    *views = (struct views){.game = NULL};
}
