#include "abstract/edge/closed_terms.h"

#include "expr/find.h"
#include "lang/eval/eval_operate.h"

#include <assert.h>

/* The number of the unknown that is named, and has a value in tuples; else NO_SLOT. */
static uint32_t find_unknown(const struct open_edge *open, const struct expr *expr) {
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (open->unknowns.items[i]->placeholder == expr->symbol)
            return open->unknowns.items[i]->is_chosen ? NO_SLOT : i;
    return NO_SLOT;
}

/* Whether an operator on constants is computed when expressions are simplified. */
static bool is_computed(enum op op) { return op != OP_POW && op != OP_SHL && op != OP_SHR; }

/* What no value is put into stays as it is: N - 1 is not computed. */
static bool is_closed(const struct open_edge *open, const struct expr *expr) {
    int64_t value;
    if (expr_is_constant(expr, &value)) return value == (int32_t)value;
    if (!expr_has_unknown(expr)) return false;
    switch (expr->kind) {
    case EXPR_NAME: return find_unknown(open, expr) != NO_SLOT;
    case EXPR_UNARY:
        return (expr->op == OP_NOT || expr->op == OP_NEG) && is_closed(open, expr->child[0]);
    case EXPR_BINARY:
        return is_computed(expr->op) && is_closed(open, expr->child[0]) &&
               is_closed(open, expr->child[1]);
    default: return false;
    }
}

void closed_terms_add(struct closed_terms *terms, const struct expr *expr) {
    if (!expr || !expr_has_unknown(expr)) return;
    if (is_closed(terms->open, expr)) {
        VEC_PUSH(terms->arena, &terms->list, expr);
        return;
    }
    for (int i = 0; i < 3; i++) closed_terms_add(terms, expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count; i++) closed_terms_add(terms, expr->arguments[i]);
}

struct evaluation {
    const struct open_edge *open;
    const int32_t *unknown_values;
    struct environment environment; /* of operators */
};

static bool evaluate(struct evaluation *evaluation, const struct expr *expr, int32_t *result) {
    int64_t value = 0;
    int32_t left, right;
    if (expr_is_constant(expr, &value)) {
        *result = (int32_t)value;
        return true;
    }
    if (expr->kind == EXPR_NAME) {
        uint32_t unknown = find_unknown(evaluation->open, expr);
        assert(unknown != NO_SLOT);
        *result = evaluation->unknown_values[unknown];
        return true;
    }
    if (!evaluate(evaluation, expr->child[0], &left)) return false;
    if (expr->kind == EXPR_UNARY) {
        if (expr->op == OP_NEG && left == INT32_MIN) return false;
        *result = expr->op == OP_NEG ? -left : !left;
        return true;
    }
    assert(expr->kind == EXPR_BINARY && is_computed(expr->op));
    if (!evaluate(evaluation, expr->child[1], &right)) return false;
    struct environment *environment = &evaluation->environment;
    *result = eval_operate(environment, expr->op, left, right, (struct span){0, 0});
    return !environment->fault.kind && !environment->has_overflow;
}

bool closed_terms_evaluate(const struct closed_terms *terms, const int32_t *unknown_values,
                           int32_t *values) {
    struct evaluation evaluation = {.open = terms->open, .unknown_values = unknown_values};
    for (uint32_t i = 0; i < terms->list.count; i++)
        if (!evaluate(&evaluation, terms->list.items[i], &values[i])) return false;
    return true;
}
