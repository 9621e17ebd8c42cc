#include "explore/strategy/uniform.h"

#include <assert.h>
#include <string.h>

#define NO_PARENT UINT32_MAX
enum { EFFORT_OF_TRY = 1 << 10 };

static struct all_states *work_of(const struct uniform *uniform) {
    return uniform->views->game->states;
}

/* False at a limit, which the ledger notes. Borrows views and goal; close it either way. */
bool uniform_open(struct uniform *uniform, const struct views *views, const struct goal *goal,
                  uint64_t budget) {
    struct all_states *states = views->game->states;
    uint32_t rows = states->row_count, variables = views->variable_count;
    *uniform = (struct uniform){.views = views, .goal = goal, .budget = budget};
    uniform->value = states_take(states, variables, sizeof(uint32_t));
    uniform->level_of = states_take(states, variables, sizeof(uint32_t));
    uint32_t **const lists[] = {&uniform->reached, &uniform->parent,    &uniform->position_of,
                                &uniform->stack,   &uniform->next_step, &uniform->seen};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = states_take(states, rows, sizeof(uint32_t));
    for (uint32_t i = 0; i < variables && uniform->most_levels < UNIFORM_MAX_LEVELS; i++)
        uniform->most_levels += value_count(views, i) > 1;
    uint32_t levels = uniform->most_levels, words = uniform->conflict_words = levels / 64 + 1;
    uniform->levels = states_take(states, levels, sizeof *uniform->levels);
    uniform->conflicts = states_take(states, (size_t)levels * words, sizeof(uint64_t));
    uniform->conflict = states_take(states, words, sizeof(uint64_t));
    return uniform->conflict != NULL;
}

/* Gives its rows back to the ledger; may be called where nothing was opened. */
void uniform_close(struct uniform *uniform) {
    if (!uniform->views) return;
    STATES_GIVE(work_of(uniform), uniform->value, uniform->level_of, uniform->reached,
                uniform->parent, uniform->position_of, uniform->stack, uniform->next_step,
                uniform->seen, uniform->levels, uniform->conflicts, uniform->conflict);
    *uniform = (struct uniform){.views = NULL};
}

/* What is chosen */

/* Where there is one value only, it need not be chosen. */
uint32_t uniform_value(const struct uniform *uniform, uint32_t variable) {
    if (value_count(uniform->views, variable) == 1)
        return uniform->views->values.targets[uniform->views->values.first[variable]];
    return uniform->level_of[variable] ? uniform->value[variable] : NO_VALUE;
}

static struct chance chance_at(const struct uniform *uniform, uint32_t row, uint64_t step) {
    const struct game *game = uniform->views->game;
    uint32_t count;
    const struct condition *label = game_label(game, step, &count);
    struct chance chance = chance_of_step(game, step);
    for (uint32_t i = 0; i < count && chance.happens; i++) {
        uint32_t decider = label[i].decider;
        uint32_t variable = variable_at(uniform->views, decider, row);
        uint32_t value = uniform_value(uniform, variable);
        assert(value != NO_VALUE);
        chance_narrow(&chance, game, row, &label[i], value,
                      is_certain_value(uniform->views, variable, value));
    }
    return chance;
}

/* A variable of a row that has no value yet; false if there is none. */
static bool find_unknown(const struct uniform *uniform, uint32_t row, uint32_t *variable) {
    uint32_t count;
    const struct condition *items = game_offer(uniform->views->game, row, &count);
    for (uint32_t i = 0; i < count; i++) {
        *variable = variable_at(uniform->views, items[i].decider, row);
        if (uniform_value(uniform, *variable) == NO_VALUE) return true;
    }
    return false;
}

/* Conflicts: sets of levels */

static void blame_row(struct uniform *uniform, uint32_t row) {
    uint32_t count;
    const struct condition *items = game_offer(uniform->views->game, row, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t level = uniform->level_of[variable_at(uniform->views, items[i].decider, row)];
        if (level) bit_set(uniform->conflict, level - 1);
    }
}

/* The choices on the way to a row, and its own. */
static void blame_way(struct uniform *uniform, uint32_t place) {
    for (; place != NO_PARENT; place = uniform->parent[place])
        blame_row(uniform, uniform->reached[place]);
}

/* The latest level of the conflict; false if there is none. */
static bool latest(const struct uniform *uniform, uint32_t *level) {
    for (uint32_t i = uniform->level_count; i-- > 0;)
        if (bit_get(uniform->conflict, i)) {
            *level = i;
            return true;
        }
    return false;
}

/* Playing */

static void reach(struct uniform *uniform, uint32_t row, uint32_t parent) {
    if (uniform->position_of[row]) return;
    assert(uniform->reached_count < work_of(uniform)->row_count);
    uniform->reached[uniform->reached_count] = row;
    uniform->parent[uniform->reached_count] = parent;
    uniform->position_of[row] = ++uniform->reached_count;
}

static bool is_closed(const struct uniform *uniform, uint32_t row) {
    return bit_get(uniform->closed, row);
}

/* Whether a way leads from a row that was expanded to another one; then it is to blame. */
static bool leads_to(struct uniform *uniform, uint32_t from, uint32_t to) {
    const struct game *game = uniform->views->game;
    uint32_t depth = 0;
    uniform->mark++;
    uniform->stack[0] = from;
    uniform->next_step[0] = (uint32_t)game->rows.first[from];
    uniform->seen[from] = uniform->mark;
    for (;;) {
        uint32_t row = uniform->stack[depth], step = uniform->next_step[depth]++;
        if (row == to) break;
        if (step == game->rows.first[row + 1]) {
            if (!depth--) return false;
            continue;
        }
        uint32_t target = game->rows.targets[step], place = uniform->position_of[target];
        bool is_expanded = place && place <= uniform->expanded + 1;
        if (is_closed(uniform, target) || !is_expanded || uniform->seen[target] == uniform->mark ||
            !chance_at(uniform, row, step).happens)
            continue;
        uniform->effort++;
        uniform->seen[target] = uniform->mark;
        uniform->stack[++depth] = target;
        assert(depth < uniform->reached_count); /* each row is seen once */
        uniform->next_step[depth] = (uint32_t)game->rows.first[target];
    }
    for (uint32_t i = 0; i <= depth; i++) blame_row(uniform, uniform->stack[i]);
    return true;
}

/* Whether a step from a row that is being expanded closes a cycle. */
static bool closes_cycle(struct uniform *uniform, uint32_t row, uint32_t target) {
    uint32_t place = uniform->position_of[target];
    if (!uniform->goal->is_least || !place || place > uniform->expanded + 1) return false;
    if (is_closed(uniform, target)) return false;
    return leads_to(uniform, target, row);
}

/* All that happens in a row; false if that is a failure, which the conflict explains then. */
static bool expand(struct uniform *uniform, uint32_t place) {
    const struct game *game = uniform->views->game;
    uint32_t row = uniform->reached[place];
    bool has_step = false, fails = false;
    assert(uniform->position_of[row] == place + 1 && !is_closed(uniform, row));
    uniform->effort++;
    for (uint64_t i = game->rows.first[row]; i < game->rows.first[row + 1] && !fails; i++) {
        uint32_t target = game->rows.targets[i];
        struct chance chance = chance_at(uniform, row, i);
        if (!chance.happens) continue;
        has_step |= chance.goes_on;
        fails = (!is_closed(uniform, target) && !bit_get(uniform->possible, target)) ||
                closes_cycle(uniform, row, target);
        if (!fails) reach(uniform, target, place);
    }
    fails |= !has_step && uniform->goal->is_least;
    if (fails) blame_way(uniform, place);
    return !fails;
}

/* Choosing */

/* Steps of a value to rows that were not reached, where it alone decides. */
static uint32_t new_rows(const struct uniform *uniform, uint32_t row, uint32_t variable,
                         uint32_t move) {
    const struct game *game = uniform->views->game;
    uint32_t count, fresh = 0;
    for (uint64_t i = game->rows.first[row]; i < game->rows.first[row + 1]; i++) {
        const struct condition *label = game_label(game, i, &count);
        for (uint32_t k = 0; k < count; k++)
            fresh += label[k].move == move &&
                     variable_at(uniform->views, label[k].decider, row) == variable &&
                     !uniform->position_of[game->rows.targets[i]] &&
                     !is_closed(uniform, game->rows.targets[i]);
    }
    return fresh;
}

/* The values of a variable, those first that lead to the fewest new rows. */
static bool decide(struct uniform *uniform, uint32_t row, uint32_t variable) {
    const struct views *views = uniform->views;
    struct arena *arena = work_of(uniform)->arena;
    uint32_t most = value_count(views, variable), taken = uniform->options.count;
    assert(most > 1 && !uniform->level_of[variable]); /* a choice is one of several, made once */
    if (uniform->level_count == uniform->most_levels) return false;
    struct uniform_level *level = &uniform->levels[uniform->level_count];
    *level =
        (struct uniform_level){variable, taken, most, 0, uniform->reached_count, uniform->expanded};
    memset(uniform->conflicts + (size_t)uniform->level_count * uniform->conflict_words, 0,
           uniform->conflict_words * sizeof(uint64_t));
    for (uint32_t i = 0; i < most; i++) {
        uint32_t move = views->values.targets[views->values.first[variable] + i];
        struct uniform_option option = {move, new_rows(uniform, row, variable, move)};
        uint32_t at = uniform->options.count;
        VEC_PUSH(arena, &uniform->options, option);
        for (; at > taken && uniform->options.items[at - 1].fresh > option.fresh; at--)
            uniform->options.items[at] = uniform->options.items[at - 1];
        uniform->options.items[at] = option;
    }
    uniform->level_of[variable] = ++uniform->level_count;
    uniform->value[variable] = uniform->options.items[taken].move;
    uniform->tries++;
    return true;
}

/* Back to where a level was decided, which stays. */
static void undo(struct uniform *uniform, uint32_t level) {
    const struct uniform_level *kept = &uniform->levels[level];
    assert(level < uniform->level_count && kept->reached_count <= uniform->reached_count);
    while (uniform->level_count > level + 1)
        uniform->level_of[uniform->levels[--uniform->level_count].variable] = 0;
    while (uniform->reached_count > kept->reached_count)
        uniform->position_of[uniform->reached[--uniform->reached_count]] = 0;
    uniform->expanded = kept->expanded;
    uniform->options.count = kept->first + kept->count;
}

/* Changes the latest choice that the conflict is due to; false if there is none. */
static bool jump_back(struct uniform *uniform) {
    uint32_t number;
    while (latest(uniform, &number)) {
        uint64_t *known = uniform->conflicts + (size_t)number * uniform->conflict_words;
        undo(uniform, number);
        assert(uniform->level_of[uniform->levels[number].variable] == number + 1);
        bit_clear(uniform->conflict, number);
        for (uint32_t i = 0; i < uniform->conflict_words; i++) known[i] |= uniform->conflict[i];
        struct uniform_level *level = &uniform->levels[number];
        if (++level->chosen < level->count) {
            uniform->value[level->variable] =
                uniform->options.items[level->first + level->chosen].move;
            uniform->tries++;
            memset(uniform->conflict, 0, uniform->conflict_words * sizeof(uint64_t));
            return true;
        }
        memcpy(uniform->conflict, known, uniform->conflict_words * sizeof(uint64_t));
        uniform->level_of[level->variable] = 0;
        uniform->options.count = level->first;
        uniform->level_count--;
    }
    return false;
}

static bool goes_on(struct uniform *uniform) {
    return uniform->tries < uniform->budget && uniform->effort / EFFORT_OF_TRY < uniform->budget &&
           states_go_on(work_of(uniform));
}

static enum able play(struct uniform *uniform) {
    uint32_t variable;
    while (uniform->expanded < uniform->reached_count) {
        uint32_t row = uniform->reached[uniform->expanded];
        if (!goes_on(uniform)) return ABLE_OPEN;
        if (is_closed(uniform, row)) {
            uniform->expanded++;
        } else if (find_unknown(uniform, row, &variable)) {
            if (!decide(uniform, row, variable)) return ABLE_OPEN;
        } else if (expand(uniform, uniform->expanded)) {
            uniform->expanded++;
        } else if (!jump_back(uniform)) {
            return ABLE_NO;
        }
    }
    return ABLE_YES;
}

/* Forgets the last search. */
static void clear(struct uniform *uniform) {
    while (uniform->reached_count)
        uniform->position_of[uniform->reached[--uniform->reached_count]] = 0;
    while (uniform->level_count)
        uniform->level_of[uniform->levels[--uniform->level_count].variable] = 0;
    uniform->expanded = uniform->options.count = 0;
    memset(uniform->conflict, 0, uniform->conflict_words * sizeof(uint64_t));
}

enum able uniform_search(struct uniform *uniform, const uint32_t *starts, uint32_t count) {
    assert(!uniform->goal->is_next);
    clear(uniform);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_closed(uniform, starts[i]) && !bit_get(uniform->possible, starts[i]))
            return ABLE_NO;
        reach(uniform, starts[i], NO_PARENT);
    }
    return play(uniform);
}
