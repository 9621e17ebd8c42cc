/* What the partners of an edge do to shared variables before its update runs (rule A2). */
#include "abstract/edge/received.h"

#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/names.h"
#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { MAX_SENT_SIZE = 50 };

static bool writes(const struct context *context, const struct template *template, uint32_t edge,
                   const struct symbol *symbol) {
    assert(edge < template->edge_count);
    const struct effects *update =
        &context->network->labels.edges[template->index][edge].update_effects;
    for (uint32_t i = 0; i < update->list.count; i++)
        if (update->list.items[i].writes && symbols_may_alias(update->list.items[i].symbol, symbol))
            return true;
    return false;
}

/* Whether an edge may run in one step with a receiver, before it. */
static bool is_partner(const struct template *template, const struct edge *edge,
                       const struct edge *receiver, bool is_broadcast) {
    if (edge->leaves_branchpoint || template->locations[edge->target].is_branchpoint) return true;
    if (!edge->sync || !(edge->is_send || is_broadcast)) return false;
    const struct symbol *left = expr_root(edge->sync), *right = expr_root(receiver->sync);
    return !left || !right || symbols_may_alias(left, right);
}

struct partner {
    const struct template *template;
    uint32_t edge;
};

struct partners {
    const struct symbol *channel; /* that the receiver listens to; NULL = any */
    bool is_broadcast;
    VEC(struct partner) list;
};

/* All edges that may run before a receiver, which are the same for all receivers of a channel. */
static const struct partners *partners_of(const struct context *context,
                                          const struct edge *receiver, bool is_broadcast) {
    const struct model *model = context->network->model;
    const struct symbol *channel = expr_root(receiver->sync);
    assert(!receiver->is_send);
    uint64_t key = map_key(channel) * 2 + is_broadcast;
    struct partners *partners = map_get(context->partners, key);
    if (partners && partners->channel == channel && partners->is_broadcast == is_broadcast)
        return partners;
    partners = ARENA_NEW(context->arena, struct partners);
    partners->channel = channel;
    partners->is_broadcast = is_broadcast;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            if (is_partner(model->templates[t], &model->templates[t]->edges[i], receiver,
                           is_broadcast))
                VEC_PUSH(context->arena, &partners->list, (struct partner){model->templates[t], i});
    map_put(context->partners, key, partners);
    return partners;
}

struct sent_value {
    const struct open_edge *open;
    const struct effects *update; /* of the sender */
    const struct symbol *symbol;
    bool is_clear;
};

/* Names that mean the same to the receiver, and the same before the step. */
static bool is_clear_of(void *user, const struct expr *expr) {
    struct sent_value *sent = user;
    const struct symbol *symbol = expr->symbol;
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_QUANTIFY) sent->is_clear = false;
    if (expr->kind != EXPR_NAME) return sent->is_clear;
    if (!symbol || symbol->scope != SCOPE_GLOBAL ||
        is_hidden(sent->open->template, sent->open->edge, symbol))
        sent->is_clear = false;
    for (uint32_t i = 0; i < sent->update->list.count && sent->is_clear; i++)
        sent->is_clear = !sent->update->list.items[i].writes || symbol == sent->symbol ||
                         !symbols_may_alias(sent->update->list.items[i].symbol, symbol);
    return sent->is_clear;
}

/* What the update of a sender puts into a variable, in terms of the source state; NULL if that
 * cannot be said in the template of the receiver. */
static const struct expr *sent_by(const struct context *context, const struct open_edge *open,
                                  const struct template *template, uint32_t number,
                                  const struct symbol *symbol) {
    const struct edge *edge = &template->edges[number];
    assert(number < template->edge_count);
    const struct expr *value = NULL;
    struct effects_table table = context->network->effects;
    table.arena = context->arena;
    if (!edge->is_send || edge->leaves_branchpoint ||
        template->locations[edge->target].is_branchpoint ||
        type_strip(symbol->type)->kind != TYPE_INT)
        return NULL;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        const struct expr *item = edge->updates.items[i];
        struct effects effects = {0};
        effects_add_expr(&table, &effects, item);
        bool writes = false;
        for (uint32_t k = 0; k < effects.list.count; k++)
            writes |= effects.list.items[k].writes &&
                      symbols_may_alias(effects.list.items[k].symbol, symbol);
        if (!writes) continue;
        if (value || item->kind != EXPR_ASSIGN || item->op != OP_ASSIGN ||
            item->child[0]->kind != EXPR_NAME || item->child[0]->symbol != symbol ||
            expr_has_effect(item->child[1]) ||
            expr_reads_removed(context, item->child[1], open->involved.within))
            return NULL;
        value = item->child[1];
    }
    if (!value || expr_size(value, MAX_SENT_SIZE) > MAX_SENT_SIZE) return NULL;
    struct sent_value sent = {
        .open = open,
        .update = &context->network->labels.edges[template->index][number].update_effects,
        .symbol = symbol,
        .is_clear = true};
    walk_expr(value, is_clear_of, &sent);
    return sent.is_clear ? value : NULL;
}

const struct expr *received_value(const struct context *context, const struct open_edge *open,
                                  const struct expr *name) {
    const struct symbol *symbol = name->symbol;
    const struct expr *value = NULL;
    assert(name->kind == EXPR_NAME && open->edge);
    if (open->edge->leaves_branchpoint || !open->edge->sync || open->edge->is_send) return NULL;
    const struct partners *partners =
        partners_of(context, open->edge, open_edge_receives_broadcast(context, open));
    for (uint32_t i = 0; i < partners->list.count; i++) {
        const struct template *template = partners->list.items[i].template;
        uint32_t edge = partners->list.items[i].edge;
        bool changes = writes(context, template, edge, symbol);
        if (!changes && !template->edges[edge].is_send) continue;
        const struct expr *sent = changes ? sent_by(context, open, template, edge, symbol) : name;
        if (!sent || (value && !expr_equal(value, sent))) return NULL;
        value = sent;
    }
    return value ? value : name;
}
