#include "explore/graph/rows.h"

#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

enum { SHORT = 24, BATCH_ROWS = 64, BATCH_STEPS = 128 };

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

/* Rows that were expanded, and whose steps are looked up together. */
struct batch {
    uint64_t *keys; /* heap, by successor: its hash, then its row, then label and row */
    uint32_t capacity, count;
    uint32_t rows[BATCH_ROWS], ends[BATCH_ROWS]; /* ends: of their successors */
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

/* Hashes successors from the first of the last expansion on, and asks for where they are. */
static void hash_successors(const struct expander *expander, const struct store *store,
                            uint64_t *hashes) {
    for (uint32_t i = expander->first; i < expander->count; i++, hashes++) {
        *hashes = store_hash(store, expander_state(expander, i));
        store_prefetch(store, *hashes);
    }
}

void rows_of_successors(const struct expander *expander, const struct store *store,
                        uint64_t *rows) {
    hash_successors(expander, store, rows);
    store_find_all(store, expander_state(expander, expander->first), rows,
                   expander_degree(expander));
}

/* Adds the steps of a row, whose targets are in keys. */
static bool put_row(struct row_steps *rows, const struct rows_plan *plan, uint32_t row,
                    uint64_t *keys, uint32_t count) {
    while (rows->count < row) rows_add_row(rows); /* of gaps */
    for (uint32_t i = 0; i < count && plan->label; i++)
        keys[i] |= (uint64_t)plan->label(plan->context, i, (uint32_t)keys[i]) << 32;
    if (plan->is_sorted) sort_keys(keys, count);
    if (!reserve(rows, (size_t)count + 1)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!plan->is_sorted || !i || keys[i] != keys[i - 1])
            put(rows, (uint32_t)keys[i], (uint32_t)(keys[i] >> 32));
    if (!count && plan->idles) put(rows, row, 0);
    return (!plan->finish || plan->finish(plan->context, row)) && rows_add_row(rows);
}

static bool put_batch(struct row_steps *rows, const struct rows_plan *plan, struct batch *batch) {
    struct expander *expander = plan->expander;
    store_find_all(&plan->search->store, expander->states, batch->keys, expander->count);
    for (uint32_t i = 0, begin = 0; i < batch->count; begin = batch->ends[i++])
        if (!put_row(rows, plan, batch->rows[i], batch->keys + begin, batch->ends[i] - begin))
            return false;
    batch->count = 0;
    expander_clear(expander);
    return true;
}

/* Expands a row; false at a limit. */
static bool explore_row(struct row_steps *rows, const struct rows_plan *plan, uint32_t row,
                        struct batch *batch) {
    const struct store *store = &plan->search->store;
    struct expander *expander = plan->expander;
    store_load(store, row, plan->state);
    if (!expander_run(expander, plan->state)) {
        assert(expander_is_cut(expander)); /* every value fits: the search has been here */
        rows->ledger->limit = expander_limit(expander);
        return false;
    }
    if (expander->count > batch->capacity) {
        batch->capacity = expander->capacity;
        batch->keys = heap_resize(batch->keys, batch->capacity, sizeof *batch->keys);
    }
    if (batch->keys) hash_successors(expander, store, batch->keys + expander->first);
    batch->rows[batch->count] = row;
    batch->ends[batch->count++] = expander->count;
    if (plan->expanded && !plan->expanded(plan->context, row)) return false;
    bool is_full = batch->count == BATCH_ROWS || expander->count >= BATCH_STEPS;
    return (!is_full && !expander->is_recording) || put_batch(rows, plan, batch);
}

/* Those of all states of orbits are more than rows have. */
static void expect_steps(struct row_steps *rows, const struct rows_plan *plan) {
    const struct search *search = plan->search;
    uint64_t count = search->transitions + (plan->idles ? search->deadlocks : 0) + 1;
    if (search->symmetry) return;
    LEDGER_EXPECT(rows->ledger, rows->targets, count);
    if (rows->has_labels) LEDGER_EXPECT(rows->ledger, rows->labels, count);
}

bool rows_explore(struct row_steps *rows, const struct rows_plan *plan) {
    const struct store *store = &plan->search->store;
    struct batch batch = {0};
    uint32_t count = (uint32_t)(store_count(store) + store->gap_states);
    assert(plan->search->is_complete && !rows->count);
    expander_clear(plan->expander);
    rows->first = ledger_take(rows->ledger, (size_t)count + 1, sizeof *rows->first);
    expect_steps(rows, plan);
    bool is_fine = true;
    for (uint32_t row = store_skip(store, 0);
         row < count && is_fine && ledger_goes_on(rows->ledger); row = store_skip(store, row + 1))
        is_fine = explore_row(rows, plan, row, &batch);
    if (is_fine && rows->ledger->limit == LIMIT_NONE) put_batch(rows, plan, &batch);
    while (rows->ledger->limit == LIMIT_NONE && rows->count < count) rows_add_row(rows);
    free(batch.keys);
    rows->targets =
        ledger_trim(rows->ledger, rows->targets, rows->step_count * sizeof *rows->targets);
    return rows->ledger->limit == LIMIT_NONE;
}
