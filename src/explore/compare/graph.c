/* The states of a search with their visible successors. */
#include "explore/compare/graph.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "explore/space/idle.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK = 1 << 12, SHORT = 24, FIRST_EDGES = 1 << 12 };

/* Classes */

/* Visible parts, numbered in the order in which they are met. */
struct classifier {
    const struct view *view;
    struct ledger *ledger;
    struct store store;
    struct shelf shelf;
    uint64_t *state, *visible; /* heap */
};

static bool make_room(struct classifier *classifier) {
    struct store *store = &classifier->store;
    if (classifier->shelf.next < classifier->shelf.end) return true;
    if (!store_has_room(store, STORE_RUN) && !store_reserve(store, STORE_RUN)) {
        classifier->ledger->limit = LIMIT_MEMORY;
        return false;
    }
    store_refill(store, &classifier->shelf, STORE_RUN);
    return ledger_fits(classifier->ledger, 0);
}

static bool classify(struct classifier *classifier, struct graph *graph, enum side side) {
    const struct store *rows = &graph->search->store;
    struct store *store = &classifier->store;
    bool is_new;
    graph->classes =
        ledger_resize(classifier->ledger, NULL, 0, (size_t)graph->count * sizeof *graph->classes);
    if (!graph->classes) return false;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (i % TICK == 0 && !ledger_has_time(classifier->ledger)) return false;
        if (!make_room(classifier)) return false;
        store_load(rows, i, classifier->state);
        view_project(classifier->view, side, classifier->state, classifier->visible);
        graph->classes[i] = store_add(store, &classifier->shelf, classifier->visible,
                                      store_hash(store, classifier->visible), &is_new);
    }
    return true;
}

static bool classify_all(struct graph *graphs, const struct view *view, struct ledger *ledger) {
    struct classifier classifier = {.view = view, .ledger = ledger};
    struct layout shape = {.stored_words = view->word_count, .stored_bytes = view->byte_count};
    uint32_t words = 1;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (graphs[side].search->layout->word_count > words)
            words = graphs[side].search->layout->word_count;
    bool is_fine = store_init(&classifier.store, &shape, ledger_left(ledger), 0);
    if (!is_fine) ledger->limit = LIMIT_MEMORY;
    ledger->stores[SIDE_COUNT] = &classifier.store;
    classifier.state = heap_resize(NULL, words, sizeof *classifier.state);
    classifier.visible = heap_resize(NULL, view->word_count, sizeof *classifier.visible);
    for (int side = 0; side < SIDE_COUNT && is_fine; side++)
        is_fine = classify(&classifier, &graphs[side], (enum side)side);
    ledger->stores[SIDE_COUNT] = NULL;
    store_close(&classifier.store);
    free(classifier.state);
    free(classifier.visible);
    return is_fine;
}

/* Successors */

struct linker {
    struct graph *graph;
    struct ledger *ledger;
    struct expander expander;
    uint64_t *keys; /* heap: of the successors at hand, class and node */
    uint32_t capacity;
};

static int compare_keys(const void *left, const void *right) {
    const uint64_t *one = left, *other = right;
    return (*one > *other) - (*one < *other);
}

static void sort_keys(uint64_t *keys, uint32_t count) {
    if (count > SHORT) {
        qsort(keys, count, sizeof *keys, compare_keys);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t k = i;
        for (; k && keys[k - 1] > key; k--) keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

/* Keys of the successors in the expander, sorted. */
static uint32_t take_keys(struct linker *linker) {
    const struct expander *expander = &linker->expander;
    const struct store *store = &linker->graph->search->store;
    uint32_t count = expander->count;
    if (count > linker->capacity) {
        linker->capacity = expander->capacity;
        linker->keys = heap_resize(linker->keys, linker->capacity, sizeof *linker->keys);
    }
    for (uint32_t i = 0; i < count; i++) {
        linker->keys[i] = store_hash(store, expander_state(expander, i));
        store_prefetch(store, linker->keys[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = store_find(store, expander_state(expander, i), linker->keys[i]);
        assert(node != STORE_FULL);
        linker->keys[i] = (uint64_t)linker->graph->classes[node] << 32 | node;
    }
    sort_keys(linker->keys, count);
    return count;
}

static bool reserve_edges(struct linker *linker, uint64_t need) {
    struct graph *graph = linker->graph;
    uint64_t capacity = graph->capacity ? graph->capacity : FIRST_EDGES;
    if (need <= graph->capacity) return true;
    while (capacity < need) capacity += capacity / 2;
    uint32_t *more =
        ledger_resize(linker->ledger, graph->next, graph->capacity * sizeof *graph->next,
                      capacity * sizeof *graph->next);
    if (!more) return false;
    graph->next = more;
    graph->capacity = capacity;
    return true;
}

/* Expands a state, and notes whether time may pass in it; false at a limit. */
static bool expand_node(struct linker *linker, uint32_t node, uint64_t *state) {
    struct graph *graph = linker->graph;
    struct expander *expander = &linker->expander;
    store_load(&graph->search->store, node, state);
    expander_clear(expander);
    bool is_fine = expander_run(expander, state);
    assert(is_fine || expander_is_cut(expander)); /* the search did not overflow either */
    if (is_fine && graph->can_idle) {
        graph->can_idle[node] = expander_can_idle(expander);
        is_fine = !expander_is_cut(expander);
    }
    if (!is_fine) linker->ledger->limit = expander_limit(expander);
    return is_fine;
}

static bool link_node(struct linker *linker, uint32_t node, uint64_t *state, bool is_stuttering) {
    struct graph *graph = linker->graph;
    uint64_t end = graph->first[node];
    if (!expand_node(linker, node, state)) return false;
    uint32_t count = take_keys(linker);
    if (!reserve_edges(linker, end + count + 1)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!i || linker->keys[i] != linker->keys[i - 1])
            graph->next[end++] = (uint32_t)linker->keys[i];
    if (!count && is_stuttering) graph->next[end++] = node;
    assert(end <= graph->capacity);
    graph->first[node + 1] = end;
    return true;
}

static bool reserve_nodes(struct graph *graph, struct ledger *ledger) {
    size_t count = graph->count;
    graph->first = ledger_resize(ledger, NULL, 0, (count + 1) * sizeof *graph->first);
    if (!graph->first || !has_urgency(graph->search->program)) return graph->first != NULL;
    graph->can_idle = ledger_resize(ledger, NULL, 0, count * sizeof *graph->can_idle);
    return graph->can_idle != NULL;
}

static bool link_all(struct graph *graph, bool is_stuttering, struct ledger *ledger) {
    struct linker linker = {.graph = graph, .ledger = ledger};
    uint64_t *state = heap_resize(NULL, graph->search->layout->word_count + 1, sizeof *state);
    bool is_fine = reserve_nodes(graph, ledger);
    memcpy(state, graph->search->layout->initial,
           graph->search->layout->word_count * sizeof *state);
    expander_init(&linker.expander, graph->search->program);
    linker.expander.machine.deadline = ledger->deadline;
    linker.expander.max_size = ledger->max_size;
    if (is_fine) graph->first[0] = 0;
    for (uint32_t i = 0; i < graph->count && is_fine; i++) {
        is_fine = i % TICK != 0 || ledger_has_time(ledger);
        is_fine = is_fine && link_node(&linker, i, state, is_stuttering);
    }
    expander_close(&linker.expander);
    free(linker.keys);
    free(state);
    return is_fine;
}

struct node_list graph_successors_of(const struct graph *graph, uint32_t node, uint32_t class) {
    assert(node < graph->count);
    struct node_list list = graph_successors(graph, node);
    uint32_t low = 0, high = list.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->classes[list.nodes[middle]] < class)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t end = low;
    while (end < list.count && graph->classes[list.nodes[end]] == class) end++;
    return (struct node_list){list.nodes + low, end - low};
}

bool graphs_init(struct graph *graphs, const struct view *view,
                 const struct search *const searches[SIDE_COUNT], bool is_stuttering,
                 struct ledger *ledger) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        assert(searches[side]->is_complete && !searches[side]->store.gap_count);
        graphs[side] = (struct graph){.search = searches[side],
                                      .count = (uint32_t)store_count(&searches[side]->store)};
    }
    return classify_all(graphs, view, ledger) &&
           link_all(&graphs[SIDE_CONCRETE], is_stuttering, ledger) &&
           link_all(&graphs[SIDE_ABSTRACT], is_stuttering, ledger);
}

/* Gives its memory back to the ledger it came from. */
void graph_close(struct graph *graph, struct ledger *ledger) {
    size_t count = graph->count;
    LEDGER_GIVE(ledger, graph->classes, count);
    LEDGER_GIVE(ledger, graph->first, count + 1);
    LEDGER_GIVE(ledger, graph->can_idle, count);
    LEDGER_GIVE(ledger, graph->next, graph->capacity);
    *graph = (struct graph){0};
}
