/* Strongly connected components, again and again. */
#include "explore/fair/emptiness.h"

#include <assert.h>

enum { TICK = 1 << 16 };

/* The graph */

void fair_graph_init(struct fair_graph *graph, const struct fair_sets *sets,
                     struct ledger *ledger) {
    *graph = (struct fair_graph){.sets = sets, .rows = {.ledger = ledger, .has_labels = true}};
}

void fair_graph_close(struct fair_graph *graph) {
    LEDGER_GIVE(graph->rows.ledger, graph->enabled);
    rows_close(&graph->rows);
    fair_graph_init(graph, graph->sets, graph->rows.ledger);
}

bool fair_graph_add_node(struct fair_graph *graph, uint32_t enabled) {
    uint32_t number = graph->rows.count;
    if (number >= FAIR_OUT / 2 - 1) { /* numbers of parts are twice as large */
        graph->rows.ledger->limit = LIMIT_STATES;
        return false;
    }
    if (!rows_add_row(&graph->rows) ||
        !LEDGER_ROOM(graph->rows.ledger, graph->enabled, (size_t)number + 1))
        return false;
    graph->enabled[number] = enabled;
    return true;
}

/* Components. What is looked at is a slice of an array of all nodes. part_of says which slice a
 * node is in: twice where it begins, and one or two more, before and after it is known to be
 * strongly connected. Slices are apart from each other, so that different ones have different
 * numbers. */

struct search_frame {
    uint32_t node;
    uint64_t next; /* edge */
};

struct slice {
    uint32_t begin, end;
};

struct finder {
    const struct fair_graph *graph;
    const struct fair_question *question;
    uint32_t *part_of;
    uint32_t *nodes;             /* slices */
    uint32_t *roots;             /* a copy of the slice that is split */
    uint32_t *stack;             /* of the search: nodes of no component so far */
    uint32_t *order, *low;       /* by node; order 0: not met */
    struct search_frame *frames; /* the path of the search */
    struct slice *slices;        /* components that are left to look at */
    uint32_t stack_count, frame_count, slice_count, met, filled;
    uint64_t ticks;
    bool is_stopped;
};

static uint32_t before(uint32_t begin) { return begin * 2 + 1; }
static uint32_t after(uint32_t begin) { return begin * 2 + 2; }

static void enter(struct finder *finder, uint32_t node) {
    assert(!finder->order[node] && finder->stack_count < finder->graph->rows.count);
    finder->order[node] = finder->low[node] = ++finder->met;
    finder->stack[finder->stack_count++] = node;
    finder->frames[finder->frame_count++] =
        (struct search_frame){node, finder->graph->rows.first[node]};
}

/* Takes a component off the stack and makes it a slice. */
static void split_off(struct finder *finder, uint32_t root) {
    struct slice slice = {finder->filled, finder->filled};
    uint32_t node;
    do {
        assert(finder->stack_count); /* the root is below what it leads to */
        node = finder->stack[--finder->stack_count];
        finder->nodes[slice.end++] = node;
        finder->part_of[node] = after(slice.begin);
    } while (node != root);
    finder->filled = slice.end;
    finder->slices[finder->slice_count++] = slice;
}

/* One step of the search (Tarjan's); part is that of nodes that are in no component yet. */
static void advance(struct finder *finder, uint32_t part) {
    const struct fair_graph *graph = finder->graph;
    struct search_frame *top = &finder->frames[finder->frame_count - 1];
    uint32_t node = top->node;
    while (top->next < graph->rows.first[node + 1]) {
        struct fair_edge edge = fair_edge(graph, top->next++);
        if (!fair_is_inside(graph, finder->question, finder->part_of, part, edge)) continue;
        if (!finder->order[edge.target]) {
            enter(finder, edge.target);
            return;
        }
        if (finder->order[edge.target] < finder->low[node])
            finder->low[node] = finder->order[edge.target];
    }
    finder->frame_count--;
    if (finder->low[node] == finder->order[node]) split_off(finder, node);
    if (!finder->frame_count) return;
    uint32_t parent = finder->frames[finder->frame_count - 1].node;
    if (finder->low[node] < finder->low[parent]) finder->low[parent] = finder->low[node];
}

/* Splits a slice into its components. */
static void split(struct finder *finder, struct slice slice) {
    uint32_t count = slice.end - slice.begin;
    if (!count) return;
    memcpy(finder->roots, finder->nodes + slice.begin, count * sizeof *finder->roots);
    finder->filled = slice.begin;
    finder->met = 0;
    for (uint32_t i = 0; i < count; i++) {
        finder->part_of[finder->roots[i]] = before(slice.begin);
        finder->order[finder->roots[i]] = 0;
    }
    for (uint32_t i = 0; i < count && !finder->is_stopped; i++) {
        if (!finder->order[finder->roots[i]]) enter(finder, finder->roots[i]);
        while (finder->frame_count && !finder->is_stopped) {
            advance(finder, before(slice.begin));
            if (++finder->ticks % TICK == 0)
                finder->is_stopped = !ledger_has_time(finder->graph->rows.ledger);
        }
    }
    assert(finder->is_stopped || (finder->filled == slice.end && !finder->stack_count));
}

/* The constraints of the edges and nodes of a component. */
struct component_sum {
    bool has_edge;
    uint64_t taken, some, all; /* taken by some edge; enabled in some, in all of the nodes */
};

static struct component_sum sum_up(const struct finder *finder, struct slice slice) {
    const struct fair_graph *graph = finder->graph;
    struct component_sum summary = {.all = UINT64_MAX};
    for (uint32_t i = slice.begin; i < slice.end; i++) {
        uint32_t node = finder->nodes[i];
        uint64_t enabled = fair_set(graph->sets, graph->enabled[node]);
        summary.some |= enabled;
        summary.all &= enabled;
        for (uint64_t k = graph->rows.first[node]; k < graph->rows.first[node + 1]; k++) {
            struct fair_edge edge = fair_edge(graph, k);
            if (!fair_is_inside(graph, finder->question, finder->part_of, after(slice.begin), edge))
                continue;
            summary.has_edge = true;
            summary.taken |= fair_set(graph->sets, edge.tags);
        }
    }
    return summary;
}

/* Leaves out of a component what enables one of a set, or all of it; splits what is left. */
static void leave_out(struct finder *finder, struct slice slice, uint64_t set, bool is_all) {
    const struct fair_graph *graph = finder->graph;
    uint32_t kept = slice.begin;
    for (uint32_t i = slice.begin; i < slice.end; i++) {
        uint32_t node = finder->nodes[i];
        finder->part_of[node] = FAIR_NO_PART;
        if (!is_all && !(fair_set(graph->sets, graph->enabled[node]) & set))
            finder->nodes[kept++] = node;
    }
    assert(is_all ? kept == slice.begin : kept < slice.end); /* so that it ends */
    split(finder, (struct slice){slice.begin, kept});
}

/* Whether a component is good; otherwise it is split, or left out. */
static bool look_at(struct finder *finder, struct slice slice) {
    const struct fair_question *question = finder->question;
    struct component_sum summary = sum_up(finder, slice);
    assert(slice.begin < slice.end && slice.end <= finder->graph->rows.count);
    uint64_t starved = question->strong & ~summary.taken & summary.some;
    bool is_bad = !summary.has_edge || (question->weak & ~summary.taken & summary.all) ||
                  (question->meet & ~summary.some);
    if (is_bad || starved) leave_out(finder, slice, starved, is_bad);
    return !is_bad && !starved;
}

static void find(struct finder *finder, struct fair_parts *parts) {
    const struct fair_graph *graph = finder->graph;
    struct slice slice = {0, 0};
    for (uint32_t i = 0; i < graph->rows.count; i++) {
        uint64_t enabled = fair_set(graph->sets, graph->enabled[i]);
        finder->part_of[i] = FAIR_NO_PART;
        if (!(finder->question->keep & ~enabled)) finder->nodes[slice.end++] = i;
    }
    split(finder, slice);
    while (finder->slice_count && !finder->is_stopped)
        parts->has_any |= look_at(finder, finder->slices[--finder->slice_count]);
}

/* The whole */

bool fair_find(const struct fair_graph *graph, const struct fair_question *question,
               struct fair_parts *parts) {
    struct finder finder = {.graph = graph, .question = question};
    struct ledger *ledger = graph->rows.ledger;
    size_t count = (size_t)graph->rows.count + 1;
    uint32_t **const arrays[] = {&parts->of,    &finder.nodes, &finder.roots,
                                 &finder.stack, &finder.order, &finder.low};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = ledger_take(ledger, count, sizeof(uint32_t));
    finder.frames = ledger_take(ledger, count, sizeof *finder.frames);
    finder.slices = ledger_take(ledger, count, sizeof *finder.slices);
    finder.part_of = parts->of;
    parts->has_any = false;
    bool is_fine = finder.slices != NULL;
    if (is_fine) find(&finder, parts);
    LEDGER_GIVE(ledger, finder.nodes, finder.roots, finder.stack, finder.order, finder.low,
                finder.frames, finder.slices);
    return is_fine && !finder.is_stopped;
}

void fair_parts_close(const struct fair_graph *graph, struct fair_parts *parts) {
    LEDGER_GIVE(graph->rows.ledger, parts->of);
    *parts = (struct fair_parts){0};
}
