/* Updates without their removed variables (rules M1, M2 and M6).
 *
 * Item by item: assignments to removed variables are left out and leave a "no error" condition;
 * reads become unknowns, or the value assigned before in the same update. Where that does not do,
 * the update becomes a generated function in which the variable is a local. A variable of which
 * only some cells are removed stays declared: its removed cells are set to what they may hold
 * before the update and reset after it, so that they hold their initial value in every state. */
#include "abstract/edge/update.h"

#include "abstract/edge/frame.h"
#include "abstract/edge/read.h"
#include "abstract/edge/update_function.h"
#include "abstract/edge/update_internal.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/facts/range.h"
#include "abstract/facts/unseen.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/request.h"
#include "approx/labels/label_run.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/syntax/walk.h"

#include <assert.h>

static void item_effects(struct updater *updater, const struct expr *item,
                         struct effects *effects) {
    *effects = (struct effects){0};
    effects_add_expr(&updater->table, effects, item);
}

static bool reads_removed(const struct updater *updater, const struct expr *expr) {
    return involved_reads(updater->context, &updater->open->involved, expr,
                          updater->rewriter.where);
}

static const struct removal *whole_removal(const struct updater *updater,
                                           const struct symbol *symbol) {
    const struct removal *removal =
        symbol ? involved_removal(updater->context, &updater->open->involved, symbol,
                                  updater->rewriter.where)
               : NULL;
    return removal && removal->is_whole ? removal : NULL;
}

static bool is_change(const void *context, const struct expr *expr) {
    (void)context;
    return expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP || expr->kind == EXPR_CALL;
}

/* Over: whether evaluating changes anything. */
static bool may_change(const struct expr *expr) { return expr_any(expr, is_change, NULL); }

static void keep_item(struct updater *updater, const struct expr *original,
                      const struct expr *expr) {
    assert(expr);
    VEC_PUSH(updater->context->arena, &updater->open->items,
             (struct item){original, expr, original == expr && !is_ghost_update(expr)});
}

/* The value an assignment or step gives its target; NULL where it cannot be said. */
static const struct expr *assigned_value(struct updater *updater, const struct expr *item) {
    struct arena *arena = updater->context->arena;
    assert(expr_assigns(item));
    if (item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN)
        return rewrite_read(&updater->rewriter, item->child[1]);
    const struct expr *old = rewrite_read(&updater->rewriter, item->child[0]);
    if (item->kind == EXPR_STEP) {
        bool up = item->op == OP_PRE_INC || item->op == OP_POST_INC;
        return simplify_node(arena,
                             build_binary(arena, up ? OP_ADD : OP_SUB, old, build_int(arena, 1)));
    }
    const struct expr *value = rewrite_read(&updater->rewriter, item->child[1]);
    return simplify_node(arena, build_binary(arena, op_of_assignment(item->op), old, value));
}

static bool may_write(const struct effects *effects, const struct symbol *symbol) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].writes &&
            symbols_may_alias(effects->list.items[i].symbol, symbol))
            return true;
    return false;
}

/* Whether what stands for a removed variable, as it was assigned before, mentions what changes. */
static bool value_may_change(const struct updater *updater, const struct symbol *symbol,
                             const struct effects *changes) {
    const struct stored *stored = updater_stored(updater, symbol);
    for (uint32_t i = 0; i < changes->list.count && stored && stored->now; i++)
        if (changes->list.items[i].writes &&
            expr_mentions_alias(stored->now, changes->list.items[i].symbol))
            return true;
    return false;
}

/* Whether a part of an item that reads removed variables also reads what the item changes on the
 * way: then neither tests of an index nor conditions on the source state say what it finds. */
static bool reads_what_changes(struct updater *updater, const struct expr *part,
                               const struct effects *changes) {
    struct effects effects;
    if (!reads_removed(updater, part)) return false;
    item_effects(updater, part, &effects);
    for (uint32_t i = 0; i < effects.list.count; i++)
        if (effects.list.items[i].reads &&
            (may_write(changes, effects.list.items[i].symbol) ||
             value_may_change(updater, effects.list.items[i].symbol, changes)))
            return true;
    return false;
}

/* Whether an argument of a call reads removed variables, and also what the arguments change on
 * the way. All of them are read before the function changes anything. */
static bool arguments_read_what_changes(struct updater *updater, const struct expr *call) {
    struct effects changes = {0};
    bool found = false;
    for (uint32_t i = 0; i < call->argument_count; i++)
        effects_add_expr(&updater->table, &changes, call->arguments[i]);
    for (uint32_t i = 0; i < call->argument_count; i++)
        found |= reads_what_changes(updater, call->arguments[i], &changes);
    return found;
}

/* The branches of a choice stay as they are. */
static bool item_reads_what_it_changes(struct updater *updater, const struct expr *item) {
    if (item->kind == EXPR_CALL) return arguments_read_what_changes(updater, item);
    const struct expr *target =
        expr_assigns(item) || item->kind == EXPR_COND ? item->child[0] : item;
    const struct expr *value = item->kind == EXPR_ASSIGN ? item->child[1] : NULL;
    struct effects changes;
    if (!may_change(target) && !(value && may_change(value))) return false;
    item_effects(updater, target, &changes);
    if (value && value->kind == EXPR_CALL && !reads_removed(updater, target)) {
        for (uint32_t i = 0; i < value->argument_count; i++)
            if (reads_what_changes(updater, value->arguments[i], &changes)) return true;
        return arguments_read_what_changes(updater, value);
    }
    if (value) effects_add_expr(&updater->table, &changes, value);
    return reads_what_changes(updater, target, &changes) ||
           (value && reads_what_changes(updater, value, &changes));
}

/* Keeps of `m = f()`, where f has side effects, the call alone. */
static void keep_effect(struct updater *updater, const struct symbol *symbol,
                        const struct expr *value) {
    if (reads_removed(updater, value) &&
        (value->kind != EXPR_CALL || arguments_read_what_changes(updater, value)))
        updater->rewriter.why_not = "its new value has side effects";
    else
        keep_item(updater, NULL, rewrite_read(&updater->rewriter, value));
    updater_require(updater, NULL, "its value has side effects", SUBJECT_DROPPED);
    updater_store(updater, symbol, NULL, NULL);
}

/* M1: the assignment is left out; side effects in its value are kept. */
static void drop_assignment(struct updater *updater, const struct expr *item) {
    struct context *context = updater->context;
    const struct expr *target = item->child[0];
    const struct symbol *symbol = expr_root(target);
    struct error_query query = {.where = updater->rewriter.where, .open = updater->open};
    assert(expr_assigns(item));
    assert(whole_removal(updater, symbol));
    bool has_effect = item->kind == EXPR_ASSIGN && expr_has_effect(item->child[1]);
    if (has_effect && (item->op != OP_ASSIGN ||
                       expr_writes_removed(context, item->child[1], updater->rewriter.where))) {
        updater->rewriter.why_not = "its new value has side effects";
        return;
    }
    if (expr_has_effect(target)) {
        updater->rewriter.why_not = "its index has side effects";
        return;
    }
    if (has_effect) {
        keep_effect(updater, symbol, item->child[1]);
        return;
    }
    uint32_t unknowns = updater->open->unknowns.count;
    const struct expr *value = assigned_value(updater, item);
    if (updater->rewriter.why_not && updater_never_fails(updater)) { /* its value is not needed */
        updater->rewriter.why_not = NULL;
        updater->open->unknowns.count = unknowns;
        updater_store(updater, symbol, NULL, NULL);
        return;
    }
    if (updater->rewriter.why_not) return;
    const struct type *type = target->type;
    const struct type *kind = type_strip(type);
    const struct expr *condition = no_error_condition(context, &query, value);
    condition =
        build_and(context->arena, condition, access_condition(context, &query, item->child[1]));
    if (kind->kind == TYPE_ARRAY || kind->kind == TYPE_STRUCT) {
        updater_require(updater, condition, query.why_not, SUBJECT_DROPPED);
        updater_store(updater, symbol, NULL, NULL);
        return;
    } /* whole arrays and structs have equal ranges, so only the value can fail */
    condition = build_and(context->arena, condition, range_condition(context, NULL, value, type));
    const struct expr *place = rewrite_indices(&updater->rewriter, target);
    if (updater->rewriter.why_not) return;
    condition =
        build_and(context->arena, condition, updater_place_condition(updater, &query, place));
    updater_require(updater, condition, query.why_not, SUBJECT_DROPPED);
    const struct expr *now = updater_converted(updater, value, type);
    bool is_cell = target->kind == EXPR_NAME;
    updater_store(updater, symbol, is_cell ? now : NULL,
                  is_cell ? updater_to_source(updater, now) : NULL);
}

static const struct expr *rewrite_item(struct updater *updater, const struct expr *item);

/* What unknowns stand for does not fail here any more. */
static void require_accesses(struct updater *updater, const struct expr *item) {
    struct error_query query = {.where = updater->rewriter.where,
                                .open = updater->open,
                                .needs_unknown = true,
                                .only_accesses = true};
    const struct expr *condition = no_error_condition(updater->context, &query, item);
    updater_require(updater, condition, query.why_not, SUBJECT_DROPPED);
}

/* A visible target keeps its assignment; what unknowns feed gets its conditions. */
static const struct expr *rewrite_assignment(struct updater *updater, const struct expr *item) {
    struct context *context = updater->context;
    struct error_query query = {
        .where = updater->rewriter.where, .needs_unknown = true, .open = updater->open};
    bool is_ghost = updater->open->involved.items[updater->at].is_ghost;
    struct expr *copy = build_copy(context->arena, item);
    const struct expr *target = item->child[0];
    assert(expr_assigns(item));
    if (expr_is_path(target)) {
        if (reads_removed(updater, target)) {
            const struct expr *read = rewrite_read(&updater->rewriter, target);
            copy->child[0] = (struct expr *)read;
        }
    } else if (reads_removed(updater, target)) {
        updater->rewriter.why_not = "the target of an assignment depends on it";
        return item;
    }
    const struct expr *condition = updater_place_condition(updater, &query, copy->child[0]);
    if (item->kind == EXPR_ASSIGN) {
        copy->child[1] = (struct expr *)rewrite_read(&updater->rewriter, item->child[1]);
        if (updater->rewriter.why_not) return item;
        const struct expr *value = copy->child[1];
        if (item->op != OP_ASSIGN)
            value = build_binary(context->arena, op_of_assignment(item->op), copy->child[0], value);
        query.needs_unknown = !is_ghost;
        condition =
            build_and(context->arena, condition, no_error_condition(context, &query, value));
        const struct type *kind = type_strip(target->type);
        if ((is_ghost || expr_has_unknown(value)) && kind)
            condition = build_and(context->arena, condition,
                                  range_condition(context, NULL, value, target->type));
    }
    enum subject subject = is_ghost ? SUBJECT_GHOST : SUBJECT_FED;
    if (!updater_require(updater, condition, query.why_not, subject) && !is_ghost)
        require_accesses(updater, copy);
    return copy;
}

static const struct expr *rewrite_item(struct updater *updater, const struct expr *item) {
    if (expr_assigns(item)) return rewrite_assignment(updater, item);
    if (item->kind == EXPR_COND) {
        struct expr *copy = build_copy(updater->context->arena, item);
        copy->child[0] = (struct expr *)rewrite_read(&updater->rewriter, item->child[0]);
        for (int i = 1; i < 3; i++) {
            if (!reads_removed(updater, item->child[i])) continue;
            updater->rewriter.why_not = "it is read in a branch of an update";
        }
        return simplify_node(updater->context->arena, copy);
    }
    return rewrite_read(&updater->rewriter, item);
}

static bool names_whole(struct updater *updater, const struct expr *expr) {
    struct effects effects;
    item_effects(updater, expr, &effects);
    for (uint32_t i = 0; i < effects.list.count; i++)
        if (whole_removal(updater, effects.list.items[i].symbol)) return true;
    return false;
}

/* Functions whose only use of removed variables is a local of their own keep their calls. */
static bool only_calls_local(struct updater *updater, const struct expr *item) {
    if (item->kind != EXPR_CALL || !item->symbol || !item->symbol->function) return false;
    const struct function_change *change =
        function_change_of(updater->context->functions, item->symbol->function);
    for (uint32_t i = 0; change && i < change->passed.count; i++)
        if (change->passed.items[i].passing != PASS_LOCAL) return false;
    for (uint32_t i = 0; i < item->argument_count; i++)
        if (names_whole(updater, item->arguments[i])) return false;
    return change != NULL;
}

/* The variables that it writes have unknown values from then on. */
static void forget_written(struct updater *updater, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        if (effects->list.items[i].writes)
            updater_store(updater, effects->list.items[i].symbol, NULL, NULL);
}

static void drop_item(struct updater *updater, const struct effects *effects, const char *why_not) {
    updater_require(updater, NULL, why_not, SUBJECT_DROPPED);
    forget_written(updater, effects);
}

static void drop_assignment_item(struct updater *updater, const struct expr *item) {
    drop_assignment(updater, item);
    if (item->kind != EXPR_ASSIGN || !expr_has_effect(item->child[1])) return;
    struct effects effects;
    item_effects(updater, item->child[1], &effects);
    updater_note_writes(updater, &effects, item->child[1]);
}

static void update_item(struct updater *updater, const struct expr *item) {
    assert(updater->at < updater->open->edge->updates.count && !updater->rewriter.why_not);
    const struct item_facts *facts = &updater->open->involved.items[updater->at];
    const struct effects *effects = &facts->effects;
    if (unseen_goes(updater->context, item, effects, facts->reads_removed)) {
        forget_written(updater, effects); /* what remains of the update may fail with them */
        return;
    }
    bool is_assignment = expr_assigns(item);
    bool is_local = facts->names_whole && only_calls_local(updater, item);
    bool is_idle = facts->writes_only_removed;
    uint32_t unknowns = updater->open->unknowns.count;
    if (is_idle && item->kind == EXPR_CALL && (updater_never_fails(updater) || !is_local)) {
        drop_item(updater, effects, "a function call may fail");
    } else if (!facts->names_whole || is_local) {
        updater_require_visible(updater, item);
        updater_note_writes(updater, effects, item);
        keep_item(updater, item, item);
    } else if (facts->writes_whole && is_assignment &&
               whole_removal(updater, expr_root(item->child[0]))) {
        drop_assignment_item(updater, item);
    } else if (facts->writes_whole) {
        updater->rewriter.why_not = "it is assigned inside an expression or by a function";
    } else if (item_reads_what_it_changes(updater, item)) {
        updater->rewriter.why_not = "it has side effects on what it reads";
    } else {
        const struct expr *expr = rewrite_item(updater, item);
        if (!facts->is_ghost && !updater->rewriter.why_not) updater_require_visible(updater, expr);
        updater->open->may_fail |= !is_assignment && expr_can_fault(expr);
        if (!is_assignment && !updater->rewriter.why_not) require_accesses(updater, expr);
        updater_note_writes(updater, effects, expr);
        keep_item(updater, item, expr);
    }
    if (!updater->rewriter.why_not || !is_idle) return;
    updater->rewriter.why_not = NULL; /* no function is worth it */
    assert(updater->open->unknowns.count >= unknowns);
    updater->open->unknowns.count = unknowns;
    drop_item(updater, effects, IDLE_FAILURE);
}

static void updater_init(struct updater *updater, struct context *context, struct open_edge *open) {
    const struct edge *edge = open->edge;
    *updater = (struct updater){
        .context = context,
        .open = open,
        .fact = &context->analysis->edges[open->template->index][open->edge_index],
        .table = context->network->effects,
        /* where the edge crosses a scope they would speak of the value before */
        .guards_visible = context->rules->guards_visible_errors &&
                          !edge_crosses_scope(context->request, open->template, edge)};
    updater->table.arena = context->arena;
    updater->rewriter = (struct rewriter){
        .context = context,
        .open = open,
        .where = open->involved.within,
        .is_update = true,
        .is_certain = true,
        .is_within_step = label_run_is_within_step(context->analysis, open->template, edge)};
}

/* S4: an edge into the scope of ghosts gives them the values of what is still visible. Those of the
 * original fit, but the edge may run in states that the original does not have, or be stopped by
 * the invariant only after the update. */
static void require_ghost(struct updater *updater, const struct expr *item) {
    struct context *context = updater->context;
    struct error_query query = {.where = updater->rewriter.where};
    const struct expr *condition = no_error_condition(context, &query, item->child[1]);
    condition = build_and(context->arena, condition,
                          range_condition(context, NULL, item->child[1], item->child[0]->type));
    updater_require(updater, condition, query.why_not, SUBJECT_GHOST);
}

static void keep_visible_item(struct updater *updater, const struct expr *item, bool enters) {
    struct open_edge *open = updater->open;
    if (open->is_concerned && !is_ghost_update(item)) updater_require_visible(updater, item);
    if (enters && is_ghost_update(item)) require_ghost(updater, item);
    keep_item(updater, item, item);
    if (enters) updater_note_writes(updater, &open->involved.items[updater->at].effects, item);
}

/* Whether ghosts get values from visible variables. */
static bool enters_ghost_scope(const struct open_edge *open) {
    const struct expr_list *updates = &open->edge->updates;
    int64_t value;
    if (open->involved.is_within || !updates->count) return false;
    const struct expr *last = updates->items[updates->count - 1];
    return is_ghost_update(last) && !expr_is_constant(last->child[1], &value);
}

bool open_edge_update(struct context *context, struct open_edge *open) {
    const struct edge *edge = open->edge;
    struct updater updater;
    assert(!open->items.count && !open->condition); /* the guard asks for none of them */
    updater_init(&updater, context, open);
    updater.rewriter.store = &updater.store;
    uint32_t unknowns = open->unknowns.count;
    uint32_t inexact = open->inexact.count;
    bool enters = enters_ghost_scope(open);
    open->is_concerned |= enters;
    frame_store(context, open, &updater.store);
    for (uint32_t i = 0; i < edge->updates.count && !updater.rewriter.why_not; i++) {
        updater.at = i;
        if (open->involved.is_within || (open->is_concerned && updater.guards_visible))
            update_item(&updater, edge->updates.items[i]);
        else
            keep_visible_item(&updater, edge->updates.items[i], enters);
    }
    if (updater.rewriter.why_not) {
        open->unknowns.count = unknowns;
        open->inexact.count = inexact;
        open->items.count = 0;
        open->condition = NULL;
        open->has_condition_of_receiver = open->has_condition_of_urgent = false;
        open->may_fail = open->is_function = true;
        if (!update_as_function(context, open)) return false;
    } else {
        assert(open->items.count <= edge->updates.count); /* each item leaves one at most */
        open->store = updater.store;
    }
    return frame_update(context, open, updater.rewriter.why_not != NULL);
}
