/* Rules of nodes; those of long chains of && and || are in chain.c. */
#include "expr/simplify.h"
#include "expr/build.h"
#include "expr/find.h"
#include "lang/eval/eval_operate.h"

#include <assert.h>

/* Simplified: a comparison is turned around, two negations go. */
struct expr *build_not(struct arena *arena, const struct expr *inner) {
    assert(inner);
    static const struct type bool_type = {.kind = TYPE_BOOL};
    struct expr *expr = ARENA_NEW(arena, struct expr);
    expr->kind = EXPR_UNARY;
    expr->op = OP_NOT;
    expr->type = &bool_type;
    expr->child[0] = (struct expr *)inner;
    return (struct expr *)simplify_node(arena, expr);
}

/* Simplified where the condition, or both values, are known. */
struct expr *build_cond(struct arena *arena, const struct expr *condition, const struct expr *left,
                        const struct expr *right) {
    assert(condition && left && right);
    struct expr *expr = ARENA_NEW(arena, struct expr);
    expr->kind = EXPR_COND;
    expr->type = left->type;
    expr->child[0] = (struct expr *)condition;
    expr->child[1] = (struct expr *)left;
    expr->child[2] = (struct expr *)right;
    return (struct expr *)simplify_node(arena, expr);
}

/* Constant folding; false where the result is no 32-bit value or the evaluation fails. Powers and
 * shifts are left alone. */
static bool fold(enum op op, int64_t a, int64_t b, int64_t *result) {
    if (op == OP_POW || op == OP_SHL || op == OP_SHR || a != (int32_t)a || b != (int32_t)b)
        return false;
    struct environment environment = {.cells = NULL};
    *result = eval_operate(&environment, op, (int32_t)a, (int32_t)b, (struct span){0, 0});
    return !environment.fault.kind && !environment.has_overflow;
}

static bool is_comparison(enum op op) { return op >= OP_LT && op <= OP_NE; }

static const struct expr *constant(struct arena *arena, enum op op, int64_t value) {
    bool is_bool = is_comparison(op) || op >= OP_AND;
    return is_bool ? build_bool(arena, value != 0) : build_int(arena, value);
}

const struct expr *build_truth(struct arena *arena, const struct expr *expr) {
    int64_t value;
    if (expr_is_constant(expr, &value)) return build_bool(arena, value != 0);
    if (expr_is_boolean(expr)) return expr;
    return build_binary(arena, OP_NE, expr, build_int(arena, 0));
}

static const struct expr *simplify_logic(struct arena *arena, const struct expr *expr) {
    assert(expr->kind == EXPR_BINARY && expr->op >= OP_AND && expr->op <= OP_XOR);
    const struct expr *left = expr->child[0], *right = expr->child[1];
    bool is_repeated = expr_equal(left, right) && !expr_has_effect(left);
    switch (expr->op) {
    case OP_AND:
        if (expr_is_false(left)) return build_bool(arena, false);
        if (expr_is_true(left)) return build_truth(arena, right);
        if (expr_is_true(right)) return build_truth(arena, left);
        if (expr_is_false(right) && !expr_has_effect(left)) return build_bool(arena, false);
        return is_repeated ? build_truth(arena, left) : expr;
    case OP_OR:
        if (expr_is_true(left)) return build_bool(arena, true);
        if (expr_is_false(left)) return build_truth(arena, right);
        if (expr_is_false(right)) return build_truth(arena, left);
        if (expr_is_true(right) && !expr_can_fault(left)) return build_bool(arena, true);
        return is_repeated ? build_truth(arena, left) : expr;
    case OP_IMPLY:
        if (expr_is_false(left)) return build_bool(arena, true);
        if (expr_is_true(left)) return build_truth(arena, right);
        if (expr_is_true(right) && !expr_can_fault(left)) return build_bool(arena, true);
        if (expr_is_false(right)) return build_not(arena, left);
        return expr;
    default:
        assert(expr->op == OP_XOR);
        if (expr_is_false(left)) return build_truth(arena, right);
        if (expr_is_false(right)) return build_truth(arena, left);
        if (expr_is_true(left)) return build_not(arena, right);
        if (expr_is_true(right)) return build_not(arena, left);
        return expr;
    }
}

static bool is_constant(const struct expr *expr) {
    int64_t value;
    return expr_is_constant(expr, &value);
}

/* A constant that has no name: a named one says more than its value. */
static bool is_literal(const struct expr *expr, int64_t *value) {
    return expr->kind != EXPR_NAME && expr_is_constant(expr, value);
}

/* x + value, which wraps as every sum does. */
static const struct expr *build_sum(struct arena *arena, const struct expr *expr, int64_t value) {
    assert(value > INT32_MIN && value <= INT32_MAX);
    if (value == 0) return expr;
    enum op op = value > 0 ? OP_ADD : OP_SUB;
    return build_binary(arena, op, expr, build_int(arena, value > 0 ? value : -value));
}

/* x + -2 * y is x - 2 * y. */
static const struct expr *simplify_term(struct arena *arena, const struct expr *expr) {
    const struct expr *term = expr->child[1];
    int64_t value;
    if (term->kind != EXPR_BINARY || term->op != OP_MUL || !is_literal(term->child[0], &value) ||
        value >= 0 || value == INT32_MIN)
        return expr;
    const struct expr *size = build_binary(arena, OP_MUL, build_int(arena, -value), term->child[1]);
    return build_binary(arena, expr->op == OP_ADD ? OP_SUB : OP_ADD, expr->child[0],
                        simplify_node(arena, size));
}

/* x - -1 is x + 1, x + 1 + 2 is x + 3, 1 + x is x + 1. */
static const struct expr *simplify_sum(struct arena *arena, const struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    int64_t value, inner;
    if (expr->op == OP_ADD && is_literal(left, &value) && value > INT32_MIN)
        return simplify_node(arena, build_sum(arena, right, value));
    if (!is_literal(right, &value)) return simplify_term(arena, expr);
    if (expr->op == OP_SUB) value = -value;
    bool is_nested = left->kind == EXPR_BINARY && (left->op == OP_ADD || left->op == OP_SUB) &&
                     is_literal(left->child[1], &inner);
    if (is_nested) value += left->op == OP_ADD ? inner : -inner;
    bool is_negative = is_literal(right, &inner) && inner < 0;
    if (value <= INT32_MIN || value > INT32_MAX || (!is_nested && !is_negative)) return expr;
    return build_sum(arena, is_nested ? left->child[0] : left, value);
}

static const struct expr *simplify_arithmetic(struct arena *arena, const struct expr *expr) {
    int64_t value;
    for (int side = 0; side < 2; side++) {
        const struct expr *other = expr->child[1 - side];
        if (!expr_is_constant(expr->child[side], &value)) continue;
        bool is_sum = expr->op == OP_ADD || expr->op == OP_BIT_OR || expr->op == OP_BIT_XOR;
        bool is_product = expr->op == OP_MUL || expr->op == OP_BIT_AND;
        if (value == 0 && (is_sum || (side && expr->op == OP_SUB))) return other;
        if (value == 1 && (expr->op == OP_MUL || (side && expr->op == OP_DIV))) return other;
        if (value == 0 && is_product && !expr_can_fault(other) && !expr_has_effect(other))
            return build_int(arena, 0);
    }
    return expr->op == OP_ADD || expr->op == OP_SUB ? simplify_sum(arena, expr) : expr;
}

/* 1 == x is x == 1, and 1 > x is x < 1. */
static const struct expr *literal_last(struct arena *arena, const struct expr *expr) {
    static const enum op mirrored[] = {[OP_LT] = OP_GT, [OP_GT] = OP_LT, [OP_LE] = OP_GE,
                                       [OP_GE] = OP_LE, [OP_EQ] = OP_EQ, [OP_NE] = OP_NE};
    int64_t value;
    assert(is_comparison(expr->op));
    if (!is_literal(expr->child[0], &value)) return expr;
    return build_binary(arena, mirrored[expr->op], expr->child[1], expr->child[0]);
}

/* x == 1 where x is a truth value is x itself. */
static const struct expr *simplify_equality(struct arena *arena, const struct expr *expr) {
    int64_t value;
    const struct expr *left = expr->child[0];
    if (!is_literal(expr->child[1], &value) || !expr_is_boolean(left) || value < 0 || value > 1)
        return expr;
    return (expr->op == OP_EQ) == (value == 1) ? left : build_not(arena, left);
}

/* (p ? c : x) == k is p ? c == k : x == k, of which one branch is known. */
static const struct expr *simplify_branches(struct arena *arena, const struct expr *expr) {
    for (int side = 0; side < 2; side++) {
        const struct expr *cond = expr->child[side], *other = expr->child[1 - side];
        if (cond->kind != EXPR_COND || !is_constant(other) ||
            (!is_constant(cond->child[1]) && !is_constant(cond->child[2])))
            continue;
        const struct expr *branch[2];
        for (int i = 0; i < 2; i++)
            branch[i] = simplify_node(
                arena, side ? build_binary(arena, expr->op, other, cond->child[i + 1])
                            : build_binary(arena, expr->op, cond->child[i + 1], other));
        return build_cond(arena, cond->child[0], branch[0], branch[1]);
    }
    return expr;
}

/* The values of a variable by its type, where the bounds are plain constants. A reference may be to
 * a variable of another type. */
static bool has_range(const struct expr *expr, int64_t *lower, int64_t *upper) {
    const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->symbol : NULL;
    if (!symbol || symbol->kind != SYMBOL_VARIABLE || symbol->is_reference) return false;
    const struct type *type = type_strip(expr->symbol->type);
    return type && type->kind == TYPE_INT && type->lower && type->upper &&
           expr_is_constant(type->lower, lower) && expr_is_constant(type->upper, upper);
}

/* x <= 3 where x is an int[0,3]. */
static const struct expr *simplify_by_range(struct arena *arena, const struct expr *expr) {
    int64_t value, lower, upper;
    if (!is_literal(expr->child[1], &value) || !has_range(expr->child[0], &lower, &upper))
        return expr;
    bool is_known = false, is_true = expr->op == OP_NE;
    switch (expr->op) {
    case OP_LE: is_known = upper <= value || lower > value, is_true = upper <= value; break;
    case OP_LT: is_known = upper < value || lower >= value, is_true = upper < value; break;
    case OP_GE: is_known = lower >= value || upper < value, is_true = lower >= value; break;
    case OP_GT: is_known = lower > value || upper <= value, is_true = lower > value; break;
    default: is_known = value < lower || value > upper; break;
    }
    return is_known ? build_bool(arena, is_true) : expr;
}

static const struct expr *simplify_binary(struct arena *arena, const struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    int64_t a, b, result;
    if (expr_is_constant(left, &a) && expr_is_constant(right, &b)) {
        if (fold(expr->op, a, b, &result)) return constant(arena, expr->op, result);
        return expr;
    }
    if (expr->op >= OP_AND) return simplify_logic(arena, expr);
    if ((expr->op == OP_EQ || expr->op == OP_LE || expr->op == OP_GE) && expr_equal(left, right) &&
        !expr_can_fault(left))
        return build_bool(arena, true);
    if ((expr->op == OP_NE || expr->op == OP_LT || expr->op == OP_GT) && expr_equal(left, right) &&
        !expr_can_fault(left))
        return build_bool(arena, false);
    if (!is_comparison(expr->op)) return simplify_arithmetic(arena, expr);
    expr = literal_last(arena, expr);
    const struct expr *known = simplify_branches(arena, expr);
    if (known == expr) known = simplify_by_range(arena, expr);
    if (known != expr || (expr->op != OP_EQ && expr->op != OP_NE)) return known;
    return simplify_equality(arena, expr);
}

static const struct expr *simplify_not(struct arena *arena, const struct expr *expr) {
    const struct expr *inner = expr->child[0];
    int64_t value;
    if (expr_is_constant(inner, &value)) return build_bool(arena, !value);
    if (inner->kind == EXPR_UNARY && inner->op == OP_NOT)
        return build_truth(arena, inner->child[0]);
    const struct type *type = inner->kind == EXPR_BINARY ? type_strip(inner->child[0]->type) : NULL;
    bool is_plain = !type || type->kind == TYPE_INT || type->kind == TYPE_BOOL;
    if (inner->kind == EXPR_BINARY && op_negated(inner->op) && is_plain)
        return build_binary(arena, op_negated(inner->op), inner->child[0], inner->child[1]);
    return expr;
}

/* p ? true : q is p || q, and so on. */
static const struct expr *simplify_choice(struct arena *arena, const struct expr *expr) {
    const struct expr *test = expr->child[0], *yes = expr->child[1], *no = expr->child[2];
    int64_t value;
    if (expr_is_constant(yes, &value)) {
        const struct expr *left = value ? build_truth(arena, test) : build_not(arena, test);
        return simplify_node(arena, build_binary(arena, value ? OP_OR : OP_AND, left, no));
    }
    if (expr_is_constant(no, &value)) {
        const struct expr *left = value ? build_not(arena, test) : build_truth(arena, test);
        return simplify_node(arena, build_binary(arena, value ? OP_OR : OP_AND, left, yes));
    }
    if (expr_equal(yes, no) && !expr_can_fault(test) && !expr_has_effect(test)) return yes;
    return expr;
}

static bool is_number(const struct expr *expr) {
    const struct type *type = type_strip(expr->type);
    return type && type->kind == TYPE_INT && !expr_is_boolean(expr);
}

/* Which child, if any, is true or false where a number is meant. */
static int misplaced_truth(const struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    bool is_left = false, is_right = false;
    if (expr->kind == EXPR_BINARY && expr->op < OP_AND) {
        bool is_comparing = is_comparison(expr->op);
        is_left = left->kind == EXPR_BOOL && (!is_comparing || is_number(right));
        is_right = right->kind == EXPR_BOOL && (!is_comparing || is_number(left));
    } else if (expr->kind == EXPR_ASSIGN) {
        is_right = right->kind == EXPR_BOOL && is_number(left);
    } else if (expr->kind == EXPR_INDEX) {
        is_right = right->kind == EXPR_BOOL;
    }
    return is_left ? 0 : is_right ? 1 : -1;
}

/* Whether Uppaal takes it for a truth value and not for a number. */
static bool is_truth(const struct expr *expr) {
    if (expr->kind == EXPR_COND) return is_truth(expr->child[1]) && is_truth(expr->child[2]);
    return expr->kind != EXPR_INT && expr_is_boolean(expr);
}

static bool is_of_clocks(const struct expr *expr) {
    const struct type *type = type_strip(expr->type);
    return type && (type->kind == TYPE_CLOCK || type->kind == TYPE_DIFFERENCE);
}

/* A clock is compared with a number: `x <= b + 0` is `x <= (b ? 1 : 0)`, and no `x <= b` (T1.2). */
static const struct expr *write_bound(struct arena *arena, const struct expr *expr) {
    assert(expr->kind == EXPR_BINARY && is_comparison(expr->op));
    int at = is_of_clocks(expr->child[0]) ? 1 : 0;
    const struct expr *bound = expr->child[at];
    if (!is_of_clocks(expr->child[1 - at]) || !is_truth(bound)) return expr;
    struct expr *copy = build_copy(arena, expr);
    copy->child[at] = build_cond(arena, bound, build_int(arena, 1), build_int(arena, 0));
    return copy;
}

/* Values are put in for variables of another type: `tally += 0` is no `tally += false`, and
 * `seen = true` no `seen = 1`. */
static const struct expr *write_values(struct arena *arena, const struct expr *expr) {
    const struct expr *value = expr->child[1];
    if (expr->kind == EXPR_BINARY && is_comparison(expr->op)) expr = write_bound(arena, expr);
    if (expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN && value->kind == EXPR_INT &&
        (value->value == 0 || value->value == 1) && type_strip(expr->child[0]->type) &&
        type_strip(expr->child[0]->type)->kind == TYPE_BOOL)
        return build_assignment(arena, expr->child[0], build_bool(arena, value->value));
    for (int at; (at = misplaced_truth(expr)) >= 0;) {
        struct expr *copy = build_copy(arena, expr);
        copy->child[at] = build_int(arena, expr->child[at]->value);
        expr = copy;
    }
    return expr;
}

/* The value of a place, not simplified: w + 0, or b ? true : false. */
static struct expr *build_value(struct arena *arena, const struct expr *place,
                                const struct type *wanted) {
    if (!is_truth(place)) return build_binary(arena, OP_ADD, place, build_int(arena, 0));
    bool is_number = type_strip(wanted)->kind == TYPE_INT;
    struct expr *expr = ARENA_NEW(arena, struct expr);
    expr->kind = EXPR_COND;
    expr->type = wanted;
    expr->child[0] = (struct expr *)place;
    for (int i = 0; i < 2; i++)
        expr->child[1 + i] = is_number ? build_int(arena, !i) : build_bool(arena, !i);
    return expr;
}

static bool is_variable(const struct expr *expr) {
    while (expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD) expr = expr->child[0];
    return expr->kind == EXPR_NAME && expr->symbol &&
           (expr->symbol->kind == SYMBOL_VARIABLE || expr->symbol->kind == SYMBOL_PARAMETER);
}

/* A variable, or what Uppaal may take for one. */
static bool may_be_variable(const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_ASSIGN: return true;
    case EXPR_STEP: return expr->op == OP_PRE_INC || expr->op == OP_PRE_DEC;
    case EXPR_COND: return may_be_variable(expr->child[1]) && may_be_variable(expr->child[2]);
    default: return is_variable(expr);
    }
}

/* `f(w + 0)` is no `f(w)` where f takes a constant reference: f may write w before it reads its
 * parameter, and Uppaal wants a variable of the very type of the parameter (F1). */
static const struct expr *keep_values(struct arena *arena, const struct expr *expr) {
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    struct expr *copy = NULL;
    for (uint32_t i = 0; function && i < 64 && expr->by_value >> i && i < function->parameter_count;
         i++) {
        const struct type *type = function->parameters[i]->type;
        enum type_kind kind = type_strip(type)->kind;
        bool is_kept = !(expr->by_value >> i & 1) || !may_be_variable(expr->arguments[i]);
        if (is_kept || (kind != TYPE_INT && kind != TYPE_BOOL)) continue;
        if (!copy) {
            copy = build_copy(arena, expr);
            copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
            for (uint32_t k = 0; k < expr->argument_count; k++)
                copy->arguments[k] = expr->arguments[k];
        }
        copy->arguments[i] = build_value(arena, expr->arguments[i], type);
    }
    return copy ? copy : expr;
}

const struct expr *simplify_node(struct arena *arena, const struct expr *expr) {
    int64_t value;
    expr = write_values(arena, expr);
    switch (expr->kind) {
    case EXPR_CALL: return keep_values(arena, expr);
    case EXPR_BINARY: return simplify_binary(arena, expr);
    case EXPR_UNARY:
        if (expr->op == OP_NOT) return simplify_not(arena, expr);
        if (expr_is_constant(expr->child[0], &value) && value > INT32_MIN)
            return build_int(arena, -value);
        return expr;
    case EXPR_COND:
        if (expr_is_true(expr->child[0])) return expr->child[1];
        if (expr_is_false(expr->child[0])) return expr->child[2];
        if (expr_is_boolean(expr->child[1]) && expr_is_boolean(expr->child[2]) &&
            (expr->child[1]->kind != EXPR_INT || expr->child[2]->kind != EXPR_INT))
            return simplify_choice(arena, expr);
        if (expr_equal(expr->child[1], expr->child[2]) && !expr_can_fault(expr->child[0]) &&
            !expr_has_effect(expr->child[0]))
            return expr->child[1];
        return expr;
    case EXPR_QUANTIFY: /* of an empty range forall would be true: keep unless it is the neutral */
        if (expr->op == OP_FORALL && expr_is_true(expr->child[0])) return build_bool(arena, true);
        if (expr->op == OP_EXISTS && expr_is_false(expr->child[0])) return build_bool(arena, false);
        return expr;
    default: return expr;
    }
}

static const struct expr *between(struct arena *arena, const struct expr *value, int64_t lower,
                                  int64_t upper, bool has_lower, bool has_upper) {
    if (has_lower && has_upper && lower == upper)
        return build_binary(arena, OP_EQ, value, build_int(arena, lower));
    const struct expr *above = NULL, *below = NULL;
    if (has_lower) above = build_binary(arena, OP_GE, value, build_int(arena, lower));
    if (has_upper) below = build_binary(arena, OP_LE, value, build_int(arena, upper));
    return above && below ? build_binary(arena, OP_AND, above, below) : above ? above : below;
}

const struct expr *build_member(struct arena *arena, const struct expr *value,
                                const int32_t *members, uint32_t count, int32_t lower,
                                int32_t upper) {
    const struct expr *result = build_bool(arena, false);
    for (uint32_t i = 0; i < count;) {
        uint32_t k = i;
        while (k + 1 < count && members[k + 1] == members[k] + 1) k++;
        const struct expr *run =
            between(arena, value, members[i], members[k], members[i] > lower, members[k] < upper);
        if (!run) return NULL;
        result = expr_is_false(result) ? run : build_binary(arena, OP_OR, result, run);
        i = k + 1;
    }
    return result;
}
