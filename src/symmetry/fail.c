#include "symmetry/fail.h"

#include "symmetry/sorts.h"

#include <assert.h>

enum { MAX_CALLS = 8, MAX_LOOKS = 1000, PLAIN_LEAST = -32768, PLAIN_MOST = 32767 };

struct range {
    int64_t lower, upper;
};

/* A constant int without bounds has all 32 bits, as it has for the evaluator. */
static bool range_of_type(const struct type *written, struct range *range) {
    const struct type *type = type_strip(written);
    if (type->kind == TYPE_BOOL) *range = (struct range){0, 1};
    if (type->kind == TYPE_BOOL) return true;
    if (type->kind == TYPE_SCALAR) {
        range->lower = 0;
        if (!type->size || !number_in_text(type->size, &range->upper)) return false;
        range->upper--;
        return true;
    }
    if (type->kind != TYPE_INT) return false;
    *range = (struct range){PLAIN_LEAST, PLAIN_MOST};
    if (type->prefix & PREFIX_CONST) *range = (struct range){INT32_MIN, INT32_MAX};
    if (!type->lower) return true;
    return number_in_text(type->lower, &range->lower) && number_in_text(type->upper, &range->upper);
}

static bool range_of_index(const struct type *array, struct range *range) {
    if (array->index) return range_of_type(array->index, range);
    range->lower = 0;
    if (!array->size || !number_in_text(array->size, &range->upper)) return false;
    range->upper--;
    return true;
}

/* Values of a constant, or of what has a declared range. */
static bool range_of_expr(const struct expr *expr, struct range *range) {
    if (number_in_text(expr, &range->lower)) {
        range->upper = range->lower;
        return true;
    }
    bool is_place = expr->kind == EXPR_INDEX || (expr->kind == EXPR_NAME && expr->symbol) ||
                    (expr->kind == EXPR_FIELD && !expr_is_process(expr->child[0]));
    const struct type *type =
        expr->kind == EXPR_NAME && expr->symbol ? expr->symbol->type : expr->type;
    return is_place && type && range_of_type(type, range);
}

static bool fits(const struct expr *expr, const struct range *within) {
    struct range range;
    return range_of_expr(expr, &range) && range.lower >= within->lower &&
           range.upper <= within->upper;
}

/* Calls inside each other that may be gone into, and in all. */
struct look {
    uint32_t depth, rest;
};

static bool is_safe(const struct expr *expr, struct look *look);

static bool is_safe_call(const struct expr *expr, struct look *look) {
    const struct symbol *symbol = expr->symbol;
    struct range range;
    if (!symbol || !look->depth || !look->rest) return false;
    look->rest--;
    bool is_function = symbol->kind == SYMBOL_FUNCTION;
    struct symbol *const *parameters =
        is_function                                           ? symbol->function->parameters
        : symbol->kind == SYMBOL_TEMPLATE                     ? symbol->template->parameters
        : symbol->kind == SYMBOL_INSTANCE && symbol->instance ? symbol->instance->parameters
                                                              : NULL;
    if (!parameters) return false;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (parameters[i]->is_reference || !is_safe(expr->arguments[i], look) ||
            !range_of_type(parameters[i]->type, &range) || !fits(expr->arguments[i], &range))
            return false;
    if (!is_function) return true;
    const struct function *function = symbol->function;
    const struct type *result = type_strip(function->result);
    const struct statement *body = function->body;
    if (result->kind != TYPE_BOOL || !body || body->declaration_count) return false;
    if (body->kind == STATEMENT_BLOCK) {
        if (body->statement_count != 1) return false;
        body = body->statements[0];
    }
    look->depth--;
    bool safe = body->kind == STATEMENT_RETURN && body->expr && is_safe(body->expr, look);
    look->depth++;
    return safe;
}

static bool is_safe_operator(enum op op) {
    return op != OP_DIV && op != OP_MOD && op != OP_POW && op != OP_SHL && op != OP_SHR;
}

static bool is_safe(const struct expr *expr, struct look *look) {
    struct range range;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL:
    case EXPR_NAME:
    case EXPR_DEADLOCK: return true;
    case EXPR_UNARY:
    case EXPR_QUANTIFY: return is_safe(expr->child[0], look);
    case EXPR_BINARY:
        return is_safe_operator(expr->op) && is_safe(expr->child[0], look) &&
               is_safe(expr->child[1], look);
    case EXPR_COND:
        return is_safe(expr->child[0], look) && is_safe(expr->child[1], look) &&
               is_safe(expr->child[2], look);
    case EXPR_FIELD: return is_safe(expr->child[0], look);
    case EXPR_INDEX:
        return is_safe(expr->child[0], look) && is_safe(expr->child[1], look) &&
               expr->child[0]->type && type_strip(expr->child[0]->type)->kind == TYPE_ARRAY &&
               range_of_index(type_strip(expr->child[0]->type), &range) &&
               fits(expr->child[1], &range);
    case EXPR_CALL: return is_safe_call(expr, look);
    default: return false;
    }
}

bool expr_cannot_fail(const struct expr *expr) {
    struct look look = {MAX_CALLS, MAX_LOOKS};
    bool is_certain = is_safe(expr, &look);
    assert(look.depth == MAX_CALLS && look.rest <= MAX_LOOKS);
    return is_certain;
}

bool expr_is_never_negative(const struct expr *expr) {
    struct range range;
    if (expr->type && type_strip(expr->type)->kind == TYPE_BOOL) return true;
    if (expr->kind == EXPR_COND)
        return expr_is_never_negative(expr->child[1]) && expr_is_never_negative(expr->child[2]);
    return range_of_expr(expr, &range) && range.lower >= 0 && range.upper <= PLAIN_MOST;
}

bool expr_takes_sums(const struct expr *place) {
    struct range range;
    if (!place->type || type_strip(place->type)->kind != TYPE_INT) return false;
    return range_of_expr(place, &range) && range.lower >= INT32_MIN + PLAIN_MOST &&
           range.upper <= INT32_MAX - PLAIN_MOST;
}
