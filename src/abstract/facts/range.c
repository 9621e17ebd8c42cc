/* Intervals of values, by declared types and constants. */
#include "abstract/facts/range.h"

#include "abstract/facts/cells.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/syntax/walk.h"

#include <assert.h>

struct range {
    bool is_known;
    int64_t lower, upper;
};

static const struct range unknown_range = {false, 0, 0};

static struct range type_range(struct context *context, const struct type *type) {
    const struct shape *shape = type && type_is_number(type) ? context_shape(context, type) : NULL;
    if (!shape || shape->kind != SHAPE_CELL) return unknown_range;
    assert(shape->lower <= shape->upper);
    return (struct range){true, shape->lower, shape->upper};
}

static struct range range_of(struct context *context, const struct expr *fact,
                             const struct expr *expr);

static struct range binary_range(struct context *context, const struct expr *fact,
                                 const struct expr *expr) {
    if (expr->op >= OP_LT && expr->op != OP_BIT_AND && expr->op != OP_BIT_XOR &&
        expr->op != OP_BIT_OR)
        return (struct range){true, 0, 1};
    struct range a = range_of(context, fact, expr->child[0]),
                 b = range_of(context, fact, expr->child[1]);
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
    assert(r.lower <= r.upper);
    if (r.lower < INT32_MIN || r.upper > INT32_MAX) return unknown_range; /* it may wrap */
    return r;
}

/* Clips a range by the conjuncts of what is known to hold that compare the expression with a
 * constant. */
static void clip_range(const struct expr *fact, const struct expr *expr, struct range *range) {
    int64_t value;
    if (!fact || fact->kind != EXPR_BINARY) return;
    if (fact->op == OP_AND) {
        clip_range(fact->child[0], expr, range);
        clip_range(fact->child[1], expr, range);
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
static struct range declared_range(struct context *context, const struct expr *fact,
                                   const struct expr *expr) {
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
    case EXPR_BINARY: return binary_range(context, fact, expr);
    case EXPR_UNARY: {
        if (expr->op == OP_NOT) return (struct range){true, 0, 1};
        struct range inner = range_of(context, fact, expr->child[0]);
        if (!inner.is_known || inner.lower == INT32_MIN) return unknown_range; /* it may wrap */
        return (struct range){true, -inner.upper, -inner.lower};
    }
    case EXPR_COND: {
        struct range a = range_of(context, fact, expr->child[1]),
                     b = range_of(context, fact, expr->child[2]);
        if (!a.is_known || !b.is_known) return unknown_range;
        return (struct range){true, a.lower < b.lower ? a.lower : b.lower,
                              a.upper > b.upper ? a.upper : b.upper};
    }
    case EXPR_QUANTIFY: return expr->op == OP_SUM ? unknown_range : (struct range){true, 0, 1};
    default: return unknown_range;
    }
}

static struct range range_of(struct context *context, const struct expr *fact,
                             const struct expr *expr) {
    const struct range declared = declared_range(context, fact, expr);
    struct range range = declared;
    if (!range.is_known) return range;
    assert(range.lower <= range.upper);
    clip_range(fact, expr, &range);
    /* No value at all: the fact never holds, and anything is certain; stay on the safe side. */
    return range.lower > range.upper ? declared : range;
}

static const struct expr *compare(struct context *context, enum op op, const struct expr *left,
                                  const struct expr *right) {
    return simplify_node(context->arena, build_binary(context->arena, op, left, right));
}

struct limit {
    const struct expr *expr;
    struct range range;
};

/* A bound and its range. It is written as a number where it is one, since its constants may be
 * hidden where the condition will stand. */
static struct limit bound_of(struct context *context, const struct expr *fact,
                             const struct expr *bound) {
    int64_t value;
    if (!expr_is_constant(bound, &value) && !constant_value(context, bound, &value))
        return (struct limit){bound, range_of(context, fact, bound)};
    return (struct limit){build_int(context->arena, value), {true, value, value}};
}

const struct expr *bounds_condition(struct context *context, const struct expr *fact,
                                    const struct expr *value, const struct expr *lower,
                                    const struct expr *upper) {
    assert(value && lower && upper);
    struct limit low = bound_of(context, fact, lower), high = bound_of(context, fact, upper);
    struct range range = range_of(context, fact, value);
    const struct expr *condition = NULL;
    if (!range.is_known || !low.range.is_known || range.lower < low.range.upper)
        condition = compare(context, OP_GE, value, low.expr);
    if (expr_is_true(condition)) condition = NULL;
    if (!range.is_known || !high.range.is_known || range.upper > high.range.lower)
        condition = build_and(context->arena, condition, compare(context, OP_LE, value, high.expr));
    return condition;
}

const struct expr *range_condition(struct context *context, const struct expr *fact,
                                   const struct expr *value, const struct type *type) {
    type = type_strip(type);
    if (type->kind == TYPE_CLOCK) { /* T1.3 */
        struct range range = range_of(context, fact, value);
        if (range.is_known && range.lower >= 0) return NULL;
        return compare(context, OP_GE, value, build_int(context->arena, 0));
    }
    if (type->kind != TYPE_INT) return NULL;
    const struct expr *lower = type->lower ? type->lower : build_int(context->arena, -32768);
    const struct expr *upper = type->upper ? type->upper : build_int(context->arena, 32767);
    return bounds_condition(context, fact, value, lower, upper);
}

bool index_fits(struct context *context, const struct expr *index, int64_t lower, int64_t upper) {
    assert(lower <= upper);
    struct range range = declared_range(context, NULL, index);
    return range.is_known && range.lower >= lower && range.upper <= upper;
}

bool is_never_zero(struct context *context, const struct expr *fact, const struct expr *value) {
    struct range range = range_of(context, fact, value);
    return range.is_known && (range.lower > 0 || range.upper < 0);
}

static bool may_fail(const void *context, const struct expr *expr) {
    (void)context;
    bool is_sum = expr->kind == EXPR_BINARY && (expr->op == OP_ADD || expr->op == OP_SUB);
    return !is_sum && expr->kind != EXPR_NAME && expr->kind != EXPR_INT &&
           expr->kind != EXPR_UNARY && expr->kind != EXPR_FIELD;
}

bool range_is_certain(struct context *context, const struct expr *comparison) {
    if (comparison->kind != EXPR_BINARY || expr_any(comparison->child[0], may_fail, NULL) ||
        expr_any(comparison->child[1], may_fail, NULL))
        return false;
    struct range a = range_of(context, NULL, comparison->child[0]),
                 b = range_of(context, NULL, comparison->child[1]);
    if (!a.is_known || !b.is_known) return false;
    switch (comparison->op) {
    case OP_LT: return a.upper < b.lower;
    case OP_LE: return a.upper <= b.lower;
    case OP_GT: return a.lower > b.upper;
    case OP_GE: return a.lower >= b.upper;
    default: return false;
    }
}

bool range_is_nonempty(struct context *context, const struct type *type) {
    return context_shape(context, type) != NULL;
}

/* Narrowing */

/* The values of the symbol, which the expression mentions once, for which the expression may lie
 * between two ends. */
static void narrow_term(struct context *context, const struct expr *guard, const struct expr *expr,
                        const struct symbol *symbol, struct range wanted, struct range *result) {
    if (expr->kind == EXPR_NAME && expr->symbol == symbol) {
        if (wanted.lower > result->lower) result->lower = wanted.lower;
        if (wanted.upper < result->upper) result->upper = wanted.upper;
        return;
    }
    if (expr->kind != EXPR_BINARY || (expr->op != OP_ADD && expr->op != OP_SUB)) return;
    bool is_right = expr_mentions(expr->child[1], symbol);
    if (is_right && expr_mentions(expr->child[0], symbol)) return;
    if (!range_of(context, guard, expr).is_known) return; /* it may wrap */
    struct range other = range_of(context, guard, expr->child[!is_right]);
    if (!other.is_known) return;
    if (expr->op == OP_ADD)
        wanted = (struct range){true, wanted.lower - other.upper, wanted.upper - other.lower};
    else if (is_right)
        wanted = (struct range){true, other.lower - wanted.upper, other.upper - wanted.lower};
    else
        wanted = (struct range){true, wanted.lower + other.lower, wanted.upper + other.upper};
    narrow_term(context, guard, expr->child[is_right], symbol, wanted, result);
}

/* By one comparison, which holds: expr op value, for all values that the other side may have. */
static void narrow_side(struct context *context, const struct expr *guard, enum op op,
                        const struct expr *expr, const struct expr *value,
                        const struct symbol *symbol, struct range *result) {
    if (!expr_mentions(expr, symbol) || expr_mentions(value, symbol)) return;
    struct range other = range_of(context, guard, value), wanted = {true, INT32_MIN, INT32_MAX};
    if (!other.is_known) return;
    if (op == OP_LT || op == OP_LE || op == OP_EQ) wanted.upper = other.upper - (op == OP_LT);
    if (op == OP_GT || op == OP_GE || op == OP_EQ) wanted.lower = other.lower + (op == OP_GT);
    narrow_term(context, guard, expr, symbol, wanted, result);
}

static void narrow_by(struct context *context, const struct expr *guard, const struct expr *part,
                      const struct symbol *symbol, struct range *result) {
    static const enum op mirrored[][2] = {
        {OP_LT, OP_GT}, {OP_LE, OP_GE}, {OP_GT, OP_LT}, {OP_GE, OP_LE}, {OP_EQ, OP_EQ}};
    if (!part || part->kind != EXPR_BINARY) return;
    if (part->op == OP_AND) {
        narrow_by(context, guard, part->child[0], symbol, result);
        narrow_by(context, guard, part->child[1], symbol, result);
    }
    for (size_t i = 0; i < sizeof mirrored / sizeof *mirrored; i++) {
        if (part->op != mirrored[i][0]) continue;
        narrow_side(context, guard, part->op, part->child[0], part->child[1], symbol, result);
        narrow_side(context, guard, mirrored[i][1], part->child[1], part->child[0], symbol, result);
    }
}

bool range_narrow(struct context *context, const struct expr *guard, const struct symbol *symbol,
                  int32_t *lower, int32_t *upper) {
    struct range result = {true, *lower, *upper};
    assert(*lower <= *upper);
    narrow_by(context, guard, guard, symbol, &result);
    if (result.lower > result.upper || (result.lower == *lower && result.upper == *upper))
        return false;
    assert(result.lower >= *lower && result.upper <= *upper); /* it only cuts */
    *lower = (int32_t)result.lower;
    *upper = (int32_t)result.upper;
    return true;
}

/* Tendencies */

enum slope { FALLING = -1, LEVEL, RISING, UNCLEAR };

static enum slope sum_of(enum slope left, enum slope right) {
    if (left == LEVEL) return right;
    return right == LEVEL || left == right ? left : UNCLEAR;
}

static enum slope reverse_of(enum slope slope) {
    return slope == RISING ? FALLING : slope == FALLING ? RISING : slope;
}

/* How a value changes with that of the symbol: by sums that cannot wrap. */
static enum slope slope_of(struct context *context, const struct expr *expr,
                           const struct symbol *symbol) {
    if (!expr_mentions(expr, symbol)) return LEVEL;
    if (expr->kind == EXPR_NAME) return RISING;
    if (expr->kind != EXPR_BINARY || (expr->op != OP_ADD && expr->op != OP_SUB) ||
        !range_of(context, NULL, expr).is_known)
        return UNCLEAR;
    enum slope left = slope_of(context, expr->child[0], symbol),
               right = slope_of(context, expr->child[1], symbol);
    return sum_of(left, expr->op == OP_SUB ? reverse_of(right) : right);
}

struct tendency range_tendency(struct context *context, const struct expr *condition,
                               const struct symbol *symbol) {
    const struct tendency none = {false, false}, both = {true, true};
    if (!condition || !expr_mentions(condition, symbol)) return both;
    if (condition->kind != EXPR_BINARY) return none;
    const struct expr *left = condition->child[0], *right = condition->child[1];
    if (condition->op == OP_AND) {
        struct tendency a = range_tendency(context, left, symbol),
                        b = range_tendency(context, right, symbol);
        return (struct tendency){a.goes_down && b.goes_down, a.goes_up && b.goes_up};
    }
    bool is_upper_bound = condition->op == OP_LT || condition->op == OP_LE;
    if (!is_upper_bound && condition->op != OP_GT && condition->op != OP_GE) return none;
    enum slope slope =
        sum_of(slope_of(context, left, symbol), reverse_of(slope_of(context, right, symbol)));
    if (!is_upper_bound) slope = reverse_of(slope);
    return (struct tendency){slope == RISING, slope == FALLING};
}
