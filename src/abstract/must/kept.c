#include "abstract/must/kept.h"

#include "abstract/facts/channel.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/request/request.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Whether an expression means the same in a label of the original: it has no call that gets more
 * than the function takes, no variable that only the abstraction has (S2), and no name of a frame
 * other than that of the edge. */
struct expressible {
    const struct abstraction *abstraction;
    const struct edge *edge; /* NULL for an invariant */
    bool is_expressible;
};

static bool find_inexpressible(void *context, const struct expr *expr) {
    struct expressible *expressible = context;
    const struct request *request = expressible->abstraction->request;
    const struct symbol *symbol = expr->symbol;
    if (expr->kind == EXPR_QUANTIFY) expressible->is_expressible = false;
    if (expr->kind == EXPR_CALL &&
        (!symbol || !symbol->function ||
         function_change_of(&expressible->abstraction->functions, symbol->function)))
        expressible->is_expressible = false;
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        if (expr->kind == EXPR_NAME && symbol == request->ghosts.items[i]->symbol)
            expressible->is_expressible = false;
    if (expr->kind == EXPR_NAME && symbol && symbol->scope == SCOPE_FRAME) {
        bool is_select = false;
        for (uint32_t i = 0; expressible->edge && i < expressible->edge->select_count; i++)
            is_select |= expressible->edge->selects[i] == symbol;
        expressible->is_expressible &= is_select;
    }
    return expressible->is_expressible;
}

/* Adds the conjuncts of what is kept that can be said of the original. */
static void strengthen(const struct abstraction *abstraction, const struct edge *edge,
                       struct chain *label, const struct expr *kept) {
    if (kept->kind == EXPR_BINARY && kept->op == OP_AND) {
        strengthen(abstraction, edge, label, kept->child[0]);
        strengthen(abstraction, edge, label, kept->child[1]);
        return;
    }
    struct expressible expressible = {abstraction, edge, true};
    walk_expr(kept, find_inexpressible, &expressible);
    if (expressible.is_expressible) chain_add(label, kept);
}

void labels_keep_of_edge(const struct abstraction *abstraction, struct network_labels *labels,
                         const struct template *template, uint32_t index, const struct expr *kept) {
    assert(index < template->edge_count);
    struct edge_labels *edge = &labels->edges[template->index][index];
    assert(labels != &abstraction->network->labels);
    struct chain chain;
    VEC(const struct expr *) added = {0};
    if (!kept) return;
    chain_init(&chain, abstraction->arena, OP_AND);
    chain_add(&chain, edge->guard);
    uint32_t before = chain.terms.count;
    strengthen(abstraction, &template->edges[index], &chain, kept);
    if (chain.expr == edge->guard) return;
    for (uint32_t i = 0; i < edge->added_count; i++)
        VEC_PUSH(abstraction->arena, &added, edge->added[i]);
    for (uint32_t i = before; i < chain.terms.count; i++)
        VEC_PUSH(abstraction->arena, &added, chain.terms.items[i]);
    *edge = (struct edge_labels){.guard = chain.expr,
                                 .added = added.items,
                                 .added_count = expr_is_false(chain.expr) ? 0 : added.count,
                                 .sync_effects = edge->sync_effects,
                                 .update_effects = edge->update_effects};
}

void labels_keep_of_invariant(const struct abstraction *abstraction, struct network_labels *labels,
                              const struct template *template, uint32_t location,
                              const struct expr *kept) {
    assert(location < template->location_count);
    const struct expr **invariant = &labels->invariants[template->index][location];
    struct chain chain;
    assert(labels != &abstraction->network->labels); /* those of a network do not change */
    if (!kept) return;
    chain_init(&chain, abstraction->arena, OP_AND);
    chain_add(&chain, *invariant);
    strengthen(abstraction, NULL, &chain, kept);
    *invariant = chain.expr;
}

/* Whether no edge that may send on the channel of a receiver is left. A channel that may fail keeps
 * all broadcasts from being sent (F2). */
static bool has_no_sender(const struct context *context, const struct analysis *analysis,
                          const struct network_labels *labels, const struct edge *receiver) {
    assert(receiver->sync && !receiver->is_send);
    const struct model *model = analysis->network->model;
    bool may_fail = expr_can_fault(receiver->sync);
    const struct symbol *channel = expr_root(receiver->sync);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            if (!edge->sync || !edge->is_send || expr_is_false(labels->edges[t][i].guard) ||
                !analysis_reaches(analysis, model->templates[t], edge->source))
                continue;
            const struct symbol *root = expr_root(edge->sync);
            if (!root || !channel || symbols_may_alias(root, channel) ||
                (may_fail && sync_is_broadcast(context, model->templates[t], edge->sync)))
                return false;
        }
    return true;
}

void labels_make_sound(const struct context *context, const struct analysis *analysis,
                       struct network_labels *labels, const struct network_labels *base) {
    const struct model *model = context->network->model;
    assert(labels != base && analysis->network->model == model);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct template *template = model->templates[t];
            const struct edge *edge = &template->edges[i];
            bool may_receive_later = !edge->sync && edge->target >= template->location_count;
            if (edge->leaves_branchpoint || may_receive_later)
                labels->edges[t][i] = base->edges[t][i];
        }
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct template *template = model->templates[t];
            const struct edge *edge = &template->edges[i];
            if (labels->edges[t][i].guard == base->edges[t][i].guard || !edge->sync ||
                edge->is_send || !sync_is_broadcast(context, template, edge->sync) ||
                !analysis_reaches(analysis, template, edge->source))
                continue;
            if (!has_no_sender(context, analysis, labels, edge))
                labels->edges[t][i] = base->edges[t][i];
        }
}
