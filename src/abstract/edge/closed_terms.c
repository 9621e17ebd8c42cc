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

/* Whether the operator of a node is computed once its operands are known. */
static bool is_operation(const struct expr *expr) {
    if (expr->kind == EXPR_UNARY) return expr->op == OP_NOT || expr->op == OP_NEG;
    return expr->kind == EXPR_BINARY && is_computed(expr->op);
}

/* Notes what each node is, in the order in which they are met: its operands after it. What no value
 * is put into stays as it is: N - 1 is not computed. */
static struct term_note note(struct closed_terms *terms, const struct expr *expr) {
    struct term_note own = {.size = 1};
    uint32_t place = terms->notes.count;
    int64_t value;
    VEC_PUSH(terms->arena, &terms->notes, own);
    if (expr_is_constant(expr, &value)) {
        own.is_closed = value == (int32_t)value;
    } else if (expr->kind == EXPR_NAME) {
        own.has_unknown = expr_has_unknown(expr);
        own.is_closed = own.has_unknown && find_unknown(terms->open, expr) != NO_SLOT;
    } else {
        own.is_closed = is_operation(expr);
        for (uint32_t i = 0; i < 3 + expr->argument_count; i++) {
            const struct expr *part = i < 3 ? expr->child[i] : expr->arguments[i - 3];
            if (!part) continue;
            struct term_note inner = note(terms, part);
            own.has_unknown |= inner.has_unknown;
            own.is_closed &= inner.is_closed;
            own.size += inner.size;
        }
        own.is_closed &= own.has_unknown;
    }
    terms->notes.items[place] = own;
    return own;
}

static void add(struct closed_terms *terms, const struct expr *expr, uint32_t place) {
    const struct term_note *own = &terms->notes.items[place];
    if (!own->has_unknown) return;
    if (own->is_closed) {
        VEC_PUSH(terms->arena, &terms->list, expr);
        return;
    }
    place++;
    for (uint32_t i = 0; i < 3 + expr->argument_count; i++) {
        const struct expr *part = i < 3 ? expr->child[i] : expr->arguments[i - 3];
        if (!part) continue;
        add(terms, part, place);
        place += terms->notes.items[place].size;
    }
}

void closed_terms_add(struct closed_terms *terms, const struct expr *expr) {
    terms->notes.count = 0;
    if (expr && note(terms, expr).has_unknown) add(terms, expr, 0);
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
