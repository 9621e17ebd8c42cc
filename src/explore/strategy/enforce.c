#include "explore/strategy/enforce.h"

#include <assert.h>
#include <string.h>

/* What has to be looked at in one round and in the next one: rows, or components. */
struct agenda {
    uint32_t *now, *next; /* lists */
    uint32_t now_count, next_count, size;
    uint64_t *is_next;
};

struct fixpoint {
    struct enforced *enforced;
    struct picker *picker;
    const struct game *game;
    const struct goal *goal;
    struct all_states *states;
    bool by_component;
    struct agenda agenda;
    uint32_t *changed; /* rows that got a rank, or lost it, in this round */
    uint32_t changed_count;
    uint32_t *members; /* of a component, those that have to choose */
};

static bool agenda_open(struct agenda *agenda, struct all_states *states, uint32_t size) {
    *agenda = (struct agenda){.size = size};
    agenda->now = states_take(states, size, sizeof(uint32_t));
    agenda->next = states_take(states, size, sizeof(uint32_t));
    agenda->is_next = states_take(states, size / 64 + 1, sizeof(uint64_t));
    return agenda->is_next != NULL;
}

static void agenda_close(struct agenda *agenda, struct all_states *states) {
    STATES_GIVE(states, agenda->now, agenda->next, agenda->is_next);
}

static void plan(struct agenda *agenda, uint32_t item) {
    if (bit_get(agenda->is_next, item)) return;
    assert(item < agenda->size && agenda->next_count < agenda->size);
    bit_set(agenda->is_next, item);
    agenda->next[agenda->next_count++] = item;
}

/* The next round begins. */
static bool turn_page(struct agenda *agenda) {
    uint32_t *list = agenda->now;
    agenda->now = agenda->next;
    agenda->next = list;
    agenda->now_count = agenda->next_count;
    agenda->next_count = 0;
    for (uint32_t i = 0; i < agenda->now_count; i++)
        agenda->is_next[agenda->now[i] / 64] &= ~(UINT64_C(1) << agenda->now[i] % 64);
    return agenda->now_count > 0;
}

/* Where something of a row counts: itself or its component. */
static uint32_t item_of(const struct fixpoint *fixpoint, uint32_t row) {
    return fixpoint->by_component ? fixpoint->picker->views->component.of_row[row] : row;
}

static void plan_sources(struct fixpoint *fixpoint, uint32_t row) {
    const struct game *game = fixpoint->game;
    for (uint64_t i = game->back.first[row]; i < game->back.first[row + 1]; i++)
        if (!in_base(fixpoint->goal, game->back.targets[i]))
            plan(&fixpoint->agenda, item_of(fixpoint, game->back.targets[i]));
}

/* Whether the coalition can choose at a row, or for a component, so that the next rank is less than
 * a limit. */
static bool can_choose(struct fixpoint *fixpoint, uint32_t item, uint32_t limit) {
    struct aim aim = {fixpoint->enforced->rank, limit};
    enum able able;
    if (!fixpoint->by_component) {
        able = pick_at(fixpoint->picker, &aim, item);
        fixpoint->enforced->is_open |= able == ABLE_OPEN;
        return able != ABLE_NO;
    }
    const struct views *views = fixpoint->picker->views;
    uint32_t count = 0;
    for (uint64_t i = views->members.first[item]; i < views->members.first[item + 1]; i++)
        if (fixpoint->goal->is_next || !in_base(fixpoint->goal, views->members.targets[i]))
            fixpoint->members[count++] = views->members.targets[i];
    able = pick_for(fixpoint->picker, &aim, fixpoint->members, count);
    fixpoint->enforced->is_open |= able == ABLE_OPEN;
    return able == ABLE_YES;
}

/* Calls for each row of an item that is not in base. */
static void set_ranks(struct fixpoint *fixpoint, uint32_t item, uint32_t rank) {
    const struct views *views = fixpoint->picker->views;
    uint32_t first = fixpoint->by_component ? (uint32_t)views->members.first[item] : 0;
    uint32_t end = fixpoint->by_component ? (uint32_t)views->members.first[item + 1] : 1;
    for (uint32_t i = first; i < end; i++) {
        uint32_t row = fixpoint->by_component ? views->members.targets[i] : item;
        if (in_base(fixpoint->goal, row) || fixpoint->enforced->rank[row] == rank) continue;
        assert(fixpoint->changed_count < fixpoint->states->row_count); /* each once in a round */
        fixpoint->enforced->rank[row] = rank;
        fixpoint->changed[fixpoint->changed_count++] = row;
    }
}

/* Whether all rows of an item may count at all. */
static bool may_count(const struct fixpoint *fixpoint, uint32_t item) {
    const struct views *views = fixpoint->picker->views;
    if (!fixpoint->by_component) return in_stay(fixpoint->goal, item);
    for (uint64_t i = views->members.first[item]; i < views->members.first[item + 1]; i++)
        if (!in_base(fixpoint->goal, views->members.targets[i]) &&
            !in_stay(fixpoint->goal, views->members.targets[i]))
            return false;
    return true;
}

/* A row of an item that has to choose; NO_RANK if there is none. */
static uint32_t some_row(const struct fixpoint *fixpoint, uint32_t item) {
    const struct views *views = fixpoint->picker->views;
    if (!fixpoint->by_component) return item;
    for (uint64_t i = views->members.first[item]; i < views->members.first[item + 1]; i++)
        if (!in_base(fixpoint->goal, views->members.targets[i])) return views->members.targets[i];
    return NO_RANK;
}

/* Grows from the base: an item counts if its steps can be made to lead to rows that counted before.
 */
static void find_least(struct fixpoint *fixpoint) {
    struct all_states *states = fixpoint->states;
    uint32_t *rank = fixpoint->enforced->rank, round = 1;
    EACH_ROW (states, row) {
        if (!in_base(fixpoint->goal, row)) continue;
        rank[row] = 0;
        plan_sources(fixpoint, row);
    }
    for (; turn_page(&fixpoint->agenda) && states_go_on(states); round++) {
        fixpoint->changed_count = 0;
        for (uint32_t i = 0; i < fixpoint->agenda.now_count && states_go_on(states); i++) {
            uint32_t item = fixpoint->agenda.now[i], row = some_row(fixpoint, item);
            if (row == NO_RANK || rank[row] != NO_RANK || !may_count(fixpoint, item)) continue;
            assert(round <= states->row_count); /* each rank is that of some row */
            if (can_choose(fixpoint, item, round)) set_ranks(fixpoint, item, round);
        }
        for (uint32_t i = 0; i < fixpoint->changed_count; i++)
            plan_sources(fixpoint, fixpoint->changed[i]);
    }
}

/* Shrinks to what can be kept for ever. */
static void find_greatest(struct fixpoint *fixpoint) {
    struct all_states *states = fixpoint->states;
    uint32_t *rank = fixpoint->enforced->rank;
    EACH_ROW (states, row) {
        if (in_base(fixpoint->goal, row))
            rank[row] = 0;
        else
            plan(&fixpoint->agenda, item_of(fixpoint, row));
    }
    for (uint32_t i = 0; i < fixpoint->agenda.next_count; i++) {
        uint32_t item = fixpoint->agenda.next[i];
        if (may_count(fixpoint, item)) set_ranks(fixpoint, item, 0);
    }
    fixpoint->changed_count = 0;
    while (turn_page(&fixpoint->agenda) && states_go_on(states)) {
        fixpoint->changed_count = 0;
        for (uint32_t i = 0; i < fixpoint->agenda.now_count && states_go_on(states); i++) {
            uint32_t item = fixpoint->agenda.now[i], row = some_row(fixpoint, item);
            if (row == NO_RANK || rank[row] == NO_RANK) continue;
            if (!can_choose(fixpoint, item, 1)) set_ranks(fixpoint, item, NO_RANK);
        }
        for (uint32_t i = 0; i < fixpoint->changed_count; i++)
            plan_sources(fixpoint, fixpoint->changed[i]);
    }
}

/* One step. The ranks of the targets are those of `base`, those of the result others. */
static void find_next(struct fixpoint *fixpoint) {
    struct all_states *states = fixpoint->states;
    uint32_t *rank = fixpoint->enforced->rank, items = fixpoint->agenda.size;
    uint64_t *is_able = states_take(states, items / 64 + 1, sizeof *is_able);
    if (!is_able) return;
    EACH_ROW (states, row) {
        if (in_base(fixpoint->goal, row)) rank[row] = 0;
        plan(&fixpoint->agenda, item_of(fixpoint, row));
    }
    turn_page(&fixpoint->agenda);
    for (uint32_t i = 0; i < fixpoint->agenda.now_count && states_go_on(states); i++)
        if (can_choose(fixpoint, fixpoint->agenda.now[i], 1))
            bit_set(is_able, fixpoint->agenda.now[i]);
    EACH_ROW (states, row) rank[row] = bit_get(is_able, item_of(fixpoint, row)) ? 0 : NO_RANK;
    STATES_GIVE(states, is_able);
}

static bool find(struct fixpoint *fixpoint) {
    struct all_states *states = fixpoint->picker->game->states;
    fixpoint->game = fixpoint->picker->game;
    fixpoint->states = states;
    uint32_t rows = states->row_count;
    uint32_t items = fixpoint->by_component ? fixpoint->picker->views->component.count : rows;
    fixpoint->enforced->rank = states_take(states, rows, sizeof(uint32_t));
    fixpoint->changed = states_take(states, rows, sizeof(uint32_t));
    fixpoint->members = states_take(states, rows, sizeof(uint32_t));
    if (agenda_open(&fixpoint->agenda, states, items)) {
        memset(fixpoint->enforced->rank, 0xFF, rows * sizeof(uint32_t));
        if (fixpoint->goal->is_next)
            find_next(fixpoint);
        else if (fixpoint->goal->is_least)
            find_least(fixpoint);
        else
            find_greatest(fixpoint);
    }
    agenda_close(&fixpoint->agenda, states);
    STATES_GIVE(states, fixpoint->changed, fixpoint->members);
    return states_go_on(states);
}

bool enforce_by_state(struct enforced *enforced, struct picker *picker, const struct goal *goal) {
    struct fixpoint fixpoint = {.enforced = enforced, .picker = picker, .goal = goal};
    *enforced = (struct enforced){.rank = NULL};
    return find(&fixpoint);
}

/* The same, component by component of the views. */
bool enforce_by_component(struct enforced *enforced, struct picker *picker,
                          const struct goal *goal) {
    struct fixpoint fixpoint = {.enforced = enforced, .picker = picker, .goal = goal};
    assert(picker->views);
    *enforced = (struct enforced){.rank = NULL};
    fixpoint.by_component = true;
    return find(&fixpoint);
}

/* Gives the ranks back to the ledger. */
void enforced_close(struct enforced *enforced, struct all_states *states) {
    STATES_GIVE(states, enforced->rank);
    *enforced = (struct enforced){.rank = NULL};
}
