/* Sets of rows by number. */
#include "explore/refine/state_sets.h"

#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

enum { KNOWN_STEPS = 1 << 14 };

/* The number of a set of ascending rows. */
static uint32_t intern_set(struct state_sets *sets, const uint32_t *rows, uint32_t count) {
    uint32_t number = lists_number(&sets->lists, rows, count);
    if (number == LISTS_FULL || number < sets->count) return number;
    if (!LEDGER_ROOM(sets->ledger, sets->items, (size_t)number + 1)) return NO_SET;
    struct state_set *item = &sets->items[number];
    *item = (struct state_set){.count = count};
    for (uint32_t i = 0; i < count; i++) {
        assert(!i || rows[i - 1] < rows[i]); /* ascending, each once */
        item->signature |= (uint64_t)1 << (store_mix(rows[i]) & 63);
        item->has_error |= sets->lts->nodes[rows[i]].has_error;
    }
    if (count > sets->largest) sets->largest = count;
    sets->count = number + 1;
    return number;
}

/* False at a limit. Borrows the system and the ledger; close it either way. */
bool state_sets_open(struct state_sets *sets, struct lts *lts, struct ledger *ledger) {
    *sets = (struct state_sets){.lts = lts, .ledger = ledger};
    sets->known = heap_resize(NULL, KNOWN_STEPS, sizeof *sets->known);
    for (uint32_t i = 0; i < KNOWN_STEPS; i++) sets->known[i].set = NO_SET;
    return lists_open(&sets->lists, ledger, sizeof(uint32_t)) &&
           intern_set(sets, &(uint32_t){0}, 0) == SET_EMPTY;
}

/* Gives the memory back to the ledger. */
void state_sets_close(struct state_sets *sets) {
    struct ledger *ledger = sets->ledger;
    LEDGER_GIVE(ledger, sets->items, sets->closure, sets->marks, sets->work);
    lists_close(&sets->lists);
    free(sets->known);
}

/* Rows at hand */

/* Room by row for all rows so far, zeroed. */
static bool cover_rows(struct state_sets *sets, uint32_t **items) {
    return LEDGER_ROOM_ZEROED(sets->ledger, *items, lts_count(sets->lts));
}

/* Adds a row to those at hand unless it is among them. */
static bool meet(struct state_sets *sets, uint32_t row, size_t *count) {
    if (!cover_rows(sets, &sets->marks)) return false;
    if (sets->marks[row] == sets->round) return true;
    if (!LEDGER_ROOM(sets->ledger, sets->work, *count + 1)) return false;
    sets->marks[row] = sets->round;
    sets->work[(*count)++] = row;
    return true;
}

static void next_round(struct state_sets *sets) {
    if (++sets->round) return;
    if (sets->marks) memset(sets->marks, 0, ledger_bytes(sets->marks));
    sets->round = 1;
}

static uint32_t intern_work(struct state_sets *sets, size_t count) {
    if (count > 1) qsort(sets->work, count, sizeof *sets->work, compare_u32);
    return intern_set(sets, sets->work, (uint32_t)count);
}

uint32_t state_sets_closure(struct state_sets *sets, uint32_t row) {
    size_t count = 0;
    assert(row < lts_count(sets->lts));
    if (row < LEDGER_COUNT(sets->closure) && sets->closure[row]) return sets->closure[row] - 1;
    next_round(sets);
    if (!meet(sets, row, &count)) return NO_SET;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = sets->work[i];
        if (!lts_expand(sets->lts, at)) return NO_SET;
        const struct lts_edge *edges = lts_edges(sets->lts, at);
        for (uint32_t k = 0; k < sets->lts->nodes[at].count; k++)
            if (edges[k].label == LABEL_HIDDEN && !meet(sets, edges[k].target, &count))
                return NO_SET;
    }
    uint32_t set = intern_work(sets, count);
    if (set == NO_SET || !cover_rows(sets, &sets->closure)) return NO_SET;
    sets->closure[row] = set + 1;
    return set;
}

/* The union of what the members lead to; the closures are found first, as they need the work. */
static uint32_t join_steps(struct state_sets *sets, uint32_t set, uint32_t label) {
    uint32_t count, members = sets->items[set].count;
    size_t total = 0;
    for (uint32_t i = 0; i < members; i++) {
        uint32_t row = set_members(sets, set)[i];
        uint64_t first = (uint64_t)(lts_edges_of(sets->lts, row, label, &count) - sets->lts->edges);
        for (uint32_t k = 0; k < count; k++)
            if (state_sets_closure(sets, sets->lts->edges[first + k].target) == NO_SET)
                return NO_SET;
    }
    next_round(sets);
    for (uint32_t i = 0; i < members; i++) {
        const struct lts_edge *edges =
            lts_edges_of(sets->lts, set_members(sets, set)[i], label, &count);
        for (uint32_t k = 0; k < count; k++) {
            assert(sets->closure[edges[k].target]); /* found above */
            uint32_t closure = sets->closure[edges[k].target] - 1;
            for (uint32_t m = 0; m < sets->items[closure].count; m++)
                if (!meet(sets, set_members(sets, closure)[m], &total)) return NO_SET;
        }
    }
    return intern_work(sets, total);
}

uint32_t state_sets_step(struct state_sets *sets, uint32_t set, uint32_t label) {
    assert(label != LABEL_HIDDEN && set < sets->count);
    if (sets->items[set].count == 1) {
        uint32_t count;
        const struct lts_edge *edges =
            lts_edges_of(sets->lts, *set_members(sets, set), label, &count);
        if (!count) return SET_EMPTY;
        if (count == 1) return state_sets_closure(sets, edges->target);
    }
    uint64_t hash = store_mix((uint64_t)set << 32 | label);
    struct known_step *known = &sets->known[hash & (KNOWN_STEPS - 1)];
    if (known->set == set && known->label == label) return known->target;
    uint32_t target = join_steps(sets, set, label);
    if (target != NO_SET) *known = (struct known_step){set, label, target};
    return target;
}

bool state_sets_include(const struct state_sets *sets, uint32_t inner, uint32_t outer) {
    assert(inner < sets->count && outer < sets->count);
    const struct state_set *in = &sets->items[inner], *out = &sets->items[outer];
    if (in->count > out->count || in->signature & ~out->signature) return false;
    const uint32_t *rows = set_members(sets, inner), *among = set_members(sets, outer);
    uint32_t k = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        while (k < out->count && among[k] < rows[i]) k++;
        if (k == out->count || among[k] != rows[i]) return false;
    }
    return true;
}
