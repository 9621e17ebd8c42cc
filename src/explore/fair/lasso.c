/* Shortest ways, one after the other. */
#include "explore/fair/lasso.h"

#include <assert.h>

/* How a node was met, in a round. */
struct visit {
    uint32_t round, from, choice;
};

struct walker {
    const struct fair_graph *graph;
    const struct fair_question *question;
    const uint32_t *part_of;
    uint32_t part; /* that is not left; FAIR_NO_PART: anything goes */
    struct visit *visits;
    uint32_t *queue;
    uint32_t round;
    struct arena *arena;
    VEC(uint32_t) nodes, choices;
};

/* The destination of a way: any of these. */
struct destination {
    bool is_part;    /* a node of a good part */
    bool has_target; /* this node */
    uint32_t target;
    uint64_t taken;        /* an edge that takes one of these */
    uint64_t lacking, met; /* a node that does not enable one of the first, or one of the others */
};

static uint64_t enabled_in(const struct walker *walker, uint32_t node) {
    return fair_set(walker->graph->sets, walker->graph->enabled[node]);
}

static bool is_goal(const struct walker *walker, const struct destination *goal,
                    struct fair_edge edge) {
    uint64_t enabled = enabled_in(walker, edge.target);
    return (goal->is_part && walker->part_of[edge.target] != FAIR_NO_PART) ||
           (goal->has_target && edge.target == goal->target) ||
           (fair_set(walker->graph->sets, edge.tags) & goal->taken) || (~enabled & goal->lacking) ||
           (enabled & goal->met);
}

/* Whether an edge may be gone. */
static bool is_open(const struct walker *walker, struct fair_edge edge) {
    if (walker->part == FAIR_NO_PART) return edge.target < walker->graph->rows.count;
    return fair_is_inside(walker->graph, walker->question, walker->part_of, walker->part, edge);
}

/* Adds the way to a node that was met in this round, and an edge on from there. */
static void take_way(struct walker *walker, uint32_t from, uint32_t last, uint32_t choice) {
    const struct fair_graph *graph = walker->graph;
    uint32_t length = 0, node = last;
    for (; node != from; node = walker->visits[node].from) length++;
    for (uint32_t i = 0; i < length; i++) {
        VEC_PUSH(walker->arena, &walker->nodes, 0);
        VEC_PUSH(walker->arena, &walker->choices, 0);
    }
    uint32_t end = walker->nodes.count;
    for (node = last; node != from; node = walker->visits[node].from) {
        walker->nodes.items[--end] = node;
        walker->choices.items[end - 1] = walker->visits[node].choice;
    }
    VEC_PUSH(walker->arena, &walker->nodes, graph->rows.targets[graph->rows.first[last] + choice]);
    VEC_PUSH(walker->arena, &walker->choices, choice);
}

/* Goes on from the last node by a shortest way of at least one edge; there is one. */
static void walk(struct walker *walker, const struct destination *goal) {
    const struct fair_graph *graph = walker->graph;
    uint32_t from = walker->nodes.items[walker->nodes.count - 1], count = 0;
    walker->round++;
    walker->queue[count++] = from;
    assert(walker->round); /* 0: not met */
    walker->visits[from].round = walker->round;
    for (uint32_t head = 0; head < count; head++) {
        uint32_t node = walker->queue[head];
        uint32_t degree = rows_degree(&graph->rows, node);
        for (uint32_t i = 0; i < degree; i++) {
            struct fair_edge edge = fair_edge(graph, graph->rows.first[node] + i);
            if (!is_open(walker, edge)) continue;
            if (is_goal(walker, goal, edge)) {
                take_way(walker, from, node, i);
                return;
            }
            if (walker->visits[edge.target].round == walker->round) continue;
            walker->visits[edge.target] = (struct visit){walker->round, node, i};
            walker->queue[count++] = edge.target;
        }
    }
    assert(false);
}

/* The constraints that the loop still has to meet. */
struct needs {
    uint64_t taken, weak, met;
};

/* The strong constraints that some node of a part enables. */
static uint64_t enabled_in_part(const struct walker *walker) {
    uint64_t set = 0;
    for (uint32_t i = 0; i < walker->graph->rows.count; i++)
        if (walker->part_of[i] == walker->part) set |= enabled_in(walker, i);
    return set;
}

static void see_node(const struct walker *walker, struct needs *needs, uint32_t node,
                     struct fair_lasso *lasso) {
    uint64_t enabled = enabled_in(walker, node);
    if (needs->met & enabled) lasso->met = walker->nodes.count - 1;
    needs->weak &= enabled;
    needs->met &= ~enabled;
}

/* Takes the last edge and its target into account; those before were no goals. */
static void see_last(const struct walker *walker, struct needs *needs, struct fair_lasso *lasso) {
    const struct fair_graph *graph = walker->graph;
    uint32_t last = walker->choices.count - 1, from = walker->nodes.items[last];
    struct fair_edge edge = fair_edge(graph, graph->rows.first[from] + walker->choices.items[last]);
    needs->taken &= ~fair_set(graph->sets, edge.tags);
    needs->weak &= ~fair_set(graph->sets, edge.tags);
    see_node(walker, needs, edge.target, lasso);
}

/* Goes round in the part of the last node. */
static void go_round(struct walker *walker, struct fair_lasso *lasso) {
    const struct fair_question *question = walker->question;
    uint32_t start = walker->nodes.items[walker->nodes.count - 1];
    struct needs needs = {.weak = question->weak, .met = question->meet};
    lasso->loop = lasso->met = walker->nodes.count - 1;
    walker->part = walker->part_of[start];
    assert(walker->part != FAIR_NO_PART); /* R5.6: the way ends in a good part */
    needs.taken = question->strong & enabled_in_part(walker);
    see_node(walker, &needs, start, lasso);
    while (needs.taken || needs.weak || needs.met) {
        struct needs before = needs;
        struct destination goal = {
            .taken = needs.taken | needs.weak, .lacking = needs.weak, .met = needs.met};
        walk(walker, &goal);
        see_last(walker, &needs, lasso);
        assert(needs.taken != before.taken || needs.weak != before.weak || needs.met != before.met);
    }
    bool is_closed = walker->nodes.count - 1 > lasso->loop &&
                     walker->nodes.items[walker->nodes.count - 1] == start;
    if (!is_closed) walk(walker, &(struct destination){.has_target = true, .target = start});
}

bool fair_lasso(const struct fair_graph *graph, const struct fair_question *question,
                const struct fair_parts *parts, struct arena *arena, struct fair_lasso *lasso) {
    struct walker walker = {
        .graph = graph, .question = question, .part_of = parts->of, .arena = arena};
    assert(parts->has_any && graph->rows.count);
    walker.visits = ledger_take(graph->rows.ledger, graph->rows.count, sizeof *walker.visits);
    walker.queue = ledger_take(graph->rows.ledger, graph->rows.count, sizeof *walker.queue);
    *lasso = (struct fair_lasso){0};
    if (!walker.queue) {
        LEDGER_GIVE(graph->rows.ledger, walker.visits);
        return false;
    }
    VEC_PUSH(arena, &walker.nodes, 0);
    if (parts->of[0] == FAIR_NO_PART) walk(&walker, &(struct destination){.is_part = true});
    go_round(&walker, lasso);
    LEDGER_GIVE(graph->rows.ledger, walker.visits, walker.queue);
    lasso->nodes = walker.nodes.items;
    lasso->choices = walker.choices.items;
    lasso->count = walker.nodes.count;
    assert(lasso->nodes[lasso->count - 1] == lasso->nodes[lasso->loop]);
    return true;
}
