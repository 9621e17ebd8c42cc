/* The states of a search with their visible successors. */
#include "explore/visible/graph.h"

#include "base/memory.h"
#include "base/sort.h"
#include "explore/successor/idle.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK = 1 << 12, FIRST_KEYS = 1 << 6 };

/* Classes */

static bool classify(struct classifier *classifier, struct graph *graph, enum side side) {
    const struct store *rows = &graph->search->store;
    struct store *store = &classifier->store;
    bool is_new;
    graph->classes = ledger_take(classifier->ledger, graph->count, sizeof *graph->classes);
    if (!graph->classes) return false;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (i % TICK == 0 && !ledger_has_time(classifier->ledger)) return false;
        if (!ledger_refill(classifier->ledger, &classifier->store, &classifier->shelf))
            return false;
        store_load(rows, i, classifier->state);
        view_project(classifier->view, side, classifier->state, classifier->visible);
        graph->classes[i] = store_add(store, &classifier->shelf, classifier->visible,
                                      store_hash(store, classifier->visible), &is_new);
    }
    return true;
}

static bool classify_all(struct classifier *classifier, struct graph *graphs,
                         const struct view *view, struct ledger *ledger) {
    struct layout shape = {.stored_words = view->word_count, .stored_bytes = view->byte_count};
    uint32_t words = 1;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (graphs[side].search->layout->word_count > words)
            words = graphs[side].search->layout->word_count;
    *classifier = (struct classifier){.view = view, .ledger = ledger};
    bool is_fine = store_init(&classifier->store, &shape, ledger_left(ledger), 0);
    if (!is_fine) ledger->limit = LIMIT_MEMORY;
    ledger->stores[SIDE_COUNT] = &classifier->store;
    classifier->state = heap_resize(NULL, words, sizeof *classifier->state);
    classifier->visible = heap_resize(NULL, view->word_count, sizeof *classifier->visible);
    for (int side = 0; side < SIDE_COUNT && is_fine; side++)
        is_fine = classify(classifier, &graphs[side], (enum side)side);
    return is_fine;
}

void classifier_close(struct classifier *classifier) {
    classifier->ledger->stores[SIDE_COUNT] = NULL;
    store_close(&classifier->store);
    free(classifier->state);
    free(classifier->visible);
    *classifier = (struct classifier){.ledger = classifier->ledger};
}

/* Steps */

struct linker {
    struct graph *graph;
    struct expander expander;
    uint64_t *keys; /* heap: of the current row, target and whether the step is silent */
    uint32_t key_count, key_capacity;
};

bool step_is_of_gone(const struct expander *expander, const struct step_record *record,
                     const bool *is_gone) {
    const struct edge_instance *instances = expander->program->instances.items;
    assert(record->part_count);
    for (uint32_t i = 0; i < record->part_count; i++)
        if (!is_gone[instances[expander->parts.items[record->first_part + i]].process->index])
            return false;
    return true;
}

/* Of the row that is expanded. */
static void note_kind(struct linker *linker, uint32_t step, uint32_t target) {
    const struct graph *graph = linker->graph;
    bool is_silent =
        graph->classes[target] == graph->classes[graph->rows.count] &&
        step_is_of_gone(&linker->expander, &linker->expander.records.items[step], graph->is_gone);
    if (linker->key_count == linker->key_capacity) {
        linker->key_capacity = linker->key_capacity ? linker->key_capacity * 2 : FIRST_KEYS;
        linker->keys = heap_resize(linker->keys, linker->key_capacity, sizeof *linker->keys);
    }
    linker->keys[linker->key_count++] = (uint64_t)target << 1 | is_silent;
}

static uint32_t class_of(void *context, uint32_t step, uint32_t target) {
    struct linker *linker = context;
    if (linker->graph->is_gone) note_kind(linker, step, target);
    return linker->graph->classes[target];
}

static bool has_key(const struct linker *linker, uint64_t key) {
    return linker->key_count &&
           bsearch(&key, linker->keys, linker->key_count, sizeof key, compare_u64);
}

/* Whether steps of the row are silent; false at a limit. */
static bool set_kinds(struct linker *linker, uint32_t node) {
    struct graph *graph = linker->graph;
    const struct row_steps *rows = &graph->rows;
    if (!LEDGER_ROOM(rows->ledger, graph->kinds, rows->step_count + 1)) return false;
    if (linker->key_count)
        qsort(linker->keys, linker->key_count, sizeof *linker->keys, compare_u64);
    for (uint64_t i = node ? rows->first[node] : 0; i < rows->step_count; i++) {
        uint64_t key = (uint64_t)rows->targets[i] << 1;
        bool is_silent = has_key(linker, key | 1), is_seen = has_key(linker, key);
        if (!linker->key_count) is_seen = true; /* it idles */
        assert(is_silent || is_seen);
        graph->kinds[i] = (uint8_t)((is_seen ? STEP_SEEN : 0) | (is_silent ? STEP_SILENT : 0));
    }
    linker->key_count = 0;
    return true;
}

static bool finish_node(void *context, uint32_t node) {
    struct linker *linker = context;
    return set_kinds(linker, node);
}

/* Notes whether time may pass in the node; false at a limit. */
static bool note_idling(void *context, uint32_t node) {
    struct linker *linker = context;
    assert(node < linker->graph->count);
    linker->graph->can_idle[node] = expander_can_idle(&linker->expander);
    if (!expander_is_cut(&linker->expander)) return true;
    linker->graph->rows.ledger->limit = expander_limit(&linker->expander);
    return false;
}

bool graph_link(struct graph *graph, bool is_stuttering, struct ledger *ledger) {
    const struct search *search = graph->search;
    struct linker linker = {.graph = graph};
    bool has_idling = has_urgency(search->program);
    struct rows_plan plan = {.search = search,
                             .expander = &linker.expander,
                             .is_sorted = true,
                             .idles = is_stuttering,
                             .label = class_of,
                             .expanded = has_idling ? note_idling : NULL,
                             .finish = graph->is_gone ? finish_node : NULL,
                             .context = &linker};
    graph->rows.ledger = ledger;
    if (has_idling) graph->can_idle = ledger_take(ledger, graph->count, sizeof *graph->can_idle);
    plan.state = layout_state(search->layout, NULL);
    expander_init(&linker.expander, search->program);
    linker.expander.machine.deadline = ledger->deadline;
    linker.expander.max_size = ledger->max_size;
    linker.expander.is_recording = graph->is_gone != NULL;
    bool is_fine = rows_explore(&graph->rows, &plan);
    assert(!is_fine || graph->rows.count == graph->count);
    expander_close(&linker.expander);
    free(plan.state);
    free(linker.keys);
    return is_fine;
}

struct node_list nodes_of_class(struct node_list list, const uint32_t *classes, uint32_t class) {
    uint32_t low = 0, high = list.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (classes[list.nodes[middle]] < class)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t end = low;
    while (end < list.count && classes[list.nodes[end]] == class) end++;
    return (struct node_list){list.nodes + low, end - low};
}

bool graphs_classify(struct classifier *classifier, struct graph *graphs, const struct view *view,
                     const struct search *const searches[SIDE_COUNT], const bool *is_gone,
                     struct ledger *ledger) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        assert(searches[side]->is_complete && !searches[side]->store.gap_count);
        graphs[side] = (struct graph){.search = searches[side],
                                      .is_gone = side == SIDE_CONCRETE ? is_gone : NULL,
                                      .count = (uint32_t)store_count(&searches[side]->store)};
    }
    return classify_all(classifier, graphs, view, ledger);
}

/* Silence */

/* Nodes from where silent steps come to an end are taken away, from their ends on, until none
 * is. */
static bool silence_ends(const struct graph *graph, uint32_t *left, const struct row_steps *back,
                         uint32_t *ended) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < graph->count; node++)
        if (!left[node]) ended[count++] = node;
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t k = back->first[ended[i]]; k < back->first[ended[i] + 1]; k++)
            if (!--left[back->targets[k]]) ended[count++] = back->targets[k];
    return count == graph->count;
}

/* The silent steps alone, as rows; false at a limit. */
static bool list_silent(const struct graph *graph, struct row_steps *silent) {
    for (uint32_t node = 0; node < graph->count; node++) {
        for (uint64_t i = graph->rows.first[node]; i < graph->rows.first[node + 1]; i++)
            if (graph->kinds[i] & STEP_SILENT && !rows_add_step(silent, graph->rows.targets[i], 0))
                return false;
        if (!rows_add_row(silent)) return false;
    }
    return true;
}

bool graph_find_silence(const struct graph *graph, struct silence *silence, struct ledger *ledger) {
    struct row_steps silent = {.ledger = ledger}, back = {.ledger = ledger};
    *silence = (struct silence){.has_steps = false};
    if (!graph->kinds) return true;
    uint32_t *left = ledger_take(ledger, graph->count, sizeof *left);
    uint32_t *ended = ledger_take(ledger, graph->count, sizeof *ended);
    bool is_fine = left && ended && list_silent(graph, &silent) && rows_turn(&back, &silent);
    for (uint32_t node = 0; is_fine && node < graph->count; node++)
        left[node] = rows_degree(&silent, node);
    silence->has_steps = silent.step_count > 0;
    silence->may_diverge = is_fine && !silence_ends(graph, left, &back, ended);
    rows_close(&silent);
    rows_close(&back);
    LEDGER_GIVE(ledger, left, ended);
    return is_fine;
}

/* Gives its memory back to the ledger it came from. */
void graph_close(struct graph *graph, struct ledger *ledger) {
    LEDGER_GIVE(ledger, graph->classes, graph->can_idle, graph->kinds);
    rows_close(&graph->rows);
    *graph = (struct graph){0};
}
