#include "explore/strategy/ability.h"

#include "base/debug.h"
#include "lang/syntax/ast.h"

#include <assert.h>
#include <string.h>

static struct all_states *states_of(const struct ability *ability) { return ability->game->states; }
static size_t set_size(const struct all_states *states) { return states->row_count / 64 + 1; }

/* Starts */

static bool comes_before(const struct search *search, uint32_t left, uint32_t right) {
    uint32_t a = search_level(search, left), b = search_level(search, right);
    return a != b ? a < b : search_is_before(search, left, right);
}

void sort_by_state(const struct search *search, uint32_t *rows, uint32_t count) {
    uint32_t gap = 1;
    while (gap < count / 3) gap = gap * 3 + 1;
    for (; gap; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t row = rows[i], at = i;
            for (; at >= gap && comes_before(search, row, rows[at - gap]); at -= gap)
                rows[at] = rows[at - gap];
            rows[at] = row;
        }
}

uint32_t ability_starts(const struct ability *ability, uint32_t row, uint32_t *starts) {
    assert(row < states_of(ability)->row_count);
    const struct views *views = ability->views;
    uint32_t count = 0, players = ability->game->coalition->players.count;
    starts[count++] = row;
    if (!ability->is_subjective || !views) return count;
    uint32_t component = views->component.of_row[row];
    for (uint64_t i = views->members.first[component]; i < views->members.first[component + 1];
         i++) {
        uint32_t other = views->members.targets[i];
        bool is_same = false;
        for (uint32_t k = 0; k < players && !is_same; k++)
            is_same = views->classes[k]->of_row[other] == views->classes[k]->of_row[row];
        if (is_same && other != row) starts[count++] = other;
    }
    assert(count <= states_of(ability)->row_count);
    sort_by_state(states_of(ability)->search, starts, count);
    return count;
}

/* Bounds */

static void add_ranked(uint64_t *set, const struct all_states *states, const uint32_t *rank) {
    EACH_ROW (states, row)
        if (rank[row] != NO_RANK) bit_set(set, row);
}

/* Rows that are the same to some player as one outside of the set go. */
static void leave_subjective(const struct ability *ability, uint64_t *set) {
    struct all_states *states = states_of(ability);
    size_t size = set_size(states);
    uint64_t *from = states_take(states, size, sizeof *from);
    if (!from) return;
    memcpy(from, set, size * sizeof *from);
    for (uint32_t i = 0; i < ability->game->coalition->players.count; i++)
        indistinguishable_leave(ability->views->classes[i], states, from, set);
    STATES_GIVE(states, from);
}

static void find_lower(struct ability *ability, struct picker *picker) {
    struct all_states *states = states_of(ability);
    if (!enforce_by_component(&ability->enforced, picker, &ability->goal)) return;
    add_ranked(ability->sure, states, ability->enforced.rank);
    if (ability->is_subjective)
        indistinguishable_leave(&ability->views->component, states, ability->sure, ability->sure);
}

static void find_upper(struct ability *ability, struct picker *picker, uint64_t *by_state) {
    struct enforced upper;
    if (enforce_by_state(&upper, picker, &ability->goal)) {
        add_ranked(by_state, states_of(ability), upper.rank);
        memcpy(ability->possible, by_state, set_size(states_of(ability)) * sizeof(uint64_t));
        if (ability->is_subjective) leave_subjective(ability, ability->possible);
    }
    enforced_close(&upper, states_of(ability));
}

/* Search */

struct seeker {
    struct ability *ability;
    struct picker *picker;
    struct uniform uniform;
    uint32_t *starts;
    uint32_t *base_rank; /* of the goals of one step: where they are reached */
};

static enum able seek_next(struct seeker *seeker, uint32_t count) {
    struct aim aim = {seeker->base_rank, 1};
    return pick_for(seeker->picker, &aim, seeker->starts, count);
}

/* Keeps the strategy that was found. */
static void keep(struct seeker *seeker) {
    struct ability *ability = seeker->ability;
    assert(ability->value && ability->views);
    for (uint32_t i = 0; i < ability->views->variable_count; i++)
        ability->value[i] = uniform_value(&seeker->uniform, i);
}

static bool is_between(const struct ability *ability, uint32_t row) {
    assert(row < states_of(ability)->row_count);
    return bit_get(ability->possible, row) && !bit_get(ability->sure, row);
}

/* Decides one row between the bounds. */
static void seek(struct seeker *seeker, uint32_t row) {
    struct ability *ability = seeker->ability;
    assert(is_between(ability, row));
    uint32_t count = ability_starts(ability, row, seeker->starts);
    enum able able = ability->goal.is_next
                         ? seek_next(seeker, count)
                         : uniform_search(&seeker->uniform, seeker->starts, count);
    if (able == ABLE_YES) bit_set(ability->sure, row);
    if (able == ABLE_NO) bit_clear(ability->possible, row);
    if (able == ABLE_YES && ability->value) keep(seeker);
}

/* closed: rows in which the lower bound has the rest of a strategy. */
static void seek_all(struct ability *ability, struct picker *picker, const uint64_t *closed,
                     const uint64_t *by_state, uint32_t wanted, uint64_t budget) {
    struct all_states *states = states_of(ability);
    struct seeker seeker = {.ability = ability, .picker = picker};
    seeker.starts = states_take(states, states->row_count, sizeof(uint32_t));
    seeker.base_rank = states_take(states, states->row_count, sizeof(uint32_t));
    for (uint32_t row = 0; seeker.base_rank && row < states->row_count; row++)
        seeker.base_rank[row] = in_base(&ability->goal, row) ? 0 : NO_RANK;
    if (wanted != ALL_ROWS && !ability->goal.is_next)
        ability->value = states_take(states, ability->views->variable_count, sizeof(uint32_t));
    if (states->ledger.limit == LIMIT_NONE &&
        uniform_open(&seeker.uniform, ability->views, &ability->goal, budget)) {
        seeker.uniform.closed = closed;
        seeker.uniform.possible = by_state;
        EACH_ROW_IN_TIME (states, row)
            if ((wanted == ALL_ROWS || wanted == row) && is_between(ability, row))
                seek(&seeker, row);
        ability->tries = seeker.uniform.tries;
    }
    uniform_close(&seeker.uniform);
    STATES_GIVE(states, seeker.starts, seeker.base_rank);
}

static bool has_between(const struct ability *ability, uint32_t wanted) {
    const struct all_states *states = states_of(ability);
    if (wanted != ALL_ROWS) return is_between(ability, wanted);
    EACH_ROW (states, row)
        if (is_between(ability, row)) return true;
    return false;
}

static void find_uniform(struct ability *ability, uint32_t wanted, uint64_t budget) {
    struct all_states *states = states_of(ability);
    size_t size = set_size(states);
    struct picker picker = {.game = NULL};
    uint64_t *closed = states_take(states, size, sizeof *closed);
    uint64_t *by_state = states_take(states, size, sizeof *by_state);
    if (by_state && picker_open(&picker, ability->game, ability->views))
        find_lower(ability, &picker);
    bool is_done = wanted != ALL_ROWS && bit_get(ability->sure, wanted);
    if (is_done) memcpy(ability->possible, ability->sure, size * sizeof(uint64_t));
    if (!is_done && states_go_on(states)) find_upper(ability, &picker, by_state);
    if (!is_done && states_go_on(states) && has_between(ability, wanted)) {
        add_ranked(closed, states, ability->enforced.rank);
        seek_all(ability, &picker, closed, by_state, wanted, budget);
    }
    picker_close(&picker);
    STATES_GIVE(states, closed, by_state);
}

/* What it may bring about (ST7): more than uniform strategies can, from the state alone. */
static void find_possible(struct ability *ability) {
    struct picker picker = {.game = NULL};
    struct enforced upper = {.rank = NULL};
    if (picker_open(&picker, ability->game, ability->is_perfect ? NULL : ability->views) &&
        enforce_by_state(&upper, &picker, &ability->goal))
        add_ranked(ability->possible, states_of(ability), upper.rank);
    enforced_close(&upper, states_of(ability));
    picker_close(&picker);
}

static void find_perfect(struct ability *ability) {
    struct all_states *states = states_of(ability);
    struct picker picker = {.game = NULL};
    if (picker_open(&picker, ability->game, NULL) &&
        enforce_by_state(&ability->enforced, &picker, &ability->goal)) {
        add_ranked(ability->possible, states, ability->enforced.rank);
        if (ability->is_subjective && ability->views) leave_subjective(ability, ability->possible);
        if (!ability->enforced.is_open)
            memcpy(ability->sure, ability->possible, set_size(states) * sizeof(uint64_t));
    }
    picker_close(&picker);
}

/* Under is part of over, unless a limit came in between. */
static void ability_check(const struct ability *ability) {
    const struct all_states *states = states_of(ability);
    EACH_ROW (states, row)
        assert(!bit_get(ability->sure, row) || bit_get(ability->possible, row) ||
               states->ledger.limit != LIMIT_NONE || states->fault.kind != FAULT_NONE);
}

void ability_find(struct ability *ability, struct game *game, const struct views *views,
                  const struct goal *goal, uint32_t row, uint64_t budget) {
    struct all_states *states = game->states;
    *ability = (struct ability){.game = game, .views = views, .goal = *goal};
    ability->is_subjective = game->coalition->modes & MODE_SUBJECTIVE;
    ability->is_perfect = !views || game->coalition->modes & MODE_PERFECT;
    ability->sure = states_take(states, set_size(states), sizeof(uint64_t));
    ability->possible = states_take(states, set_size(states), sizeof(uint64_t));
    if (!ability->possible) return;
    if (game->outlook == OUTLOOK_POSSIBLE)
        find_possible(ability);
    else if (ability->is_perfect)
        find_perfect(ability);
    else
        find_uniform(ability, row, budget);
    DEBUG_CHECK(ability_check(ability));
}

/* Gives all sets back to the ledger; may be called where nothing was opened. */
void ability_close(struct ability *ability) {
    if (!ability->game) return;
    struct all_states *states = states_of(ability);
    enforced_close(&ability->enforced, states);
    STATES_GIVE(states, ability->sure, ability->possible);
    if (ability->value) STATES_GIVE(states, ability->value);
    *ability = (struct ability){.game = NULL};
}
