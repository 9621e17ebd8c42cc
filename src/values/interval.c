#include "values/interval.h"

/* Rule A5: the hull of two intervals. */
struct interval interval_unite(struct interval left, struct interval right) {
    if (right.lower < left.lower) left.lower = right.lower;
    if (right.upper > left.upper) left.upper = right.upper;
    return left;
}

/* Rule A5: values that do not fit wrap, so nothing is known of them. */
bool interval_fits(struct interval interval) {
    return interval.lower >= INT32_MIN && interval.upper <= INT32_MAX;
}

/* Rule A5: values of a cell are its set, or a column of tuples. */
bool interval_of_domain(struct cell_domain domain, uint32_t address, struct interval *result) {
    const struct tuple_set *tuples = domain.tuples;
    if (domain.set) *result = (struct interval){domain.set->lower, domain.set->upper};
    if (domain.set) return !value_set_is_empty(domain.set);
    if (!tuples) return false;
    uint32_t column = 0;
    while (tuples->addresses[column] != address) column++;
    *result = (struct interval){INT64_MAX, INT64_MIN};
    for (uint32_t i = 0; i < tuples->count; i++) {
        int32_t value = tuples->values[(size_t)i * tuples->dimension + column];
        *result = interval_unite(*result, (struct interval){value, value});
    }
    return tuples->count != 0;
}

/* Rule A5: products and quotients are extreme at the ends of both intervals. */
static struct interval corners(enum op op, struct interval left, struct interval right) {
    struct interval result = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t a = i & 1 ? left.upper : left.lower, b = i & 2 ? right.upper : right.lower;
        int64_t value = op == OP_MUL ? a * b : a / b;
        result = interval_unite(result, (struct interval){value, value});
    }
    return result;
}

/* Rule A5: by positive and by negative divisors; division by zero is an error, and no step. */
static bool divide(struct interval left, struct interval right, struct interval *result) {
    struct interval below = {right.lower, right.upper < 0 ? right.upper : -1};
    struct interval above = {right.lower > 0 ? right.lower : 1, right.upper};
    *result = (struct interval){INT64_MAX, INT64_MIN};
    if (below.lower <= below.upper) *result = interval_unite(*result, corners(OP_DIV, left, below));
    if (above.lower <= above.upper) *result = interval_unite(*result, corners(OP_DIV, left, above));
    return result->lower <= result->upper;
}

/* Rule A5: a remainder has the sign of the dividend and is nearer to zero than both. */
static bool modulo(struct interval left, struct interval right, struct interval *result) {
    int64_t limit = (right.upper > -right.lower ? right.upper : -right.lower) - 1;
    *result = (struct interval){0, 0};
    if (left.lower < 0) result->lower = left.lower > -limit ? left.lower : -limit;
    if (left.upper > 0) result->upper = left.upper < limit ? left.upper : limit;
    return limit >= 0;
}

/* Rule A5: the other operators are not followed. */
bool interval_operate(enum op op, struct interval left, struct interval right,
                      struct interval *result) {
    switch (op) {
    case OP_ADD:
        *result = (struct interval){left.lower + right.lower, left.upper + right.upper};
        return true;
    case OP_SUB:
        *result = (struct interval){left.lower - right.upper, left.upper - right.lower};
        return true;
    case OP_MUL: *result = corners(OP_MUL, left, right); return true;
    case OP_DIV: return divide(left, right, result);
    case OP_MOD: return modulo(left, right, result);
    case OP_MIN:
    case OP_MAX:
        *result = interval_unite(left, right);
        if (op == OP_MIN && left.upper < result->upper) result->upper = left.upper;
        if (op == OP_MIN && right.upper < result->upper) result->upper = right.upper;
        if (op == OP_MAX && left.lower > result->lower) result->lower = left.lower;
        if (op == OP_MAX && right.lower > result->lower) result->lower = right.lower;
        return true;
    default: return false;
    }
}

/* Rule A5: conditions are 0 or 1, whatever they read. */
bool interval_is_condition(const struct expr *expr) {
    if (expr->kind == EXPR_NAME) return expr->symbol->kind == SYMBOL_LOCATION;
    if (expr->kind == EXPR_UNARY) return expr->op == OP_NOT;
    if (expr->kind == EXPR_QUANTIFY) return expr->op != OP_SUM;
    return expr->kind == EXPR_BINARY &&
           ((expr->op >= OP_LT && expr->op <= OP_NE) || (expr->op >= OP_AND && expr->op <= OP_XOR));
}
