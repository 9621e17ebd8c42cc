/* The product as a graph with constraints. */
#include "explore/refine/unfair.h"

#include <assert.h>

/* The graph */

/* The constraints that the abstract model takes with a step from its state. */
static uint32_t abstract_tags(const struct lts *abstract, uint32_t row, uint32_t label) {
    uint32_t count;
    if (label == LABEL_HIDDEN) return 0;
    const struct lts_edge *edges = lts_edges_of(abstract, row, label, &count);
    assert(count == 1);
    return edges->tags;
}

static uint32_t join(struct fair_sets *sets, uint32_t one, uint32_t other) {
    return fair_sets_add(sets, fair_set(sets, one) | fair_set(sets, other));
}

/* False at a limit. */
static bool add_node(struct fair_graph *graph, struct trace_product *product, uint32_t number) {
    const struct lts *concrete = product->sides[SIDE_CONCRETE];
    const struct lts *abstract = product->sides[SIDE_ABSTRACT];
    const struct product_node *node = &product->nodes[number];
    struct fair_sets *sets = concrete->options.sets;
    if (node->is_tainted) return fair_graph_add_node(graph, 0);
    assert(product->sets.items[node->set].count == 1);
    uint32_t row = *set_members(&product->sets, node->set), target;
    uint32_t count = concrete->nodes[node->state].count;
    for (uint32_t i = 0; i < count; i++) {
        const struct lts_edge *edge = &lts_edges(concrete, node->state)[i];
        uint32_t tags = join(sets, edge->tags, abstract_tags(abstract, row, edge->label));
        if (!product_follow(product, number, i, &target)) return false;
        assert(target != NO_NODE);
        if (!rows_add_step(&graph->rows, target, tags)) return false;
    }
    if (!count && !rows_add_step(&graph->rows, number, 0)) return false;
    return fair_graph_add_node(
        graph, join(sets, lts_enabled(concrete, node->state), lts_enabled(abstract, row)));
}

static bool build(struct fair_graph *graph, struct trace_product *product) {
    enum { TICK = 1 << 12 };
    for (uint32_t i = 0; i < product->count; i++) {
        if (i % TICK == 0 && !ledger_has_time(product->ledger)) return false;
        if (!add_node(graph, product, i)) return false;
    }
    return true;
}

/* The whole */

/* Runs that are fair to the concrete model and not to one constraint of the abstract one. */
static bool ask(struct unfair *unfair, const struct fair_graph *graph, uint32_t number,
                struct fair_question question, bool is_strong, struct arena *arena) {
    struct fair_parts parts;
    assert(question.avoid && number < FAIR_MAX);
    *(is_strong ? &question.meet : &question.keep) = question.avoid;
    bool is_fine = fair_find(graph, &question, &parts);
    if (is_fine && parts.has_any) {
        if (!unfair->violated) {
            unfair->first = number;
            is_fine = fair_lasso(graph, &question, &parts, arena, &unfair->lasso);
        }
        unfair->violated |= UINT64_C(1) << number;
    }
    fair_parts_close(graph, &parts);
    return is_fine;
}

bool unfair_find(struct unfair *unfair, struct trace_product *product,
                 const struct fair_constraints *constraints, struct arena *arena) {
    const struct lts *concrete = product->sides[SIDE_CONCRETE];
    const struct fair_constraints *abstract = &constraints[SIDE_ABSTRACT];
    struct fair_question question = {.weak = constraints[SIDE_CONCRETE].weak,
                                     .strong = constraints[SIDE_CONCRETE].strong};
    struct fair_graph graph;
    *unfair = (struct unfair){0};
    assert(product->failure == FAILURE_NONE && product->sides[SIDE_ABSTRACT]->is_deterministic);
    fair_graph_init(&graph, concrete->options.sets, product->ledger);
    bool is_fine = build(&graph, product);
    for (uint32_t i = 0; i < abstract->list.count && is_fine; i++) {
        question.avoid = UINT64_C(1) << abstract->list.items[i].bit;
        is_fine = ask(unfair, &graph, i, question, abstract->list.items[i].is_strong, arena);
    }
    fair_graph_close(&graph);
    return is_fine;
}
