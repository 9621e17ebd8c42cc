#include "explore/strategy/picker.h"

#include "lang/syntax/ast.h"

#include <assert.h>
#include <string.h>

enum { IS_BAD = 1, IS_GOOD = 2 };

/* False at a limit, which the ledger notes. views may be NULL. Close it either way. */
bool picker_open(struct picker *picker, struct game *game, const struct views *views) {
    struct all_states *states = game->states;
    *picker = (struct picker){.game = game, .views = views};
    picker->key_count = views ? views->variable_count : game->deciders.count;
    picker->value_count = views ? (uint32_t)views->values.step_count : 0;
    picker->local_of = states_take(states, picker->key_count, sizeof(uint32_t));
    picker->is_dead = states_take(states, picker->value_count, 1);
    picker->by_level = states_take(states, states->row_count, sizeof(uint32_t));
    picker->level_of = states_take(states, states->row_count, sizeof(uint32_t));
    picker->first_of_level = states_take(states, (size_t)picker->key_count + 2, sizeof(uint32_t));
    picker->flags = states_take(states, game->coalition->moves.count, 1);
    return picker->flags != NULL;
}

/* Gives its rows back to the ledger; may be called where nothing was opened. */
void picker_close(struct picker *picker) {
    if (!picker->game) return;
    struct all_states *states = picker->game->states;
    STATES_GIVE(states, picker->local_of, picker->is_dead, picker->by_level, picker->level_of,
                picker->first_of_level, picker->flags);
    *picker = (struct picker){.game = NULL};
}

static bool is_reached(const struct aim *aim, uint32_t row) { return aim->rank[row] < aim->limit; }

/* One row, where no step depends on two choices. */

/* What a decider can choose among the items of an offer from first to end, so that nothing bad
 * comes of it; what it does not choose among them is to wait, or to receive in any way. */
static bool choose_simply(const struct picker *picker, const struct condition *items,
                          uint32_t first, uint32_t end, uint32_t row, bool *has_step) {
    assert(first < end);
    const struct game *game = picker->game;
    uint32_t decider = items[first].decider, all = 0, values = end - first;
    bool is_free = is_receiver(game, decider), is_fine = false;
    if (picker->views)
        values = value_count(picker->views, variable_at(picker->views, decider, row));
    else if (!is_free && game->coalition->modes & MODE_WAIT)
        values++;
    for (uint32_t i = first; i < end; i++) {
        uint8_t flags = picker->flags[items[i].move];
        all |= flags;
        if (flags & IS_BAD) continue;
        is_fine = true;
        *has_step |= flags == IS_GOOD;
    }
    if (values == end - first) return is_fine;
    if (!is_free) return true;
    *has_step |= all == IS_GOOD;
    return is_fine || !(all & IS_BAD);
}

static enum able choose_among(const struct picker *picker, const struct aim *aim, uint32_t row,
                              bool has_step) {
    uint32_t count;
    const struct condition *items = game_offer(picker->game, row, &count);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && items[end].decider == items[first].decider;) end++;
        if (!choose_simply(picker, items, first, end, row, &has_step)) return ABLE_NO;
    }
    return has_step || is_reached(aim, row) ? ABLE_YES : ABLE_NO;
}

/* Whether a move is offered to two deciders: it receives on channels that depend on the state. */
static bool is_ambiguous(const struct picker *picker, uint32_t row) {
    uint32_t count;
    const struct condition *items = game_offer(picker->game, row, &count);
    bool is_found = false;
    for (uint32_t i = 0; i < count; i++) {
        is_found |= picker->flags[items[i].move];
        picker->flags[items[i].move] = 1;
    }
    for (uint32_t i = 0; i < count; i++) picker->flags[items[i].move] = 0;
    return is_found;
}

enum able pick_at(struct picker *picker, const struct aim *aim, uint32_t row) {
    assert(row < picker->game->states->row_count);
    const struct game *game = picker->game;
    if (game->outlook != OUTLOOK_EXACT) return pick_for(picker, aim, &row, 1);
    bool has_step = false, is_coupled = is_ambiguous(picker, row), is_lost = false;
    uint32_t count;
    for (uint64_t i = game->rows.first[row]; i < game->rows.first[row + 1] && !is_lost; i++) {
        bool is_good = is_reached(aim, game->rows.targets[i]);
        const struct condition *label = game_label(game, i, &count);
        is_coupled |= count > 1;
        is_lost = !count && !is_good;
        has_step |= !count && is_good;
        if (count == 1) picker->flags[label->move] |= is_good ? IS_GOOD : IS_BAD;
    }
    enum able able = ABLE_NO;
    if (!is_lost && !is_coupled) able = choose_among(picker, aim, row, has_step);
    const struct condition *items = game_offer(game, row, &count);
    for (uint32_t i = 0; i < count; i++) picker->flags[items[i].move] = 0;
    return is_coupled && !is_lost ? pick_for(picker, aim, &row, 1) : able;
}

/* Several rows, or steps that depend on several choices */

static uint32_t key_at(const struct picker *picker, uint32_t decider, uint32_t row) {
    assert(decider < picker->game->deciders.count);
    return picker->views ? variable_at(picker->views, decider, row) : decider;
}

static uint32_t local_at(const struct picker *picker, uint32_t decider, uint32_t row) {
    return picker->local_of[key_at(picker, decider, row)] - 1;
}

/* The variable of a decider at a row. Without views its values are what is offered there. */
static void add_local(struct picker *picker, const struct condition *items, uint32_t first,
                      uint32_t end, uint32_t row) {
    const struct game *game = picker->game;
    struct arena *arena = game->states->arena;
    uint32_t decider = items[first].decider, key = key_at(picker, decider, row);
    struct picked local = {.key = key};
    if (picker->local_of[key]) return;
    assert(key < picker->key_count);
    if (picker->views) {
        local.first = (uint32_t)picker->views->values.first[key];
        local.count = value_count(picker->views, key);
    } else {
        local.first = picker->pool.count;
        for (uint32_t i = first; i < end; i++) VEC_PUSH(arena, &picker->pool, items[i].move);
        if (may_choose_nothing(game, decider)) VEC_PUSH(arena, &picker->pool, NO_MOVE);
        local.count = picker->pool.count - local.first;
        while (picker->pool_dead.count < picker->pool.count) VEC_PUSH(arena, &picker->pool_dead, 0);
    }
    VEC_PUSH(arena, &picker->locals, local);
    picker->local_of[key] = picker->locals.count;
}

static void add_locals(struct picker *picker, uint32_t row) {
    uint32_t count;
    const struct condition *items = game_offer(picker->game, row, &count);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && items[end].decider == items[first].decider;) end++;
        add_local(picker, items, first, end, row);
    }
}

static const uint32_t *values_of(const struct picker *picker) {
    return picker->views ? picker->views->values.targets : picker->pool.items;
}

static uint8_t *dead_of(struct picker *picker) {
    return picker->views ? picker->is_dead : picker->pool_dead.items;
}

/* Whether the value at a place can be chosen in the original. */
static bool is_certain(const struct picker *picker, uint32_t place) {
    return picker->views && picker->views->is_certain && bit_get(picker->views->is_certain, place);
}

/* Whether a chance is one that must lead into the set. */
static bool counts(const struct picker *picker, const struct chance *chance) {
    return picker->game->outlook == OUTLOOK_POSSIBLE ? chance->certainly : chance->happens;
}

/* Whether the value of a decider lets a step happen whose condition it is. */
static bool lets(const struct picker *picker, const struct chance *before,
                 const struct condition *condition, uint32_t row, uint32_t place) {
    struct chance chance = *before;
    chance_narrow(&chance, picker->game, row, condition, values_of(picker)[place],
                  is_certain(picker, place));
    return counts(picker, &chance);
}

/* Values that let something bad happen by themselves are none. False if something bad happens in
 * any case. */
static bool leave_out_bad(struct picker *picker, const struct aim *aim, uint32_t row) {
    const struct game *game = picker->game;
    uint8_t *is_dead = dead_of(picker);
    uint32_t count;
    for (uint64_t i = game->rows.first[row]; i < game->rows.first[row + 1]; i++) {
        if (is_reached(aim, game->rows.targets[i])) continue;
        const struct condition *label = game_label(game, i, &count);
        struct chance chance = chance_of_step(game, i);
        if (!counts(picker, &chance)) continue;
        if (!count) return false;
        if (count > 1) continue;
        const struct picked *local = &picker->locals.items[local_at(picker, label->decider, row)];
        for (uint32_t k = local->first; k < local->first + local->count; k++)
            if (lets(picker, &chance, label, row, k)) is_dead[k] = 1;
    }
    return true;
}

static uint32_t value_of(const struct picker *picker, const struct picked *local) {
    assert(local->chosen < local->count);
    return values_of(picker)[local->first + local->chosen];
}

/* Whether all is well in a row, all of whose variables have values. */
static bool is_well(const struct picker *picker, const struct aim *aim, uint32_t row) {
    const struct game *game = picker->game;
    bool has_step = false, has_good = false;
    for (uint64_t i = game->rows.first[row]; i < game->rows.first[row + 1]; i++) {
        uint32_t count;
        const struct condition *label = game_label(game, i, &count);
        struct chance chance = chance_of_step(game, i);
        for (uint32_t k = 0; k < count && chance.happens; k++) {
            const struct picked *local =
                &picker->locals.items[local_at(picker, label[k].decider, row)];
            chance_narrow(&chance, game, row, &label[k], value_of(picker, local),
                          is_certain(picker, local->first + local->chosen));
        }
        bool is_good = is_reached(aim, game->rows.targets[i]);
        if (counts(picker, &chance) && !is_good) return false;
        has_step |= chance.goes_on;
        has_good |= chance.happens && is_good;
    }
    if (game->outlook == OUTLOOK_POSSIBLE) return has_good || (!has_step && is_reached(aim, row));
    return has_step || is_reached(aim, row);
}

/* Rows in the order of the last variable that they need. */
static void sort_rows(struct picker *picker, const uint32_t *rows, uint32_t count) {
    uint32_t levels = picker->locals.count + 1, items;
    memset(picker->first_of_level, 0, ((size_t)levels + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        const struct condition *offer = game_offer(picker->game, rows[i], &items);
        uint32_t level = 0;
        for (uint32_t k = 0; k < items; k++) {
            uint32_t local = local_at(picker, offer[k].decider, rows[i]) + 1;
            if (local > level) level = local;
        }
        picker->level_of[i] = level;
        picker->first_of_level[level + 1]++;
    }
    for (uint32_t i = 0; i < levels; i++)
        picker->first_of_level[i + 1] += picker->first_of_level[i];
    for (uint32_t i = 0; i < count; i++)
        picker->by_level[picker->first_of_level[picker->level_of[i]]++] = rows[i];
    for (uint32_t i = levels; i > 0; i--) picker->first_of_level[i] = picker->first_of_level[i - 1];
    picker->first_of_level[0] = 0;
}

/* Whether all is well in the rows that need the variables up to a level and no more. */
static bool is_level_well(const struct picker *picker, const struct aim *aim, uint32_t level) {
    for (uint32_t i = picker->first_of_level[level]; i < picker->first_of_level[level + 1]; i++)
        if (!is_well(picker, aim, picker->by_level[i])) return false;
    return true;
}

/* Tries values one variable after the other. */
static enum able search(struct picker *picker, const struct aim *aim) {
    uint32_t level = 0, tries = 0, count = picker->locals.count;
    if (!is_level_well(picker, aim, 0)) return ABLE_NO;
    bool is_back = false;
    while (level < count) {
        struct picked *local = &picker->locals.items[level];
        local->chosen = is_back ? local->chosen + 1 : 0;
        while (local->chosen < local->count && dead_of(picker)[local->first + local->chosen])
            local->chosen++;
        if (local->chosen == local->count) {
            local->chosen = 0; /* a value in any case: with ABLE_OPEN somebody may look at it */
            if (!level--) return ABLE_NO;
            is_back = true;
            continue;
        }
        if (tries++ >= PICKER_MAX_TRIES || !states_go_on(picker->game->states)) return ABLE_OPEN;
        is_back = !is_level_well(picker, aim, level + 1);
        level += !is_back;
    }
    return ABLE_YES;
}

/* Forgets the last question. */
static void clear(struct picker *picker) {
    for (uint32_t i = 0; i < picker->locals.count; i++) {
        const struct picked *local = &picker->locals.items[i];
        picker->local_of[local->key] = 0;
        if (local->count) memset(dead_of(picker) + local->first, 0, local->count);
    }
    picker->locals.count = picker->pool.count = picker->pool_dead.count = 0;
}

enum able pick_for(struct picker *picker, const struct aim *aim, const uint32_t *rows,
                   uint32_t count) {
    assert(picker->views || count == 1);
    clear(picker);
    for (uint32_t i = 0; i < count; i++) add_locals(picker, rows[i]);
    for (uint32_t i = 0; i < count; i++)
        if (!leave_out_bad(picker, aim, rows[i])) return ABLE_NO;
    sort_rows(picker, rows, count);
    enum able able = search(picker, aim);
    if (able == ABLE_OPEN && picker->game->outlook == OUTLOOK_SURE) able = ABLE_NO;
    if (able == ABLE_OPEN && picker->game->outlook == OUTLOOK_POSSIBLE) able = ABLE_YES;
    return able;
}

uint32_t picked_value(const struct picker *picker, uint32_t local) {
    assert(local < picker->locals.count);
    return value_of(picker, &picker->locals.items[local]);
}

bool picked_at(const struct picker *picker, uint32_t decider, uint32_t row, uint32_t *move) {
    uint32_t local = local_at(picker, decider, row);
    if (local == UINT32_MAX) return false;
    *move = picked_value(picker, local);
    return true;
}
