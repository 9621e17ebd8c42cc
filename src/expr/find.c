/* Walks over expressions that look and change nothing. */
#include "expr/find.h"

#include "base/map.h"
#include "base/str.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"

/* Under: by its own value only, nothing is evaluated. */
bool expr_is_true(const struct expr *expr) {
    int64_t value;
    return !expr || (expr_is_constant(expr, &value) && value != 0);
}

bool expr_is_false(const struct expr *expr) {
    int64_t value;
    return expr && expr_is_constant(expr, &value) && value == 0;
}

/* A literal, or the name of a constant whose value is known; under for all else. */
bool expr_is_constant(const struct expr *expr, int64_t *value) {
    if (expr->kind == EXPR_INT || expr->kind == EXPR_BOOL) {
        *value = expr->value;
        return true;
    }
    if (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->has_value) {
        *value = expr->symbol->value;
        return true;
    }
    if (expr->kind == EXPR_UNARY && expr->op == OP_NEG && expr->child[0]->kind == EXPR_INT) {
        *value = -(int64_t)expr->child[0]->value;
        return *value <= INT32_MAX; /* or it wraps */
    }
    return false;
}

/* Under: what is an int by its type may have no other values as well. */
bool expr_is_boolean(const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_BOOL: return true;
    case EXPR_INT: return expr->value == 0 || expr->value == 1;
    case EXPR_UNARY: return expr->op == OP_NOT;
    case EXPR_BINARY: return (expr->op >= OP_LT && expr->op <= OP_NE) || expr->op >= OP_AND;
    case EXPR_QUANTIFY: return expr->op != OP_SUM;
    case EXPR_COND: return expr_is_boolean(expr->child[1]) && expr_is_boolean(expr->child[2]);
    default: {
        const struct type *type = type_strip(expr->type);
        return type && type->kind == TYPE_BOOL;
    }
    }
}

static bool type_equal_names(const struct expr *left, const struct expr *right) {
    return !left || !right ? left == right : expr_equal(left, right);
}

static bool quantifier_equal(const struct expr *left, const struct expr *right) {
    const struct type *a = left->bound->type, *b = right->bound->type;
    if (left->bound == right->bound) return expr_equal(left->child[0], right->child[0]);
    return left->bound->name == right->bound->name && a->kind == b->kind &&
           a->symbol == b->symbol && type_equal_names(a->lower, b->lower) &&
           type_equal_names(a->upper, b->upper) && type_equal_names(a->size, b->size) &&
           expr_equal(left->child[0], right->child[0]);
}

bool expr_equal(const struct expr *left, const struct expr *right) {
    if (left == right) return true;
    if (!left || !right) return false;
    int64_t a, b;
    if (expr_is_constant(left, &a) && expr_is_constant(right, &b)) return a == b;
    if (left->kind != right->kind || left->op != right->op ||
        left->argument_count != right->argument_count || left->modes != right->modes)
        return false;
    switch (left->kind) {
    case EXPR_NAME:
        if (left->symbol == right->symbol) return true;
        /* Bound variables and selects of different edges are the same by name. */
        return left->name == right->name && left->symbol && right->symbol &&
               left->symbol->scope == SCOPE_FRAME && right->symbol->scope == SCOPE_FRAME;
    case EXPR_FIELD:
        return left->name == right->name && expr_equal(left->child[0], right->child[0]);
    case EXPR_QUANTIFY: return quantifier_equal(left, right);
    default: break;
    }
    for (int i = 0; i < 3; i++)
        if (left->child[i] != right->child[i] &&
            (!left->child[i] || !right->child[i] || !expr_equal(left->child[i], right->child[i])))
            return false;
    for (uint32_t i = 0; i < left->argument_count; i++)
        if (!expr_equal(left->arguments[i], right->arguments[i])) return false;
    return true;
}

uint32_t expr_size(const struct expr *expr, uint32_t limit) {
    uint32_t size = 1;
    if (!expr) return 0;
    for (int i = 0; i < 3 && size <= limit; i++) size += expr_size(expr->child[i], limit - size);
    for (uint32_t i = 0; i < expr->argument_count && size <= limit; i++)
        size += expr_size(expr->arguments[i], limit - size);
    return size;
}

uint64_t expr_hash(const struct expr *expr) {
    int64_t value;
    if (!expr) return 0;
    if (expr_is_constant(expr, &value)) return hash_mix(1, (uint64_t)value);
    uint64_t hash = hash_mix((uint64_t)expr->kind + 2, (uint64_t)expr->op);
    switch (expr->kind) {
    case EXPR_NAME: return hash_mix(hash, map_key(expr->symbol ? expr->symbol->name : expr->name));
    case EXPR_FIELD:
        return hash_mix(hash_mix(hash, map_key(expr->name)), expr_hash(expr->child[0]));
    case EXPR_QUANTIFY: return hash_mix(hash, expr_hash(expr->child[0]));
    default: break;
    }
    for (int i = 0; i < 3; i++) hash = hash_mix(hash, expr_hash(expr->child[i]));
    for (uint32_t i = 0; i < expr->argument_count; i++)
        hash = hash_mix(hash, expr_hash(expr->arguments[i]));
    return hash;
}

static bool may_fail_itself(const void *context, const struct expr *expr) {
    (void)context;
    int64_t value;
    if (expr_traits(expr->kind)->may_fail) return true;
    if (expr->kind != EXPR_BINARY) return false;
    if (expr->op == OP_POW || expr->op == OP_SHL || expr->op == OP_SHR) return true;
    return (expr->op == OP_DIV || expr->op == OP_MOD) &&
           !(expr_is_constant(expr->child[1], &value) && value != 0);
}

bool expr_can_fault(const struct expr *expr) { return expr_any(expr, may_fail_itself, NULL); }

static bool has_effect_itself(const void *context, const struct expr *expr) {
    (void)context;
    return expr_traits(expr->kind)->changes ||
           (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function &&
            expr->symbol->function->changes_outside);
}

bool expr_has_effect(const struct expr *expr) { return expr_any(expr, has_effect_itself, NULL); }

static bool is_name_of(const void *symbol, const struct expr *expr) {
    return expr->kind == EXPR_NAME && expr->symbol == symbol;
}

/* By this very symbol; another name of the variable does not count. */
bool expr_mentions(const struct expr *expr, const struct symbol *symbol) {
    return expr_any(expr, is_name_of, symbol);
}

/* A call of a function that looks at more than its arguments. */
static bool reads_through_call(const struct expr *expr) {
    return expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function &&
           !expr->symbol->function->is_compile_time;
}

bool symbols_may_alias(const struct symbol *left, const struct symbol *right) {
    if (left == right) return true;
    bool left_shared = left->is_reference || left->scope == SCOPE_GLOBAL;
    bool right_shared = right->is_reference || right->scope == SCOPE_GLOBAL;
    return (left->is_reference || right->is_reference) && left_shared && right_shared;
}

static bool may_be_alias(const void *symbol, const struct expr *expr) {
    return reads_through_call(expr) ||
           (expr->kind == EXPR_NAME && expr->symbol && symbols_may_alias(expr->symbol, symbol));
}

bool expr_mentions_alias(const struct expr *expr, const struct symbol *symbol) {
    return expr_any(expr, may_be_alias, symbol);
}

static bool reads_shared(const void *context, const struct expr *expr) {
    (void)context;
    const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->symbol : NULL;
    if (reads_through_call(expr)) return true;
    return symbol &&
           (symbol->is_reference || (symbol->kind == SYMBOL_VARIABLE &&
                                     symbol->scope == SCOPE_GLOBAL && !symbol_is_const(symbol)));
}

bool expr_depends_on_shared(const struct expr *expr) { return expr_any(expr, reads_shared, NULL); }

static bool is_namesake(const void *context, const struct expr *expr) {
    const struct symbol *bound = context;
    return expr->kind == EXPR_NAME && expr->symbol != bound && strcmp(expr->name, bound->name) == 0;
}

bool expr_is_captured(const struct expr *body, const struct symbol *bound) {
    return expr_any(body, is_namesake, bound);
}

/* Placeholders are the only select symbols without a declaration of their own in the model: they
 * have no span. */
static bool is_placeholder(const void *context, const struct expr *expr) {
    (void)context;
    return expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind == SYMBOL_SELECT &&
           !expr->symbol->span.begin;
}

bool expr_has_unknown(const struct expr *expr) { return expr_any(expr, is_placeholder, NULL); }

bool type_has_scalar(const struct type *type) {
    type = type_strip(type);
    if (type->kind == TYPE_ARRAY)
        return (type->index && type_strip(type->index)->kind == TYPE_SCALAR) ||
               type_has_scalar(type->element);
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type_has_scalar(type->fields[i].type)) return true;
    return type->kind == TYPE_SCALAR;
}

static bool is_clock(const void *context, const struct expr *expr) {
    (void)context;
    bool is_name = expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD;
    return is_name && expr->symbol && symbol_is_clock(expr->symbol);
}

bool expr_names_clock(const struct expr *expr) { return expr && expr_any(expr, is_clock, NULL); }

static bool is_of_coalition(const void *context, const struct expr *expr) {
    (void)context;
    return expr->kind == EXPR_ABLE || expr->kind == EXPR_ABLE_UNTIL;
}

bool expr_asks_coalition(const struct expr *expr) { return expr_any(expr, is_of_coalition, NULL); }
