/* See kept.h. */
#include "abstract/must/kept.h"

#include "abstract/facts/channel.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/request/request.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <string.h>

struct conditions *conditions_of(struct arena *arena, const struct network *network) {
    const struct model *model = network->model;
    struct conditions *conditions = ARENA_NEW(arena, struct conditions);
    conditions->guards = ARENA_ARRAY(arena, struct guard *, model->template_count + 1);
    conditions->invariants = ARENA_ARRAY(arena, struct expr **, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        conditions->guards[t] = ARENA_ARRAY(arena, struct guard, template->edge_count + 1);
        conditions->invariants[t] = ARENA_ARRAY(arena, struct expr *, template->location_count + 1);
        for (uint32_t i = 0; i < template->edge_count; i++)
            conditions->guards[t][i] =
                (struct guard){template->edges[i].guard, network->edge_effects[t][i].guard, true};
        for (uint32_t i = 0; i < template->location_count; i++)
            conditions->invariants[t][i] = template->locations[i].invariant;
    }
    return conditions;
}

/* Both belong to the model; expressions are shared. */
void conditions_copy(const struct model *model, struct conditions *to,
                     const struct conditions *from) {
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        memcpy(to->guards[t], from->guards[t], template->edge_count * sizeof *to->guards[t]);
        memcpy(to->invariants[t], from->invariants[t],
               template->location_count * sizeof *to->invariants[t]);
    }
}

bool model_has_conditions(const struct model *model, const struct conditions *conditions) {
    bool ok = true;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            ok &= template->edges[i].guard == conditions->guards[t][i].expr;
        for (uint32_t i = 0; i < template->location_count; i++)
            ok &= template->locations[i].invariant == conditions->invariants[t][i];
    }
    return ok;
}

static void apply(const struct network *network, const struct conditions *conditions) {
    struct effects_table table = network->effects; /* knows all functions */
    for (uint32_t t = 0; t < network->model->template_count; t++) {
        struct template *template = network->model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            struct guard *guard = &conditions->guards[t][i];
            if (!guard->has_effects) effects_add_expr(&table, &guard->effects, guard->expr);
            guard->has_effects = true;
            if (template->edges[i].guard == guard->expr) continue;
            template->edges[i].guard = guard->expr;
            network->edge_effects[t][i].guard = guard->effects;
        }
        for (uint32_t i = 0; i < template->location_count; i++)
            template->locations[i].invariant = conditions->invariants[t][i];
    }
}

void conditions_enter(const struct network *network, const struct conditions *outside,
                      const struct conditions *conditions) {
    assert(model_has_conditions(network->model, outside));
    apply(network, conditions);
}

/* The model must have the conditions that were entered. */
void conditions_leave(const struct network *network, const struct conditions *outside,
                      const struct conditions *conditions) {
    assert(model_has_conditions(network->model, conditions));
    apply(network, outside);
}

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

static void strengthen_label(const struct abstraction *abstraction, const struct edge *edge,
                             struct expr **label, const struct expr *kept) {
    struct chain chain;
    if (!kept) return;
    chain_init(&chain, abstraction->arena, OP_AND);
    chain_add(&chain, *label);
    strengthen(abstraction, edge, &chain, kept);
    *label = (struct expr *)chain.expr;
}

void conditions_keep_of_edge(const struct abstraction *abstraction, struct conditions *conditions,
                             const struct template *template, uint32_t index,
                             const struct expr *kept) {
    assert(index < template->edge_count);
    struct guard *guard = &conditions->guards[template->index][index];
    struct expr *expr = guard->expr;
    strengthen_label(abstraction, &template->edges[index], &expr, kept);
    if (expr != guard->expr) *guard = (struct guard){.expr = expr};
}

/* The same at a location. */
void conditions_keep_of_invariant(const struct abstraction *abstraction,
                                  struct conditions *conditions, const struct template *template,
                                  uint32_t location, const struct expr *kept) {
    assert(location < template->location_count);
    strengthen_label(abstraction, NULL, &conditions->invariants[template->index][location], kept);
}

/* Whether no edge that may send on the channel of a receiver is left. */
static bool has_no_sender(const struct analysis *analysis, const struct conditions *conditions,
                          const struct edge *receiver) {
    assert(receiver->sync && !receiver->is_send);
    const struct model *model = analysis->network->model;
    const struct symbol *channel = expr_root(receiver->sync);
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            if (!edge->sync || !edge->is_send || expr_is_false(conditions->guards[t][i].expr) ||
                !analysis_reaches(analysis, model->templates[t], edge->source))
                continue;
            const struct symbol *root = expr_root(edge->sync);
            if (!root || !channel || symbols_may_alias(root, channel)) return false;
        }
    return true;
}

void conditions_make_sound(const struct context *context, const struct analysis *analysis,
                           struct conditions *conditions, const struct conditions *base) {
    const struct model *model = context->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            if (model->templates[t]->edges[i].leaves_branchpoint)
                conditions->guards[t][i] = base->guards[t][i];
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct template *template = model->templates[t];
            const struct edge *edge = &template->edges[i];
            if (conditions->guards[t][i].expr == base->guards[t][i].expr || !edge->sync ||
                edge->is_send || !sync_is_broadcast(context, template, edge->sync) ||
                !analysis_reaches(analysis, template, edge->source))
                continue;
            if (!has_no_sender(analysis, conditions, edge))
                conditions->guards[t][i] = base->guards[t][i];
        }
}
