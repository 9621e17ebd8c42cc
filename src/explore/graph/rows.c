#include "explore/graph/rows.h"

#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

enum { SHORT = 24 };

void rows_close(struct row_steps *rows) {
    LEDGER_GIVE(rows->ledger, rows->first, rows->targets, rows->labels);
    *rows = (struct row_steps){.ledger = rows->ledger, .has_labels = rows->has_labels};
}

void rows_forget_targets(struct row_steps *rows) {
    LEDGER_GIVE(rows->ledger, rows->targets);
    rows->targets = NULL;
}

static bool reserve(struct row_steps *rows, size_t more) {
    size_t need = rows->step_count + more;
    return LEDGER_ROOM(rows->ledger, rows->targets, need) &&
           (!rows->has_labels || LEDGER_ROOM(rows->ledger, rows->labels, need));
}

static void put(struct row_steps *rows, uint32_t target, uint32_t label) {
    if (rows->has_labels) rows->labels[rows->step_count] = label;
    rows->targets[rows->step_count++] = target;
}

bool rows_add_step(struct row_steps *rows, uint32_t target, uint32_t label) {
    if (!reserve(rows, 1)) return false;
    put(rows, target, label);
    return true;
}

bool rows_add_row(struct row_steps *rows) {
    size_t need = (size_t)rows->count + 2;
    if (!LEDGER_ROOM(rows->ledger, rows->first, need)) return false;
    if (!rows->count) rows->first[0] = 0;
    rows->first[++rows->count] = rows->step_count;
    assert(rows->first[rows->count] >= rows->first[rows->count - 1]);
    return true;
}

/* Counting sort by target. */
bool rows_turn(struct row_steps *back, const struct row_steps *rows) {
    uint32_t count = rows->count;
    assert(!rows->step_count || rows->targets); /* they are not forgotten yet */
    *back =
        (struct row_steps){.ledger = rows->ledger, .count = count, .step_count = rows->step_count};
    back->first = ledger_take(rows->ledger, (size_t)count + 1, sizeof *back->first);
    back->targets = ledger_take(rows->ledger, rows->step_count, sizeof *back->targets);
    if (!back->targets) return false;
    for (uint64_t i = 0; i < rows->step_count; i++) back->first[rows->targets[i] + 1]++;
    for (uint32_t row = 0; row < count; row++) back->first[row + 1] += back->first[row];
    for (uint32_t row = 0; row < count; row++)
        for (uint64_t i = rows->first[row]; i < rows->first[row + 1]; i++)
            back->targets[back->first[rows->targets[i]]++] = row;
    for (uint32_t row = count; row > 0; row--) back->first[row] = back->first[row - 1];
    back->first[0] = 0;
    assert(back->first[count] == rows->step_count);
    return true;
}

/* Exploring */

/* The steps of one row while they are found: label and target of each. */
struct successor_keys {
    uint64_t *keys; /* heap */
    uint32_t count, capacity;
};

void sort_keys(uint64_t *keys, uint32_t count) {
    if (count > SHORT) {
        qsort(keys, count, sizeof *keys, compare_u64);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t k = i;
        for (; k && keys[k - 1] > key; k--) keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

void rows_of_successors(const struct expander *expander, const struct store *store,
                        uint64_t *rows) {
    uint32_t count = expander_degree(expander);
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = store_hash(store, expander_state(expander, expander->first + i));
        store_prefetch(store, rows[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = store_find(store, expander_state(expander, expander->first + i), rows[i]);
        assert(rows[i] != STORE_FULL); /* the search is complete */
    }
}

/* The steps of the state that was expanded. */
static void find_steps(const struct rows_plan *plan, struct successor_keys *steps) {
    const struct expander *expander = plan->expander;
    uint32_t count = steps->count = expander_degree(expander);
    if (count > steps->capacity) {
        steps->capacity = expander->capacity;
        steps->keys = heap_resize(steps->keys, steps->capacity, sizeof *steps->keys);
    }
    uint64_t *keys = steps->keys;
    rows_of_successors(expander, &plan->search->store, keys);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = (uint32_t)keys[i];
        uint32_t label = plan->label ? plan->label(plan->context, i, row) : 0;
        keys[i] = (uint64_t)label << 32 | row;
    }
    if (plan->is_sorted) sort_keys(keys, count);
}

/* Expands a row; false at a limit. */
static bool explore_row(struct row_steps *rows, const struct rows_plan *plan, uint32_t row,
                        struct successor_keys *steps) {
    struct expander *expander = plan->expander;
    store_load(&plan->search->store, row, plan->state);
    expander_clear(expander);
    if (!expander_run(expander, plan->state)) {
        assert(expander_is_cut(expander)); /* every value fits: the search has been here */
        rows->ledger->limit = expander_limit(expander);
        return false;
    }
    find_steps(plan, steps);
    if (!reserve(rows, (size_t)steps->count + 1)) return false;
    for (uint32_t i = 0; i < steps->count; i++)
        if (!plan->is_sorted || !i || steps->keys[i] != steps->keys[i - 1])
            put(rows, (uint32_t)steps->keys[i], (uint32_t)(steps->keys[i] >> 32));
    if (!steps->count && plan->idles) put(rows, row, 0);
    return (!plan->finish || plan->finish(plan->context, row)) && rows_add_row(rows);
}

/* Those of all states of orbits are more than rows have. */
static void expect_steps(struct row_steps *rows, const struct search *search) {
    if (search->symmetry) return;
    LEDGER_EXPECT(rows->ledger, rows->targets, search->transitions);
    if (rows->has_labels) LEDGER_EXPECT(rows->ledger, rows->labels, search->transitions);
}

bool rows_explore(struct row_steps *rows, const struct rows_plan *plan) {
    const struct store *store = &plan->search->store;
    struct successor_keys steps = {0};
    uint32_t count = (uint32_t)(store_count(store) + store->gap_states);
    assert(plan->search->is_complete && !rows->count);
    rows->first = ledger_take(rows->ledger, (size_t)count + 1, sizeof *rows->first);
    expect_steps(rows, plan->search);
    for (uint32_t row = store_skip(store, 0); row < count && ledger_goes_on(rows->ledger);
         row = store_skip(store, row + 1)) {
        while (rows->count < row) rows_add_row(rows);
        if (!explore_row(rows, plan, row, &steps)) break;
    }
    while (rows->ledger->limit == LIMIT_NONE && rows->count < count) rows_add_row(rows);
    free(steps.keys);
    rows->targets =
        ledger_trim(rows->ledger, rows->targets, rows->step_count * sizeof *rows->targets);
    return rows->ledger->limit == LIMIT_NONE;
}
