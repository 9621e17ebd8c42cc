/* When evaluations do not fail: the "no error" conditions of residual guards (DESIGN section 4). */
#include "abstract/form.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

enum { MAX_CONDITION_SIZE = 4000 };

struct range {
    bool is_known;
    int64_t lower, upper;
};

static const struct range unknown_range = {false, 0, 0};

static struct range type_range(struct form_context *context, const struct type *type) {
    struct environment *environment = &context->environment;
    if (!type) return unknown_range;
    const struct shape *shape = eval_shape(environment, type);
    environment->fault = (struct fault){0};
    if (!shape || shape->kind != SHAPE_CELL || context->has_read_slot) {
        context->has_read_slot = false;
        return unknown_range;
    }
    return (struct range){true, shape->lower, shape->upper};
}

static struct range range_of(struct form_context *context, const struct expr *expr);

static struct range binary_range(struct form_context *context, const struct expr *expr) {
    if (expr->op >= OP_LT && expr->op != OP_BIT_AND && expr->op != OP_BIT_XOR &&
        expr->op != OP_BIT_OR)
        return (struct range){true, 0, 1};
    struct range a = range_of(context, expr->child[0]), b = range_of(context, expr->child[1]);
    if (!a.is_known || !b.is_known) return unknown_range;
    struct range r = {true, 0, 0};
    switch (expr->op) {
    case OP_ADD: r.lower = a.lower + b.lower, r.upper = a.upper + b.upper; break;
    case OP_SUB: r.lower = a.lower - b.upper, r.upper = a.upper - b.lower; break;
    case OP_MIN:
        r.lower = a.lower < b.lower ? a.lower : b.lower;
        r.upper = a.upper < b.upper ? a.upper : b.upper;
        break;
    case OP_MAX:
        r.lower = a.lower > b.lower ? a.lower : b.lower;
        r.upper = a.upper > b.upper ? a.upper : b.upper;
        break;
    case OP_MOD:
        if (a.lower < 0 || b.lower != b.upper || b.lower <= 0) return unknown_range;
        r.upper = b.lower - 1 < a.upper ? b.lower - 1 : a.upper;
        break;
    case OP_DIV:
        if (a.lower < 0 || b.lower <= 0) return unknown_range;
        r.lower = a.lower / b.upper, r.upper = a.upper / b.lower;
        break;
    case OP_MUL:
        if (a.lower < 0 || b.lower < 0) return unknown_range;
        r.lower = a.lower * b.lower, r.upper = a.upper * b.upper;
        break;
    default: return unknown_range;
    }
    if (r.lower < INT32_MIN || r.upper > INT32_MAX) return unknown_range; /* it may wrap */
    return r;
}

/* Narrows a range by the conjuncts of what is known to hold that compare the expression with a
 * constant. */
static void narrow(const struct expr *fact, const struct expr *expr, struct range *range) {
    int64_t value;
    if (!fact || fact->kind != EXPR_BINARY) return;
    if (fact->op == OP_AND) {
        narrow(fact->child[0], expr, range);
        narrow(fact->child[1], expr, range);
        return;
    }
    if (!expr_is_constant(fact->child[1], &value) || !expr_equal(fact->child[0], expr)) return;
    int64_t upper = fact->op == OP_LT ? value - 1 : value;
    int64_t lower = fact->op == OP_GT ? value + 1 : value;
    bool bounds_above = fact->op == OP_LT || fact->op == OP_LE || fact->op == OP_EQ;
    bool bounds_below = fact->op == OP_GT || fact->op == OP_GE || fact->op == OP_EQ;
    if (bounds_above && upper < range->upper) range->upper = upper;
    if (bounds_below && lower > range->lower) range->lower = lower;
}

/* Values by declared types: true in every state, not only in reachable ones. */
static struct range declared_range(struct form_context *context, const struct expr *expr) {
    int64_t value;
    if (constant_value(context, expr, &value)) return (struct range){true, value, value};
    switch (expr->kind) {
    case EXPR_NAME:
        if (!expr->symbol) return unknown_range;
        if (expr->symbol->kind == SYMBOL_LOCATION) return (struct range){true, 0, 1};
        return type_range(context, expr->symbol->type);
    case EXPR_CALL: /* checked against the type of the result */
    case EXPR_INDEX:
    case EXPR_FIELD: return type_range(context, expr->type);
    case EXPR_BINARY: return binary_range(context, expr);
    case EXPR_UNARY: {
        if (expr->op == OP_NOT) return (struct range){true, 0, 1};
        struct range inner = range_of(context, expr->child[0]);
        if (!inner.is_known || inner.lower == INT32_MIN) return unknown_range; /* it may wrap */
        return (struct range){true, -inner.upper, -inner.lower};
    }
    case EXPR_COND: {
        struct range a = range_of(context, expr->child[1]), b = range_of(context, expr->child[2]);
        if (!a.is_known || !b.is_known) return unknown_range;
        return (struct range){true, a.lower < b.lower ? a.lower : b.lower,
                              a.upper > b.upper ? a.upper : b.upper};
    }
    case EXPR_QUANTIFY: return expr->op == OP_SUM ? unknown_range : (struct range){true, 0, 1};
    default: return unknown_range;
    }
}

static struct range range_of(struct form_context *context, const struct expr *expr) {
    struct range range = declared_range(context, expr);
    if (!range.is_known) return range;
    narrow(context->fact, expr, &range);
    /* No value at all: the fact never holds, and anything is certain; stay on the safe side. */
    return range.lower > range.upper ? declared_range(context, expr) : range;
}

static const struct expr *compare(struct form_context *context, enum op op, const struct expr *left,
                                  const struct expr *right) {
    return simplify_node(context->arena, build_binary(context->arena, op, left, right));
}

/* As a number where it is one, as its constants may be hidden where the condition will stand. */
static const struct expr *bound_of(struct form_context *context, const struct expr *bound) {
    int64_t value;
    return constant_value(context, bound, &value) ? build_int(context->arena, value) : bound;
}

/* lower <= value <= upper, each side only where it is not certain. */
static const struct expr *within(struct form_context *context, const struct expr *value,
                                 const struct expr *lower, const struct expr *upper) {
    lower = bound_of(context, lower);
    upper = bound_of(context, upper);
    struct range range = range_of(context, value);
    struct range low = range_of(context, lower), high = range_of(context, upper);
    const struct expr *condition = NULL;
    if (!range.is_known || !low.is_known || range.lower < low.upper)
        condition = compare(context, OP_GE, value, lower);
    if (expr_is_true(condition)) condition = NULL;
    if (!range.is_known || !high.is_known || range.upper > high.lower)
        condition = build_and(context->arena, condition, compare(context, OP_LE, value, upper));
    return condition;
}

const struct expr *range_condition(struct form_context *context, const struct expr *value,
                                   const struct type *type) {
    type = type_strip(type);
    if (type->kind != TYPE_INT) return NULL;
    const struct expr *lower = type->lower ? type->lower : build_int(context->arena, -32768);
    const struct expr *upper = type->upper ? type->upper : build_int(context->arena, 32767);
    return within(context, value, lower, upper);
}

bool index_fits(struct form_context *context, const struct expr *index, int64_t lower,
                int64_t upper) {
    struct range range = declared_range(context, index);
    return range.is_known && range.lower >= lower && range.upper <= upper;
}

static const struct expr *index_condition(struct form_context *context, const struct expr *expr) {
    const struct type *type = type_strip(expr->child[0]->type);
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
    return within(context, expr->child[1], lower, upper);
}

/* A function that only returns what certainly can be computed and fits. Its arguments are looked at
 * on their own, but have to fit here. */
static bool call_never_fails(struct form_context *context, const struct expr *call) {
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    const struct expr *value = function ? function_value(function) : NULL;
    if (!value || expr_can_fault(value) || range_condition(context, value, function->result))
        return false;
    for (uint32_t i = 0; i < call->argument_count && i < function->parameter_count; i++)
        if (range_condition(context, call->arguments[i], function->parameters[i]->type))
            return false;
    return true;
}

static bool has_kind(const struct expr *expr, enum expr_kind kind) {
    if (!expr || expr->kind == kind) return expr != NULL;
    for (int i = 0; i < 3; i++)
        if (has_kind(expr->child[i], kind)) return true;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (has_kind(expr->arguments[i], kind)) return true;
    return false;
}

/* That what the function returns, written out, does not fail. */
static const struct expr *call_condition(struct form_context *context, const struct expr *call,
                                         const char **lost) {
    if (call_never_fails(context, call)) return NULL;
    const struct function *function = call->symbol ? call->symbol->function : NULL;
    const struct expr *value = function ? unrolled_value(context, function, NULL) : NULL;
    if (value) value = value_fitted(context, value, function->result);
    if (value) value = with_arguments(context, value, call);
    if (value && !has_kind(value, EXPR_CALL) && !expr_reads_removed(context, value)) {
        const struct expr *condition = no_error_condition(context, value, false, lost);
        if (!has_kind(condition, EXPR_QUANTIFY)) return condition; /* it might capture arguments */
    }
    *lost = "a function call may fail";
    return NULL;
}

static const struct expr *own_condition(struct form_context *context, const struct expr *expr,
                                        const char **lost) {
    struct arena *arena = context->arena;
    const struct expr *right = expr->child[1];
    switch (expr->kind) {
    case EXPR_INDEX: return index_condition(context, expr);
    case EXPR_CALL: return call_condition(context, expr, lost);
    case EXPR_BINARY:
        switch (expr->op) {
        case OP_DIV:
        case OP_MOD: {
            struct range range = range_of(context, right);
            if (range.is_known && (range.lower > 0 || range.upper < 0)) return NULL;
            return compare(context, OP_NE, right, build_int(arena, 0));
        }
        case OP_SHL:
        case OP_SHR: return within(context, right, build_int(arena, 0), build_int(arena, 31));
        case OP_POW: *lost = "a power may fail"; return NULL;
        default: return NULL;
        }
    default: return NULL;
    }
}

/* Conditions repeat the operands before them; those of long chains would grow without bound. */
static bool is_too_long(const struct expr *expr, const char **lost) {
    if (expr_size(expr, MAX_CONDITION_SIZE) <= MAX_CONDITION_SIZE) return false;
    *lost = "the condition under which it fails is too long";
    return true;
}

/* Conditions of a chain a && b: those of b only matter where a holds. */
static const struct expr *sequence(struct form_context *context, enum op op,
                                   const struct expr *left, const struct expr *first,
                                   const struct expr *second, const char **lost) {
    struct arena *arena = context->arena;
    if (expr_is_true(second)) return first;
    if (is_too_long(left, lost) || is_too_long(first, lost)) return NULL;
    const struct expr *skip = op == OP_OR ? left : build_not(arena, left);
    const struct expr *guarded = build_or(arena, skip, second);
    return build_and(arena, first, guarded);
}

/* Of what is evaluated behind a test. One that an unknown takes part in no longer keeps away what
 * it kept away, so that all failures count; where the condition of visible variables cannot be
 * said, the context knows. */
static const struct expr *condition_behind(struct form_context *context, const struct expr *test,
                                           const struct expr *expr, bool needs_unknown,
                                           const char **lost) {
    const struct expr *condition = no_error_condition(context, expr, needs_unknown, lost);
    if (!needs_unknown || !expr_has_unknown(test)) return condition;
    return no_error_condition(context, expr, false, &context->unsaid);
}

const struct expr *no_error_condition(struct form_context *context, const struct expr *expr,
                                      bool needs_unknown, const char **lost) {
    struct arena *arena = context->arena;
    if (!expr || (needs_unknown && !expr_has_unknown(expr))) return NULL;
    if (expr->kind == EXPR_BINARY &&
        (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLY)) {
        /* a && false is false, whatever a is */
        bool may_go = expr->op == OP_AND && expr_has_unknown(expr->child[1]);
        const struct expr *first =
            no_error_condition(context, expr->child[0], needs_unknown && !may_go, lost);
        const struct expr *second =
            condition_behind(context, expr->child[0], expr->child[1], needs_unknown, lost);
        return sequence(context, expr->op, expr->child[0], first, second, lost);
    }
    if (expr->kind == EXPR_COND) {
        const struct expr *const *child = (const struct expr *const *)expr->child;
        const struct expr *first = no_error_condition(context, child[0], needs_unknown, lost);
        const struct expr *yes = condition_behind(context, child[0], child[1], needs_unknown, lost);
        const struct expr *no = condition_behind(context, child[0], child[2], needs_unknown, lost);
        if (expr_is_true(yes) && expr_is_true(no)) return first;
        const struct expr *truth = build_bool(arena, true);
        return build_and(arena, first,
                         build_cond(arena, child[0], yes ? yes : truth, no ? no : truth));
    }
    if (expr->kind == EXPR_QUANTIFY) { /* its bound variable has no meaning outside */
        if (expr_can_fault(expr->child[0]) &&
            (!needs_unknown || expr_has_unknown(expr->child[0]))) {
            const char *inner = NULL;
            const struct expr *condition =
                no_error_condition(context, expr->child[0], needs_unknown, &inner);
            if (inner || !expr_is_true(condition)) *lost = "a quantifier may fail";
        }
        return NULL;
    }
    const struct expr *condition = NULL;
    for (int i = 0; i < 3; i++)
        condition = build_and(arena, condition,
                              no_error_condition(context, expr->child[i], needs_unknown, lost));
    for (uint32_t i = 0; i < expr->argument_count; i++)
        condition = build_and(arena, condition,
                              no_error_condition(context, expr->arguments[i], needs_unknown, lost));
    return build_and(arena, condition, own_condition(context, expr, lost));
}

const struct expr *protected_guard(struct form_context *context, const struct expr *guard,
                                   bool is_behind, const char **lost) {
    struct arena *arena = context->arena;
    if (!guard || (!is_behind && !expr_has_unknown(guard))) return guard;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        const struct expr *first = guard->child[0];
        const struct expr *left = protected_guard(context, first, is_behind, lost);
        const struct expr *right =
            protected_guard(context, guard->child[1], is_behind || expr_has_unknown(first), lost);
        bool is_same = left == first && right == guard->child[1];
        return is_same ? guard : build_binary(arena, OP_AND, left, right);
    }
    context->unsaid = NULL;
    const struct expr *condition = no_error_condition(context, guard, true, lost);
    if (is_behind) condition = no_error_condition(context, guard, false, &context->unsaid);
    if (context->unsaid) *lost = context->unsaid;
    return condition ? build_binary(arena, OP_AND, condition, guard) : guard;
}
