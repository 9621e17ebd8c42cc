/* The states of a search with their visible successors. */
#include "explore/compare/graph.h"

#include "base/memory.h"
#include "explore/space/idle.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK = 1 << 12 };

/* Classes */

/* Visible parts, numbered in the order in which they are met. */
struct classifier {
    const struct view *view;
    struct ledger *ledger;
    struct store store;
    struct shelf shelf;
    uint64_t *state, *visible; /* heap */
};

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

/* Steps */

struct linker {
    struct graph *graph;
    struct expander expander;
};

static uint32_t class_of(void *context, uint32_t step, uint32_t target) {
    const struct linker *linker = context;
    (void)step;
    return linker->graph->classes[target];
}

/* Notes whether time may pass in the node; false at a limit. */
static bool note_idling(void *context, uint32_t node) {
    struct linker *linker = context;
    assert(node < linker->graph->count && linker->graph->can_idle);
    linker->graph->can_idle[node] = expander_can_idle(&linker->expander);
    if (!expander_is_cut(&linker->expander)) return true;
    linker->graph->rows.ledger->limit = expander_limit(&linker->expander);
    return false;
}

static bool link_all(struct graph *graph, bool is_stuttering, struct ledger *ledger) {
    const struct search *search = graph->search;
    struct linker linker = {.graph = graph};
    bool has_idling = has_urgency(search->program);
    struct rows_plan plan = {.search = search,
                             .expander = &linker.expander,
                             .is_sorted = true,
                             .idles = is_stuttering,
                             .label = class_of,
                             .finish = has_idling ? note_idling : NULL,
                             .context = &linker};
    graph->rows.ledger = ledger;
    if (has_idling) graph->can_idle = ledger_take(ledger, graph->count, sizeof *graph->can_idle);
    plan.state = layout_state(search->layout, NULL);
    expander_init(&linker.expander, search->program);
    linker.expander.machine.deadline = ledger->deadline;
    linker.expander.max_size = ledger->max_size;
    bool is_fine = rows_explore(&graph->rows, &plan);
    assert(!is_fine || graph->rows.count == graph->count);
    expander_close(&linker.expander);
    free(plan.state);
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
    LEDGER_GIVE(ledger, graph->classes, graph->can_idle);
    rows_close(&graph->rows);
    *graph = (struct graph){0};
}
