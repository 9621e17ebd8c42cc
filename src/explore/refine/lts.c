/* Nodes and edges as they are asked for. */
#include "explore/refine/lts.h"

#include <assert.h>
#include <stdlib.h>

/* Rows */

static bool fail(struct lts *lts, enum lts_state state) {
    lts->state_of = state;
    return false;
}

/* The row of a state, which may be new; STORE_FULL at a limit. */
static uint32_t add_row(struct lts *lts, const uint64_t *state, uint64_t hash) {
    struct store *store = &lts->search->store;
    bool is_new;
    if (!store_has_room(store, 1) && !store_reserve(store, 1)) {
        uint32_t row = store_find(store, state, hash);
        bool is_full = atomic_load(&store->next) == store->max_rows;
        if (row == STORE_FULL) lts->ledger->limit = is_full ? LIMIT_STATES : LIMIT_MEMORY;
        return row;
    }
    store_refill(store, &lts->shelf, 1);
    uint32_t row = store_add(store, &lts->shelf, state, hash, &is_new);
    size_t had = LEDGER_COUNT(lts->nodes);
    if (!is_new) return row;
    if (!ledger_fits(lts->ledger, 0) || !LEDGER_ROOM(lts->ledger, lts->nodes, (size_t)row + 1))
        return STORE_FULL;
    for (size_t i = had; i < LEDGER_COUNT(lts->nodes); i++)
        lts->nodes[i] = (struct lts_node){.first = LTS_UNSEEN};
    return row;
}

bool lts_open(struct lts *lts, struct search *search, struct label_table *labels,
              const struct lts_options *options, struct ledger *ledger) {
    const struct layout *layout = search->layout;
    struct fair_constraints *constraints = options->constraints;
    struct labeller labeller;
    struct fair_marker marker;
    *lts = (struct lts){
        .search = search, .options = *options, .ledger = ledger, .is_deterministic = true};
    labeller_init(&labeller, labels, search, options->side);
    if (constraints) fair_marker_init(&marker, &search->arena, constraints, search->program);
    finder_init(&lts->finder, &labeller, constraints ? &marker : NULL, ledger);
    if (!store_init(&search->store, layout, ledger_left(ledger), search->options.max_states)) {
        ledger->limit = LIMIT_MEMORY;
        return false;
    }
    ledger->stores[options->side] = &search->store;
    if (options->jobs > 1)
        ahead_init(&lts->ahead, &search->store, options->jobs, &labeller,
                   constraints ? &marker : NULL, ledger);
    return add_row(lts, layout->initial, store_hash(&search->store, layout->initial)) == 0;
}

/* Gives its memory back to the ledger it came from. */
void lts_close(struct lts *lts) {
    struct ledger *ledger = lts->ledger;
    LEDGER_GIVE(ledger, lts->nodes, lts->edges);
    ledger->stores[lts->options.side] = NULL;
    finder_close(&lts->finder);
    ahead_close(&lts->ahead);
}

/* Edges */

static int compare_edges(const void *left, const void *right) {
    const struct lts_edge *one = left, *other = right;
    if (one->label != other->label) return one->label < other->label ? -1 : 1;
    if (one->target != other->target) return one->target < other->target ? -1 : 1;
    return (one->tags > other->tags) - (one->tags < other->tags);
}

/* Sorts the edges of a node by label and leaves each once. */
static void arrange(struct lts *lts, struct lts_node *node) {
    struct lts_edge *edges = lts->edges + node->first;
    uint32_t kept = 0;
    if (node->count) qsort(edges, node->count, sizeof *edges, compare_edges);
    for (uint32_t i = 0; i < node->count; i++)
        if (!kept || compare_edges(&edges[kept - 1], &edges[i]) != 0) edges[kept++] = edges[i];
    node->count = kept;
}

/* Whether no step is hidden and each action is one edge. */
static bool is_determined(const struct lts *lts, const struct lts_node *node) {
    const struct lts_edge *edges = lts->edges + node->first;
    for (uint32_t i = 0; i < node->count; i++)
        if (edges[i].label == LABEL_HIDDEN || (i && edges[i].label == edges[i - 1].label))
            return false;
    return true;
}

/* Adds the edge of one step; false at a limit. */
static bool add_edge(struct lts *lts, const struct step_finder *finder, uint32_t step,
                     uint32_t *count) {
    const struct found_step *found = &finder->steps.items[step];
    struct label_key key;
    finder_key(finder, found, &key);
    uint32_t label = labels_add(lts->finder.labeller.labels, &key), tags = 0;
    uint32_t target = add_row(lts, expander_state(&finder->expander, step), found->hash);
    if (target == STORE_FULL) return fail(lts, LTS_LIMIT);
    assert(target < lts_count(lts) && lts->edge_count + *count < LEDGER_COUNT(lts->edges));
    if (lts->options.sets) tags = fair_sets_add(lts->options.sets, found->tags);
    lts->edges[lts->edge_count + (*count)++] = (struct lts_edge){label, target, tags};
    return true;
}

static void finish(struct lts *lts, uint32_t row, uint32_t count, const struct found_row *found) {
    struct lts_node *node = &lts->nodes[row];
    assert(node->first == LTS_UNSEEN);
    *node = (struct lts_node){lts->edge_count, count, found->error_count > 0, true};
    if (lts->options.is_sorted) arrange(lts, node);
    for (uint32_t i = 0; i < node->count; i++)
        node->is_stable &= lts->edges[node->first + i].label != LABEL_HIDDEN;
    lts->edge_count += node->count;
    lts->transitions += count;
    if (node->has_error && !lts->errors) lts->first_error = found->first_error;
    lts->errors += found->error_count;
    lts->expanded++;
    if (lts->options.is_sorted && lts->is_deterministic && !is_determined(lts, node)) {
        lts->is_deterministic = false;
        lts->choice_row = row;
    }
}

/* Notes why a row could not be expanded. */
static bool fail_to_find(struct lts *lts) {
    const struct expander *expander = &lts->finder.expander;
    lts->fault = expander->machine.fault;
    if (lts->finder.is_fault) return fail(lts, LTS_FAULT);
    if (!expander_is_cut(expander)) return fail(lts, LTS_OVERFLOW);
    lts->ledger->limit = expander_limit(expander);
    return fail(lts, LTS_LIMIT);
}

bool lts_expand(struct lts *lts, uint32_t row) {
    assert(row < lts_count(lts));
    if (lts_is_expanded(lts, row)) return true;
    const struct step_finder *finder = &lts->finder;
    const struct found_row *found = ahead_find(&lts->ahead, row, &finder);
    uint32_t count = 0;
    if (!found) {
        finder_clear(&lts->finder);
        if (!finder_run(&lts->finder, &lts->search->store, row)) return fail_to_find(lts);
        found = &finder->rows.items[0];
    }
    /* One more, so that a list without edges has an address, too. */
    if (!LEDGER_ROOM(lts->ledger, lts->edges, lts->edge_count + found->count + 1))
        return fail(lts, LTS_LIMIT);
    for (uint32_t i = 0; i < found->count; i++)
        if (!add_edge(lts, finder, found->first + i, &count)) return false;
    finish(lts, row, count, found);
    return true;
}

uint32_t lts_enabled(const struct lts *lts, uint32_t row) {
    const struct lts_node *node = &lts->nodes[row];
    uint64_t set = 0;
    assert(lts->options.sets && node->first != LTS_UNSEEN);
    for (uint32_t i = 0; i < node->count; i++)
        set |= fair_set(lts->options.sets, lts_edges(lts, row)[i].tags);
    return fair_sets_add(lts->options.sets, set);
}

const struct lts_edge *lts_edges_of(const struct lts *lts, uint32_t row, uint32_t label,
                                    uint32_t *count) {
    assert(lts->options.is_sorted);
    const struct lts_edge *edges = lts_edges(lts, row);
    uint32_t low = 0, high = lts->nodes[row].count, end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edges[middle].label < label)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < lts->nodes[row].count && edges[end].label == label;) end++;
    *count = end - low;
    return edges + low;
}
