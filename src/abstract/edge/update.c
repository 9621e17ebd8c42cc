/* Updates without their removed variables (rules M1, M2 and M6).
 *
 * Item by item: assignments to removed variables go and leave a "no error" condition; reads become
 * unknowns, or the value assigned before in the same update. Where that does not do, the update
 * becomes a generated function in which the variable is a local. A variable of which only some
 * cells are removed stays declared: its removed cells are set to what they may hold before the
 * update and reset behind it, so that they hold their initial value in every state. */
#include "abstract/edge/update.h"

#include "abstract/edge/error.h"
#include "abstract/edge/frame.h"
#include "abstract/edge/read.h"
#include "abstract/edge/received.h"
#include "abstract/edge/unknown.h"
#include "abstract/edge/update_function.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/facts/names.h"
#include "abstract/facts/range.h"
#include "abstract/facts/unseen.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/request.h"
#include "approx/labels/label_run.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

struct updater {
    struct rewriter rewriter;
    struct context *context;
    struct open_edge *open;
    struct symbolic_store store;
    const struct edge_fact *fact;
    struct effects_table table;
    uint32_t at;         /* item */
    bool guards_visible; /* visible updates get their no-error conditions */
    bool reads_cells;    /* names of partly removed variables stand for their other cells only */
};

enum { MAX_STORED_SIZE = 200 };

static void item_effects(struct updater *updater, const struct expr *item,
                         struct effects *effects) {
    *effects = (struct effects){0};
    effects_add_expr(&updater->table, effects, item);
}

static bool reads_removed(const struct updater *updater, const struct expr *expr) {
    return expr_reads_removed(updater->context, expr, updater->rewriter.where);
}

/* The last write to a variable, perhaps by another name of it. */
static const struct stored *stored_value_of(const struct updater *updater,
                                            const struct symbol *symbol) {
    for (uint32_t i = updater->store.list.count; i-- > 0;)
        if (symbols_may_alias(updater->store.list.items[i].symbol, symbol))
            return &updater->store.list.items[i];
    return NULL;
}

static bool is_mutable(const struct symbol *symbol) {
    return (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_PARAMETER) &&
           !symbol_is_const(symbol) && !symbol_is_channel(symbol);
}

/* An expression of the current point of the update in terms of the source state, where the guard
 * is evaluated; NULL if that cannot be said. */
static const struct expr *to_source(struct updater *updater, const struct expr *expr) {
    struct arena *arena = updater->context->arena;
    if (expr->kind == EXPR_NAME && expr->symbol) {
        const struct symbol *symbol = expr->symbol;
        const struct removal *removal =
            removed_at(updater->context->request, symbol, updater->rewriter.where);
        if (removal && (removal->is_whole || !updater->reads_cells)) return NULL;
        const struct stored *stored = stored_value_of(updater, symbol);
        if (stored) return stored->symbol == symbol ? stored->before : NULL;
        bool is_shared = symbol->scope == SCOPE_GLOBAL || symbol->is_reference;
        if (!is_shared || !is_mutable(symbol)) return expr;
        if (updater->context->has_before_update) return NULL;
        return updater->rewriter.is_within_step
                   ? received_value(updater->context, updater->open, expr)
                   : expr;
    }
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP)
        return NULL;
    struct expr *copy = NULL;
    for (int i = 0; i < 3; i++) {
        if (!expr->child[i]) continue;
        const struct expr *child = to_source(updater, expr->child[i]);
        if (!child) return NULL;
        if (child == expr->child[i]) continue;
        if (!copy) copy = build_copy(arena, expr);
        copy->child[i] = (struct expr *)child;
    }
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (to_source(updater, expr->arguments[i]) != expr->arguments[i]) return NULL;
    if (copy && expr->kind == EXPR_QUANTIFY && expr_is_captured(copy->child[0], expr->bound))
        return NULL;
    return copy ? simplify_node(arena, copy) : expr;
}

/* The value analysis ran this item for every value that it can meet, and it never failed. */
static bool never_fails(const struct updater *updater) {
    const struct edge_fact *fact = updater->fact;
    assert(updater->at < updater->open->edge->updates.count);
    return !fact->item_faults[updater->at] && !fact->is_incomplete;
}

/* What a no-error condition is about: an assignment that goes, an assignment that an unknown
 * feeds, one that only reads visible variables, or one to a ghost (its value fits in every step
 * that there is). */
enum subject { SUBJECT_DROPPED, SUBJECT_FED, SUBJECT_VISIBLE, SUBJECT_GHOST };

/* What never fails in the original may fail here: for visible variables in states that it does
 * not have, where a part of the guard is left out, and for values that the analysis did not meet
 * together. */
static bool is_certain(const struct updater *updater, enum subject subject) {
    const struct open_edge *open = updater->open;
    if (subject == SUBJECT_VISIBLE || subject == SUBJECT_GHOST || !never_fails(updater))
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

/* A condition in terms of the source state, where the removed cells of variables that stay are
 * unknowns; NULL if that cannot be said. */
static const struct expr *condition_to_source(struct updater *updater,
                                              const struct expr *condition) {
    if (!reads_partly_removed(updater->context, condition)) return to_source(updater, condition);
    struct rewriter reader = updater->rewriter;
    reader.is_update = reader.is_certain = false;
    const struct expr *read = rewrite_read(&reader, condition);
    if (reader.why_not) return NULL;
    updater->reads_cells = true;
    const struct expr *source = to_source(updater, read);
    updater->reads_cells = false;
    return source;
}

/* Adds a no-error condition to the edge. */
static void require(struct updater *updater, const struct expr *condition, const char *why_not,
                    enum subject subject) {
    struct context *context = updater->context;
    struct open_edge *open = updater->open;
    bool is_receiver = open_edge_receives_broadcast(context, open);
    assert(updater->at < open->edge->updates.count);
    if ((!why_not && expr_is_true(condition)) || is_certain(updater, subject)) return;
    if (subject == SUBJECT_GHOST && is_receiver) return; /* it would not take part */
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
    }
    open->may_fail |= !source || why_not;
    if ((!source || why_not) && subject == SUBJECT_DROPPED)
        open_edge_add_failure(context, open, updater->at,
                              why_not ? why_not : "its condition cannot be a guard");
}

/* Conditions of the indices on the way to an assigned cell. */
static const struct expr *place_condition(struct updater *updater, struct error_query *query,
                                          const struct expr *place) {
    return place->kind == EXPR_NAME ? NULL : no_error_condition(updater->context, query, place);
}

/* NULL for what is too large to stand in other expressions: x = x + x, x = x + x, ... would
 * double with every item. */
static const struct expr *if_small(const struct expr *expr) {
    return expr && expr_size(expr, MAX_STORED_SIZE) <= MAX_STORED_SIZE ? expr : NULL;
}

/* Only the last value of a variable is kept. */
static void store_value(struct updater *updater, const struct symbol *symbol,
                        const struct expr *now, const struct expr *before) {
    uint32_t count = 0;
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
static const struct expr *converted(struct updater *updater, const struct expr *value,
                                    const struct type *type) {
    if (type_strip(type)->kind != TYPE_BOOL || expr_is_boolean(value)) return value;
    return simplify_node(
        updater->context->arena,
        build_binary(updater->context->arena, OP_NE, value, build_int(updater->context->arena, 0)));
}

static void keep_item(struct updater *updater, const struct expr *original,
                      const struct expr *expr) {
    assert(expr);
    VEC_PUSH(updater->context->arena, &updater->open->items,
             (struct item){original, expr, original == expr && !is_ghost_update(expr)});
}

/* The value an assignment or step gives its target; NULL where it cannot be said. */
static const struct expr *assigned_value(struct updater *updater, const struct expr *item) {
    struct arena *arena = updater->context->arena;
    assert(item->kind == EXPR_ASSIGN || item->kind == EXPR_STEP);
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
    const struct stored *stored = stored_value_of(updater, symbol);
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

/* The same of the arguments of a call, which are read before it changes anything. */
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
    bool is_assignment = item->kind == EXPR_ASSIGN || item->kind == EXPR_STEP;
    const struct expr *target = is_assignment || item->kind == EXPR_COND ? item->child[0] : item;
    const struct expr *value = NULL;
    struct effects changes;
    item_effects(updater, target, &changes);
    if (item->kind == EXPR_ASSIGN) value = item->child[1];
    if (value && value->kind == EXPR_CALL && !reads_removed(updater, target)) {
        for (uint32_t i = 0; i < value->argument_count; i++)
            if (reads_what_changes(updater, value->arguments[i], &changes)) return true;
        return arguments_read_what_changes(updater, value);
    }
    if (value) effects_add_expr(&updater->table, &changes, value);
    return reads_what_changes(updater, target, &changes) ||
           (value && reads_what_changes(updater, value, &changes));
}

/* M1: the assignment goes; side effects in its value stay. */
static void drop_assignment(struct updater *updater, const struct expr *item) {
    struct context *context = updater->context;
    const struct expr *target = item->child[0];
    const struct symbol *symbol = expr_root(target);
    struct error_query query = {.where = updater->rewriter.where};
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
        const struct expr *rest = item->child[1];
        if (reads_removed(updater, rest) &&
            (rest->kind != EXPR_CALL || arguments_read_what_changes(updater, rest)))
            updater->rewriter.why_not = "its new value has side effects";
        else
            keep_item(updater, NULL, rewrite_read(&updater->rewriter, rest));
        require(updater, NULL, "its value has side effects", SUBJECT_DROPPED);
        store_value(updater, symbol, NULL, NULL);
        return;
    }
    uint32_t unknowns = updater->open->unknowns.count;
    const struct expr *value = assigned_value(updater, item);
    if (updater->rewriter.why_not && never_fails(updater)) { /* its value is not needed */
        updater->rewriter.why_not = NULL;
        updater->open->unknowns.count = unknowns;
        store_value(updater, symbol, NULL, NULL);
        return;
    }
    if (updater->rewriter.why_not) return;
    const struct type *type = target->type;
    const struct type *kind = type_strip(type);
    const struct expr *condition = no_error_condition(context, &query, value);
    condition =
        build_and(context->arena, condition, access_condition(context, &query, item->child[1]));
    if (kind->kind == TYPE_ARRAY || kind->kind == TYPE_STRUCT) {
        require(updater, condition, query.why_not, SUBJECT_DROPPED);
        store_value(updater, symbol, NULL, NULL);
        return;
    } /* whole arrays and structs have equal ranges, so only the value can fail */
    condition = build_and(context->arena, condition, range_condition(context, NULL, value, type));
    const struct expr *place = rewrite_indices(&updater->rewriter, target);
    if (updater->rewriter.why_not) return;
    condition = build_and(context->arena, condition, place_condition(updater, &query, place));
    require(updater, condition, query.why_not, SUBJECT_DROPPED);
    const struct expr *now = converted(updater, value, type);
    bool is_cell = target->kind == EXPR_NAME;
    store_value(updater, symbol, is_cell ? now : NULL, is_cell ? to_source(updater, now) : NULL);
}

static const struct expr *rewrite_item(struct updater *updater, const struct expr *item);

/* A visible target keeps its assignment; what unknowns feed gets its conditions. */
static const struct expr *rewrite_assignment(struct updater *updater, const struct expr *item) {
    struct context *context = updater->context;
    struct error_query query = {.where = updater->rewriter.where, .needs_unknown = true};
    bool is_ghost = is_ghost_update(item);
    struct expr *copy = build_copy(context->arena, item);
    const struct expr *target = item->child[0];
    if (target->kind == EXPR_NAME || target->kind == EXPR_INDEX || target->kind == EXPR_FIELD) {
        if (reads_removed(updater, target)) {
            const struct expr *read = rewrite_read(&updater->rewriter, target);
            copy->child[0] = (struct expr *)read;
        }
    } else if (reads_removed(updater, target)) {
        updater->rewriter.why_not = "the target of an assignment depends on it";
        return item;
    }
    const struct expr *condition = place_condition(updater, &query, copy->child[0]);
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
        if ((is_ghost || expr_has_unknown(value)) && kind && kind->kind == TYPE_INT)
            condition = build_and(context->arena, condition,
                                  range_condition(context, NULL, value, target->type));
    }
    require(updater, condition, query.why_not, is_ghost ? SUBJECT_GHOST : SUBJECT_FED);
    return copy;
}

static const struct expr *rewrite_item(struct updater *updater, const struct expr *item) {
    if (item->kind == EXPR_ASSIGN || item->kind == EXPR_STEP)
        return rewrite_assignment(updater, item);
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

/* Remembers what the item did to visible variables. */
static void note_writes(struct updater *updater, const struct expr *original,
                        const struct expr *expr) {
    struct effects effects;
    item_effects(updater, original, &effects);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        const struct removal *removal =
            removed_at(updater->context->request, symbol, updater->rewriter.where);
        if (!effects.list.items[i].writes || (removal && removal->is_whole)) continue;
        const struct expr *before = NULL;
        bool is_plain = expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN &&
                        expr->child[0]->kind == EXPR_NAME && expr->child[0]->symbol == symbol &&
                        !expr_has_effect(expr->child[1]);
        const struct type *kind = type_strip(symbol->type);
        if (is_plain && kind->kind != TYPE_ARRAY && kind->kind != TYPE_STRUCT)
            before = to_source(updater, converted(updater, expr->child[1], symbol->type));
        store_value(updater, symbol, NULL, before);
    }
}

static bool is_whole_removal(const struct updater *updater, const struct symbol *symbol) {
    const struct removal *removal =
        symbol ? removed_at(updater->context->request, symbol, updater->rewriter.where) : NULL;
    return removal && removal->is_whole;
}

static bool involves_whole(struct updater *updater, const struct expr *item, bool writes) {
    struct effects effects;
    item_effects(updater, item, &effects);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        if ((writes ? effect->writes : effect->reads || effect->writes) &&
            is_whole_removal(updater, effect->symbol))
            return true;
    }
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
        if (involves_whole(updater, item->arguments[i], false)) return false;
    return change != NULL;
}

/* The edge may run in states that the original does not have: its visible assignments must not
 * fail there. What cannot be said of the source state is tried out. */
static void require_visible(struct updater *updater, const struct expr *item) {
    struct context *context = updater->context;
    struct open_edge *open = updater->open;
    if (!context->rules->guards_visible_errors || open_edge_receives_broadcast(context, open))
        return; /* a broadcast receiver would not take part, which is something else */
    open->may_fail |= !updater->guards_visible || !never_fails(updater);
    if (!updater->guards_visible) return;
    if (item->kind != EXPR_ASSIGN && item->kind != EXPR_STEP) return;
    const struct expr *target = item->child[0];
    const struct type *kind = type_strip(target->type);
    bool is_plain =
        target->kind == EXPR_NAME || target->kind == EXPR_INDEX || target->kind == EXPR_FIELD;
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
    const struct expr *condition = place_condition(updater, &query, target);
    condition = build_and(context->arena, condition, no_error_condition(context, &query, value));
    if (kind->kind == TYPE_INT)
        condition = build_and(context->arena, condition,
                              range_condition(context, query.fact, value, target->type));
    bool is_fed = condition && reads_partly_removed(context, condition);
    if (!query.why_not) require(updater, condition, NULL, is_fed ? SUBJECT_FED : SUBJECT_VISIBLE);
}

static bool is_followed(const struct request *request, const struct symbol *symbol) {
    for (uint32_t i = 0; i < request->ghosts.count; i++)
        for (uint32_t k = 0; k < request->ghosts.items[i]->cells.count; k++)
            if (request->ghosts.items[i]->cells.items[k].symbol == symbol) return true;
    return false;
}

/* Whether all that an item changes goes, and nothing takes its place. */
static bool changes_only_removed(struct updater *updater, const struct expr *item) {
    struct effects effects;
    item_effects(updater, item, &effects);
    bool writes = false;
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        if (!effects.list.items[i].writes) continue;
        writes = true;
        if (!is_whole_removal(updater, symbol) || is_followed(updater->context->request, symbol) ||
            removed_at(updater->context->request, symbol, updater->rewriter.where)->scope)
            return false;
    }
    return writes;
}

/* The item goes, and the variables that it writes have unknown values from then on. */
static void drop_item(struct updater *updater, const struct expr *item, const char *why_not) {
    require(updater, NULL, why_not, SUBJECT_DROPPED);
    struct effects effects;
    item_effects(updater, item, &effects);
    for (uint32_t i = 0; i < effects.list.count; i++)
        if (effects.list.items[i].writes)
            store_value(updater, effects.list.items[i].symbol, NULL, NULL);
}

static void update_item(struct updater *updater, const struct expr *item) {
    struct effects effects;
    item_effects(updater, item, &effects);
    if (unseen_goes(updater->context, item, &effects, updater->rewriter.where)) return;
    bool involves = involves_whole(updater, item, false);
    bool writes = involves && involves_whole(updater, item, true);
    bool is_assignment = item->kind == EXPR_ASSIGN || item->kind == EXPR_STEP;
    bool is_local = involves && only_calls_local(updater, item);
    bool is_idle = involves && changes_only_removed(updater, item);
    uint32_t unknowns = updater->open->unknowns.count;
    if (is_idle && item->kind == EXPR_CALL && (never_fails(updater) || !is_local)) {
        drop_item(updater, item, "a function call may fail");
    } else if (!involves || is_local) {
        require_visible(updater, item);
        keep_item(updater, item, item);
        note_writes(updater, item, item);
    } else if (writes && is_assignment && is_whole_removal(updater, expr_root(item->child[0]))) {
        drop_assignment(updater, item);
        if (item->kind == EXPR_ASSIGN && expr_has_effect(item->child[1]))
            note_writes(updater, item->child[1], item->child[1]);
    } else if (writes) {
        updater->rewriter.why_not = "it is assigned inside an expression or by a function";
    } else if (item_reads_what_it_changes(updater, item)) {
        updater->rewriter.why_not = "it has side effects on what it reads";
    } else {
        const struct expr *expr = rewrite_item(updater, item);
        if (!is_ghost_update(item) && !updater->rewriter.why_not) require_visible(updater, expr);
        updater->open->may_fail |= !is_assignment && expr_can_fault(expr);
        keep_item(updater, item, expr);
        note_writes(updater, item, expr);
    }
    if (!updater->rewriter.why_not || !is_idle) return;
    updater->rewriter.why_not = NULL; /* no function is worth it */
    updater->open->unknowns.count = unknowns;
    drop_item(updater, item, IDLE_FAILURE);
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
        .where = open_edge_within(open),
        .is_update = true,
        .is_certain = true,
        .is_within_step = label_run_is_within_step(context->analysis, open->template, edge)};
}

bool open_edge_update(struct context *context, struct open_edge *open) {
    const struct edge *edge = open->edge;
    struct updater updater;
    updater_init(&updater, context, open);
    updater.rewriter.store = &updater.store;
    const struct effects *effects = open_edge_effects(context, open);
    bool involves = false;
    for (uint32_t i = 0; i < effects->list.count; i++)
        involves |= removed_at(context->request, effects->list.items[i].symbol,
                               open_edge_within(open)) != NULL;
    uint32_t unknowns = open->unknowns.count;
    uint32_t inexact = open->inexact.count;
    frame_store(context, open, &updater.store);
    for (uint32_t i = 0; i < edge->updates.count && !updater.rewriter.why_not; i++) {
        updater.at = i;
        if (involves || (open->is_concerned && updater.guards_visible))
            update_item(&updater, edge->updates.items[i]);
        else {
            if (open->is_concerned) require_visible(&updater, edge->updates.items[i]);
            keep_item(&updater, edge->updates.items[i], edge->updates.items[i]);
        }
    }
    if (updater.rewriter.why_not) {
        open->unknowns.count = unknowns;
        open->inexact.count = inexact;
        open->items.count = 0;
        open->condition = NULL;
        open->has_condition_of_receiver = false;
        open->may_fail = true;
        if (!update_as_function(context, open)) return false;
    } else {
        open->store = updater.store;
    }
    return frame_update(context, open, updater.rewriter.why_not != NULL);
}
