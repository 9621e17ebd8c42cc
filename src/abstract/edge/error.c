/* When evaluations do not fail: the "no error" conditions of residual guards (F2). */
#include "abstract/edge/error.h"

#include "abstract/edge/call.h"
#include "abstract/facts/cells.h"
#include "abstract/facts/range.h"
#include "abstract/facts/timing.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { MAX_CONDITION_SIZE = 4000 };

static const struct expr *index_condition(struct context *context, const struct expr *fact,
                                          const struct expr *expr) {
    const struct type *type = type_strip(expr->child[0]->type);
    assert(expr->kind == EXPR_INDEX);
    if (!type || type->kind != TYPE_ARRAY) return NULL;
    const struct expr *lower = build_int(context->arena, 0), *upper;
    if (type->index) {
        const struct type *index = type_strip(type->index);
        if (index->kind == TYPE_SCALAR) return NULL;
        lower = index->lower ? index->lower : build_int(context->arena, -32768);
        upper = index->upper ? index->upper : build_int(context->arena, 32767);
    } else {
        int64_t size;
        upper =
            constant_value(context, type->size, &size)
                ? build_int(context->arena, size - 1)
                : build_binary(context->arena, OP_SUB, type->size, build_int(context->arena, 1));
    }
    return bounds_condition(context, fact, expr->child[1], lower, upper);
}

/* A function that only returns what certainly can be computed and fits. Its arguments are looked at
 * on their own, but have to fit here. */
static bool call_never_fails(struct context *context, const struct expr *fact,
                             const struct expr *call) {
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    const struct expr *value = function ? function_value(function) : NULL;
    if (!value || expr_can_fault(value) || range_condition(context, fact, value, function->result))
        return false;
    for (uint32_t i = 0; i < call->argument_count && i < function->parameter_count; i++)
        if (range_condition(context, fact, call->arguments[i], function->parameters[i]->type))
            return false;
    return true;
}

static bool is_of_kind(const void *kind, const struct expr *expr) {
    return expr->kind == *(const enum expr_kind *)kind;
}

static bool has_kind(const struct expr *expr, enum expr_kind kind) {
    return expr_any(expr, is_of_kind, &kind);
}

/* The no-error condition of an expression for all failures, also those that no unknown takes
 * part in. */
static const struct expr *any_error_condition(struct context *context, struct error_query *query,
                                              const struct expr *expr) {
    struct error_query all = *query;
    all.needs_unknown = all.only_accesses = false;
    const struct expr *condition = no_error_condition(context, &all, expr);
    assert(!query->why_not || all.why_not); /* what could not be said stays unsaid */
    query->why_not = all.why_not;
    return condition;
}

/* That what the function returns, written out, does not fail. */
static const struct expr *call_condition(struct context *context, struct error_query *query,
                                         const struct expr *call) {
    const struct expr *fact = query->fact;
    if (call_never_fails(context, fact, call)) return NULL;
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    const struct expr *value = function ? unrolled_value(context, function, NULL) : NULL;
    if (value) value = value_fitted(context, fact, value, function->result);
    if (value) value = with_arguments(context, fact, value, call);
    if (value && !has_kind(value, EXPR_CALL) && !expr_reads_removed(context, value, query->where)) {
        const struct expr *condition = any_error_condition(context, query, value);
        if (!has_kind(condition, EXPR_QUANTIFY)) return condition; /* it might capture arguments */
    }
    query->why_not = "a function call may fail";
    return NULL;
}

static const struct expr *own_condition(struct context *context, struct error_query *query,
                                        const struct expr *expr) {
    struct arena *arena = context->arena;
    const struct expr *right = expr->child[1];
    switch (expr->kind) {
    case EXPR_INDEX: return index_condition(context, query->fact, expr);
    case EXPR_CALL: return call_condition(context, query, expr);
    case EXPR_BINARY:
        switch (expr->op) {
        case OP_DIV:
        case OP_MOD:
            if (is_never_zero(context, query->fact, right)) return NULL;
            return simplify_node(arena, build_binary(arena, OP_NE, right, build_int(arena, 0)));
        case OP_SHL:
        case OP_SHR:
            return bounds_condition(context, query->fact, right, build_int(arena, 0),
                                    build_int(arena, 31));
        case OP_POW: query->why_not = "a power may fail"; return NULL;
        default: return NULL;
        }
    default: return NULL;
    }
}

/* Conditions repeat the operands before them; those of long chains would grow without bound. */
static bool is_too_long(struct error_query *query, const struct expr *expr) {
    if (expr_size(expr, MAX_CONDITION_SIZE) <= MAX_CONDITION_SIZE) return false;
    query->why_not = "the condition under which it fails is too long";
    return true;
}

/* Conditions of a chain a && b: those of b only matter where a holds. Whether a clock has come to
 * some time keeps nothing from being evaluated. */
static const struct expr *sequence(struct context *context, struct error_query *query, enum op op,
                                   const struct expr *left, const struct expr *first,
                                   const struct expr *second) {
    struct arena *arena = context->arena;
    assert(op_is_connective(op)); /* what may leave its right side out */
    if (expr_is_true(second)) return first;
    if (expr_names_clock(left) && op == OP_OR) return build_and(arena, first, second);
    left = timing_numbers(arena, left);
    if (is_too_long(query, left) || is_too_long(query, first)) return NULL;
    const struct expr *skip = op == OP_OR ? left : build_not(arena, left);
    const struct expr *guarded = build_or(arena, skip, second);
    return build_and(arena, first, guarded);
}

/* Of what is evaluated after a test. One that an unknown takes part in no longer keeps away what
 * it kept away, so that all failures count. */
static const struct expr *condition_after(struct context *context, struct error_query *query,
                                          const struct expr *test, const struct expr *expr) {
    const struct expr *condition = no_error_condition(context, query, expr);
    assert(test);
    if (!query->needs_unknown || !expr_has_unknown(test)) return condition;
    struct error_query all = {.where = query->where,
                              .fact = query->fact,
                              .open = query->open,
                              .only_accesses = query->only_accesses,
                              .why_not = query->why_not_visible};
    condition = no_error_condition(context, &all, expr);
    query->why_not_visible = all.why_not;
    return condition;
}

/* Of b in a && b, where a is a fact: in all failures, or if no unknown takes part in it. */
static const struct expr *condition_of_second(struct context *context, struct error_query *query,
                                              const struct expr *both) {
    struct error_query second = *query;
    if (!query->needs_unknown || !expr_has_unknown(both->child[0]))
        second.fact = build_and(context->arena, query->fact, both->child[0]);
    const struct expr *condition =
        condition_after(context, &second, both->child[0], both->child[1]);
    query->why_not = second.why_not;
    query->why_not_visible = second.why_not_visible;
    return condition;
}

/* Of a quantifier, whose bound variable has no meaning outside of it. */
static void check_body(struct context *context, struct error_query *query,
                       const struct expr *body) {
    if (!expr_can_fault(body) || (query->needs_unknown && !expr_has_unknown(body))) return;
    struct error_query inner = *query;
    inner.why_not = NULL;
    bool never_fails = expr_is_true(no_error_condition(context, &inner, body));
    query->why_not_visible = inner.why_not_visible;
    if (inner.why_not || !never_fails) query->why_not = "a quantifier may fail";
}

/* Of an unknown that stands for a[i]. Where it is always evaluated and has classes, that for
 * indices outside of the array says as much. */
static const struct expr *unknown_condition(struct context *context, struct error_query *query,
                                            const struct symbol *placeholder) {
    const struct open_edge *open = query->open;
    for (uint32_t i = 0; open && i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        if (unknown->placeholder != placeholder) continue;
        bool has_outside = unknown->is_certain && unknown->class_count > 1;
        return unknown->access && !has_outside
                   ? any_error_condition(context, query, unknown->access)
                   : NULL;
    }
    return NULL;
}

const struct expr *no_error_condition(struct context *context, struct error_query *query,
                                      const struct expr *expr) {
    struct arena *arena = context->arena;
    if (!expr || (query->needs_unknown && !expr_has_unknown(expr))) return NULL;
    if (expr->kind == EXPR_BINARY && op_is_connective(expr->op)) {
        /* a && false is false, whatever a is */
        bool may_go = expr->op == OP_AND && expr_has_unknown(expr->child[1]);
        const struct expr *first = may_go ? any_error_condition(context, query, expr->child[0])
                                          : no_error_condition(context, query, expr->child[0]);
        const struct expr *second =
            expr->op == OP_AND ? condition_of_second(context, query, expr)
                               : condition_after(context, query, expr->child[0], expr->child[1]);
        return sequence(context, query, expr->op, expr->child[0], first, second);
    }
    if (expr->kind == EXPR_COND) {
        const struct expr *const *child = (const struct expr *const *)expr->child;
        const struct expr *first = no_error_condition(context, query, child[0]);
        const struct expr *yes = condition_after(context, query, child[0], child[1]);
        const struct expr *no = condition_after(context, query, child[0], child[2]);
        if (expr_is_true(yes) && expr_is_true(no)) return first;
        const struct expr *truth = build_bool(arena, true);
        return build_and(arena, first,
                         build_cond(arena, child[0], yes ? yes : truth, no ? no : truth));
    }
    if (expr->kind == EXPR_QUANTIFY) {
        check_body(context, query, expr->child[0]);
        return NULL;
    }
    if (expr->kind == EXPR_NAME) return unknown_condition(context, query, expr->symbol);
    const struct expr *condition = NULL;
    for (int i = 0; i < 3; i++)
        condition = build_and(arena, condition, no_error_condition(context, query, expr->child[i]));
    for (uint32_t i = 0; i < expr->argument_count; i++)
        condition =
            build_and(arena, condition, no_error_condition(context, query, expr->arguments[i]));
    if (query->only_accesses) return condition;
    return build_and(arena, condition, own_condition(context, query, expr));
}

struct accesses {
    struct context *context;
    struct error_query *query;
    const struct expr *condition;
};

static bool add_access(void *context, const struct expr *expr) {
    struct accesses *accesses = context;
    struct error_query *query = accesses->query;
    if (expr->kind != EXPR_INDEX || !expr_root(expr) ||
        !removed_at(accesses->context->request, expr_root(expr), query->where))
        return true;
    if (expr_reads_removed(accesses->context, expr->child[1], query->where))
        query->why_not = "its index may not fit";
    else
        accesses->condition = build_and(accesses->context->arena, accesses->condition,
                                        no_error_condition(accesses->context, query, expr));
    return true;
}

const struct expr *access_condition(struct context *context, struct error_query *query,
                                    const struct expr *expr) {
    struct accesses accesses = {context, query, NULL};
    walk_expr(expr, add_access, &accesses);
    return accesses.condition;
}

const struct expr *protected_guard(struct context *context, const struct open_edge *open,
                                   const struct expr *guard, bool is_after, bool accesses_fail,
                                   const char **why_not) {
    struct arena *arena = context->arena;
    if (!guard || (!is_after && !expr_has_unknown(guard))) return guard;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        const struct expr *first = guard->child[0];
        const struct expr *left =
            protected_guard(context, open, first, is_after, accesses_fail, why_not);
        const struct expr *right =
            protected_guard(context, open, guard->child[1], is_after || expr_has_unknown(first),
                            accesses_fail, why_not);
        bool is_same = left == first && right == guard->child[1];
        return is_same ? guard : build_binary(arena, OP_AND, left, right);
    }
    struct where where = open->involved.before;
    assert(where.source == where.target); /* as a guard is, it is read in the source state */
    const struct open_edge *failing = accesses_fail ? open : NULL;
    struct error_query fed = {.where = where, .open = failing, .needs_unknown = true};
    struct error_query all = {.where = where, .open = failing};
    const struct expr *condition = no_error_condition(context, &fed, guard);
    if (is_after) condition = no_error_condition(context, &all, guard);
    if (fed.why_not) *why_not = fed.why_not;
    if (fed.why_not_visible) *why_not = fed.why_not_visible;
    if (all.why_not) *why_not = all.why_not;
    return condition ? build_binary(arena, OP_AND, condition, guard) : guard;
}
