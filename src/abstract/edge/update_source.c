/* What an update is in terms of the source state: the values that variables got, and the conditions
 * under which it does not fail. */
#include "abstract/edge/error.h"
#include "abstract/edge/open_edge.h"
#include "abstract/edge/read.h"
#include "abstract/edge/update_internal.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/names.h"
#include "abstract/facts/range.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/syntax/walk.h"
#include "model/hindrance.h"

#include <assert.h>

/* ---- what is received ---- */

/* What a receiver finds in shared variables, after the updates before its own (A2). */

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

/* What a shared variable holds when the update of a receiver starts, in terms of the source state:
 * itself, or what all possible senders write; NULL if that is not known, as for all other edges. */
static const struct expr *received_value(const struct context *context,
                                         const struct open_edge *open, const struct expr *name) {
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

enum { MAX_STORED_SIZE = 200 };

static const struct removal *updater_removal(const struct updater *updater,
                                             const struct symbol *symbol) {
    return involved_removal(updater->context, &updater->open->involved, symbol,
                            updater->rewriter.where);
}

const struct stored *updater_stored(const struct updater *updater, const struct symbol *symbol) {
    for (uint32_t i = updater->store.list.count; i-- > 0;)
        if (symbols_may_alias(updater->store.list.items[i].symbol, symbol))
            return &updater->store.list.items[i];
    return NULL;
}

static bool is_mutable(const struct symbol *symbol) {
    return (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER) &&
           !symbol_is_const(symbol) && !symbol_is_channel(symbol);
}

const struct expr *updater_to_source(struct updater *updater, const struct expr *expr) {
    struct arena *arena = updater->context->arena;
    if (expr->kind == EXPR_NAME && expr->symbol) {
        const struct symbol *symbol = expr->symbol;
        const struct removal *removal = updater_removal(updater, symbol);
        if (removal && (removal->is_whole || !updater->reads_cells)) return NULL;
        const struct stored *stored = updater_stored(updater, symbol);
        if (stored) return stored->symbol == symbol ? stored->before : NULL;
        bool is_shared = symbol->scope == SCOPE_GLOBAL || symbol->is_reference;
        if (!is_shared || !is_mutable(symbol)) return expr;
        if (updater->context->has_before_update) return NULL;
        return updater->rewriter.is_within_step
                   ? received_value(updater->context, updater->open, expr)
                   : expr;
    }
    if (expr->kind == EXPR_CALL || expr_assigns(expr)) return NULL;
    struct expr *copy = NULL;
    for (int i = 0; i < 3; i++) {
        if (!expr->child[i]) continue;
        const struct expr *child = updater_to_source(updater, expr->child[i]);
        if (!child) return NULL;
        if (child == expr->child[i]) continue;
        if (!copy) copy = build_copy(arena, expr);
        copy->child[i] = (struct expr *)child;
    }
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (updater_to_source(updater, expr->arguments[i]) != expr->arguments[i]) return NULL;
    if (copy && expr->kind == EXPR_QUANTIFY && expr_is_captured(copy->child[0], expr->bound))
        return NULL;
    return copy ? simplify_node(arena, copy) : expr;
}

bool updater_never_fails(const struct updater *updater) {
    const struct edge_fact *fact = updater->fact;
    assert(updater->at < updater->open->edge->updates.count);
    return !fact->item_faults[updater->at] && !fact->is_incomplete;
}

/* Whether an item needs no condition, as it never fails in the original. It may fail here all the
 * same: for visible variables in states that the original does not have, where a part of the guard
 * is left out, and for values that the analysis did not meet together. */
static bool is_certain(const struct updater *updater, enum subject subject) {
    const struct open_edge *open = updater->open;
    if (subject == SUBJECT_VISIBLE || subject == SUBJECT_GHOST || !updater_never_fails(updater))
        return false;
    return subject != SUBJECT_FED ||
           (!open->inexact.count && facts_hold_for_unknowns(updater->context, open));
}

static bool reads_partly_removed(const struct context *context, const struct expr *expr) {
    for (uint32_t i = 0; i < context->request->removals.count; i++)
        if (!context->request->removals.items[i].is_whole &&
            expr_mentions(expr, context->request->removals.items[i].symbol))
            return true;
    return false;
}

/* A condition in terms of the source state, where the removed cells of variables that stay declared
 * are unknowns; NULL if that cannot be said. */
static const struct expr *condition_to_source(struct updater *updater,
                                              const struct expr *condition) {
    assert(!updater->reads_cells);
    if (!reads_partly_removed(updater->context, condition))
        return updater_to_source(updater, condition);
    struct rewriter reader = updater->rewriter;
    reader.is_update = reader.is_certain = false;
    const struct expr *read = rewrite_read(&reader, condition);
    if (reader.why_not) return NULL;
    updater->reads_cells = true;
    const struct expr *source = updater_to_source(updater, read);
    updater->reads_cells = false;
    return source;
}

bool updater_require(struct updater *updater, const struct expr *condition, const char *why_not,
                     enum subject subject) {
    struct context *context = updater->context;
    struct open_edge *open = updater->open;
    assert(updater->at < open->edge->updates.count);
    if ((!why_not && expr_is_true(condition)) || is_certain(updater, subject)) return true;
    bool is_receiver = open_edge_receives_broadcast(context, open);
    if (subject == SUBJECT_GHOST && is_receiver) return true; /* it would not take part */
    bool is_expressible = !why_not && condition && !open_edge_is_branch(open);
    const struct expr *source = is_expressible ? condition_to_source(updater, condition) : NULL;
    if (source && expr_can_fault(source)) {
        struct error_query query = {.where = updater->rewriter.where};
        const struct expr *own = no_error_condition(context, &query, source);
        source = query.why_not ? NULL : build_and(context->arena, own, source);
    }
    if (names_hidden(open->template, open->edge, source)) source = NULL;
    if (source) {
        open->condition = build_and(context->arena, open->condition, source);
        open->has_condition_of_receiver |= is_receiver;
        open->has_condition_of_urgent |= !is_receiver && sync_may_be_urgent(open->edge->sync);
    }
    bool is_said = source && !why_not;
    open->may_fail |= !is_said;
    if (!is_said && subject == SUBJECT_DROPPED)
        open_edge_add_failure(context, open, updater->at,
                              why_not ? why_not : "its condition cannot be a guard");
    return is_said;
}

const struct expr *updater_place_condition(struct updater *updater, struct error_query *query,
                                           const struct expr *place) {
    return place->kind == EXPR_NAME ? NULL : no_error_condition(updater->context, query, place);
}

/* NULL for what is too large to stand in other expressions: x = x + x, x = x + x, ... would
 * double with every item. */
static const struct expr *if_small(const struct expr *expr) {
    return expr && expr_size(expr, MAX_STORED_SIZE) <= MAX_STORED_SIZE ? expr : NULL;
}

void updater_store(struct updater *updater, const struct symbol *symbol, const struct expr *now,
                   const struct expr *before) {
    uint32_t count = 0;
    assert(symbol && symbol->kind != SYMBOL_SELECT); /* selects are not written */
    for (uint32_t i = 0; i < updater->store.list.count; i++) {
        struct stored stored = updater->store.list.items[i];
        if (stored.symbol == symbol) continue;
        if (stored.now && expr_mentions_alias(stored.now, symbol)) stored.now = NULL;
        updater->store.list.items[count++] = stored;
    }
    updater->store.list.count = count;
    VEC_PUSH(updater->context->arena, &updater->store.list,
             (struct stored){symbol, if_small(now), if_small(before)});
}

/* What a cell holds after it was assigned. */
const struct expr *updater_converted(struct updater *updater, const struct expr *value,
                                     const struct type *type) {
    if (type_strip(type)->kind != TYPE_BOOL || expr_is_boolean(value)) return value;
    return simplify_node(
        updater->context->arena,
        build_binary(updater->context->arena, OP_NE, value, build_int(updater->context->arena, 0)));
}

void updater_note_writes(struct updater *updater, const struct effects *effects,
                         const struct expr *expr) {
    for (uint32_t i = 0; i < effects->list.count; i++) {
        if (!effects->list.items[i].writes) continue;
        const struct symbol *symbol = effects->list.items[i].symbol;
        const struct removal *removal = updater_removal(updater, symbol);
        if (removal && removal->is_whole) continue;
        const struct expr *before = NULL;
        bool is_plain = expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN &&
                        expr->child[0]->kind == EXPR_NAME && expr->child[0]->symbol == symbol &&
                        !expr_has_effect(expr->child[1]);
        const struct type *kind = type_strip(symbol->type);
        if (is_plain && kind->kind != TYPE_ARRAY && kind->kind != TYPE_STRUCT)
            before = updater_to_source(updater,
                                       updater_converted(updater, expr->child[1], symbol->type));
        updater_store(updater, symbol, NULL, before);
    }
}

void updater_require_visible(struct updater *updater, const struct expr *item) {
    struct context *context = updater->context;
    struct open_edge *open = updater->open;
    assert(updater->at < open->edge->updates.count);
    if (!context->rules->guards_visible_errors || open_edge_receives_broadcast(context, open))
        return; /* a broadcast receiver would not take part, which is something else */
    open->may_fail |= !updater->guards_visible || !updater_never_fails(updater);
    if (!updater->guards_visible) return;
    if (!expr_assigns(item)) return;
    const struct expr *target = item->child[0];
    const struct type *kind = type_strip(target->type);
    bool is_plain = expr_is_path(target);
    if (!is_plain || !kind || expr_has_effect(target) ||
        (item->kind == EXPR_ASSIGN && expr_has_effect(item->child[1])))
        return;
    const struct expr *value = item->child[1];
    if (item->kind == EXPR_STEP)
        value = build_binary(context->arena,
                             item->op == OP_PRE_INC || item->op == OP_POST_INC ? OP_ADD : OP_SUB,
                             target, build_int(context->arena, 1));
    else if (item->op != OP_ASSIGN)
        value = build_binary(context->arena, op_of_assignment(item->op), target, value);
    bool is_first = updater->at == 0 && !updater->rewriter.is_within_step;
    struct error_query query = {.where = updater->rewriter.where,
                                .fact = is_first ? open->guard : NULL};
    const struct expr *condition = updater_place_condition(updater, &query, target);
    condition = build_and(context->arena, condition, no_error_condition(context, &query, value));
    condition = build_and(context->arena, condition,
                          range_condition(context, query.fact, value, target->type));
    bool is_fed = condition && reads_partly_removed(context, condition);
    if (!query.why_not)
        updater_require(updater, condition, NULL, is_fed ? SUBJECT_FED : SUBJECT_VISIBLE);
}
