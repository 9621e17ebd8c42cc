#include "abstract/facts/guards.h"

#include "abstract/facts/cells.h"
#include "expr/chain.h"

#include <assert.h>

bool edge_is_restricted(const struct context *context, const struct template *template,
                        uint32_t index) {
    const struct edge *edge = &template->edges[index];
    assert(index < template->edge_count);
    return guard_of_edge(context->network, template, edge) != edge->written_guard;
}

const struct expr *restricted_guard(const struct context *context, const struct template *template,
                                    uint32_t index, const struct expr **fixed) {
    const struct edge *edge = &template->edges[index];
    const struct edge_labels *labels = labels_of_edge(context->network, template, edge);
    struct where where = where_guard(template, edge);
    struct chain read, unread;
    assert(edge_is_restricted(context, template, index));
    chain_init(&read, context->arena, OP_AND);
    chain_init(&unread, context->arena, OP_AND);
    chain_add(&read, edge->written_guard);
    for (uint32_t i = 0; i < labels->added_count; i++)
        chain_add(expr_reads_removed(context, labels->added[i], where) ? &read : &unread,
                  labels->added[i]);
    *fixed = unread.expr;
    return unread.expr ? read.expr : labels->guard;
}

bool invariant_is_restricted(const struct context *context, const struct template *template,
                             uint32_t location) {
    assert(location < template->location_count);
    return invariant_at(context->network, template, location) !=
           template->locations[location].written_invariant;
}
