/* Expressions: which places meet. */
#include "symmetry/infer_internal.h"

#include "symmetry/fail.h"

#include <assert.h>

static const char *const computed = "it is used as a number";

static const struct sort_tree *plain_of(struct sorts *sorts, const struct expr *expr,
                                        const char *why) {
    tree_break(sorts, infer_expr(sorts, expr), why, expr->span);
    return sorts->plain;
}

void infer_truth(struct sorts *sorts, const struct expr *expr) {
    const struct sort_tree *tree = infer_expr(sorts, expr);
    if (tree->kind == SORT_CELL && tree->variable != sorts->plain->variable)
        sort_cut_at(sorts, tree->variable, 0, 0, expr->span);
}

void infer_effects(struct sorts *sorts, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) infer_expr(sorts, list->items[i]);
}

/* ---- names and places ---- */

static const struct sort_tree *infer_number(struct sorts *sorts, const struct expr *expr,
                                            int64_t value) {
    struct sort_literal *literal = map_get(&sorts->literals, map_key(expr));
    if (!literal) {
        literal = ARENA_NEW(sorts->arena, struct sort_literal);
        *literal = (struct sort_literal){sort_new(sorts), value};
        map_put(&sorts->literals, map_key(expr), literal);
        VEC_PUSH(sorts->arena, &sorts->literal_list, literal);
    }
    assert(literal->value == value); /* looked at again, it says the same */
    return tree_of_cell(sorts, literal->variable);
}

static const struct sort_tree *infer_name(struct sorts *sorts, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    if (!symbol || !symbol->type || symbol->kind == SYMBOL_LOCATION ||
        symbol->kind == SYMBOL_INSTANCE || symbol->kind == SYMBOL_TEMPLATE)
        return sorts->plain;
    return tree_of_symbol(sorts, symbol);
}

static const struct sort_tree *infer_index(struct sorts *sorts, const struct expr *expr) {
    const struct sort_tree *base = infer_expr(sorts, expr->child[0]);
    const struct sort_tree *index = infer_expr(sorts, expr->child[1]);
    if (base->kind != SORT_ARRAY || index->kind != SORT_CELL) {
        tree_break(sorts, base, computed, expr->span);
        tree_break(sorts, index, computed, expr->span);
        return sorts->plain;
    }
    sort_join(sorts, base->variable, index->variable, expr->child[1]->span);
    return base->element;
}

static const struct sort_tree *infer_field(struct sorts *sorts, const struct expr *expr) {
    const struct sort_tree *base = infer_expr(sorts, expr->child[0]);
    if (expr_is_process(expr->child[0])) {
        const struct symbol *member = expr->symbol;
        bool is_valued = member && member->type && member->kind != SYMBOL_LOCATION;
        return is_valued ? tree_of_symbol(sorts, member) : sorts->plain;
    }
    if (base->kind == SORT_STRUCT && expr->field_index < base->field_count)
        return base->fields[expr->field_index];
    tree_break(sorts, base, computed, expr->span);
    return sorts->plain;
}

/* ---- operators ---- */

static const struct sort_tree *shifted(struct sorts *sorts, const struct expr *expr, int64_t by) {
    const struct sort_tree *tree = infer_expr(sorts, expr);
    if (tree->kind != SORT_CELL) return plain_of(sorts, expr, computed);
    if (tree->variable == sorts->plain->variable) return sorts->plain;
    return tree_of_cell(sorts, sort_shifted(sorts, tree->variable, by));
}

/* Smaller than a constant, or not. */
static void cut_at(struct sorts *sorts, const struct expr *expr, enum op op, int64_t value) {
    const struct sort_tree *tree = infer_expr(sorts, expr);
    bool is_included = op == OP_LE || op == OP_GT;
    if (tree->kind != SORT_CELL || tree->variable == sorts->plain->variable) return;
    sort_cut_at(sorts, tree->variable, SORT_NEVER, is_included ? value : value - 1, expr->span);
}

static void infer_comparison(struct sorts *sorts, const struct expr *expr) {
    static const char *const compared = "two of its values are compared by size";
    static const enum op mirrored[] = {
        [OP_LT] = OP_GT, [OP_LE] = OP_GE, [OP_GE] = OP_LE, [OP_GT] = OP_LT};
    int64_t value;
    assert(expr->op >= OP_LT && expr->op <= OP_GT);
    if (number_in_text(expr->child[1], &value)) {
        cut_at(sorts, expr->child[0], expr->op, value);
    } else if (number_in_text(expr->child[0], &value)) {
        cut_at(sorts, expr->child[1], mirrored[expr->op], value);
    } else {
        plain_of(sorts, expr->child[0], compared);
        plain_of(sorts, expr->child[1], compared);
    }
}

static const struct sort_tree *infer_binary(struct sorts *sorts, const struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    int64_t value;
    switch (expr->op) {
    case OP_ADD:
    case OP_SUB:
        if (number_in_text(right, &value))
            return shifted(sorts, left, expr->op == OP_ADD ? value : -value);
        if (expr->op == OP_ADD && number_in_text(left, &value)) return shifted(sorts, right, value);
        break;
    case OP_EQ:
    case OP_NE:
        tree_join(sorts, infer_expr(sorts, left), infer_expr(sorts, right), expr->span);
        return sorts->plain;
    case OP_LT:
    case OP_LE:
    case OP_GE:
    case OP_GT: infer_comparison(sorts, expr); return sorts->plain;
    case OP_AND:
    case OP_OR:
    case OP_IMPLY:
    case OP_XOR:
        infer_truth(sorts, left);
        infer_truth(sorts, right);
        return sorts->plain;
    default: break;
    }
    plain_of(sorts, left, computed);
    plain_of(sorts, right, computed);
    return sorts->plain;
}

static const struct sort_tree *infer_assignment(struct sorts *sorts, const struct expr *expr) {
    const struct sort_tree *target = infer_expr(sorts, expr->child[0]);
    if (expr->op == OP_ASSIGN) {
        tree_join(sorts, target, infer_expr(sorts, expr->child[1]), expr->span);
        return target;
    }
    tree_break(sorts, target, "it is computed", expr->span);
    return plain_of(sorts, expr->child[1], computed);
}

static const struct sort_tree *infer_condition(struct sorts *sorts, const struct expr *expr) {
    infer_truth(sorts, expr->child[0]);
    const struct sort_tree *tree = infer_expr(sorts, expr->child[1]);
    tree_join(sorts, tree, infer_expr(sorts, expr->child[2]), expr->span);
    return tree;
}

static const struct sort_tree *infer_call(struct sorts *sorts, const struct expr *expr) {
    const struct symbol *symbol = expr->symbol;
    struct symbol *const *parameters = NULL;
    bool is_function = symbol && symbol->kind == SYMBOL_FUNCTION;
    assert(!is_function || symbol->function->parameter_count == expr->argument_count);
    if (is_function) parameters = symbol->function->parameters;
    if (symbol && symbol->kind == SYMBOL_TEMPLATE) parameters = symbol->template->parameters;
    if (symbol && symbol->kind == SYMBOL_INSTANCE && symbol->instance) {
        const struct instance *instance = symbol->instance;
        parameters = instance->parameters;
    }
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        const struct sort_tree *tree = infer_expr(sorts, expr->arguments[i]);
        if (parameters)
            tree_join(sorts, tree_of_symbol(sorts, parameters[i]), tree, expr->arguments[i]->span);
        else
            tree_break(sorts, tree, computed, expr->arguments[i]->span);
    }
    return is_function ? tree_of_result(sorts, symbol->function) : sorts->plain;
}

static const struct sort_tree *infer_quantifier(struct sorts *sorts, const struct expr *expr) {
    const struct sort_tree *bound = tree_of_symbol(sorts, expr->bound);
    if (expr->op == OP_SUM)
        plain_of(sorts, expr->child[0], "its values are added up");
    else
        infer_truth(sorts, expr->child[0]);
    if (!expr_cannot_fail(expr->child[0]) && expr->op != OP_SUM)
        tree_break(sorts, bound, "this may fail for one value after another has decided",
                   expr->span);
    return sorts->plain;
}

/* An expression that names nothing: everything in it is a number or a truth value. */
static const struct sort_tree *infer_others(struct sorts *sorts, const struct expr *expr,
                                            const char *why) {
    for (int i = 0; i < 3; i++)
        if (expr->child[i]) plain_of(sorts, expr->child[i], why);
    for (uint32_t i = 0; i < expr->argument_count; i++) plain_of(sorts, expr->arguments[i], why);
    return sorts->plain;
}

const struct sort_tree *infer_expr(struct sorts *sorts, const struct expr *expr) {
    int64_t value;
    if (number_in_text(expr, &value)) return infer_number(sorts, expr, value);
    switch (expr->kind) {
    case EXPR_BOOL:
    case EXPR_DEADLOCK: return sorts->plain;
    case EXPR_NAME: return infer_name(sorts, expr);
    case EXPR_UNARY:
        if (expr->op != OP_NOT) return plain_of(sorts, expr->child[0], computed);
        infer_truth(sorts, expr->child[0]);
        return sorts->plain;
    case EXPR_BINARY: return infer_binary(sorts, expr);
    case EXPR_ASSIGN: return infer_assignment(sorts, expr);
    case EXPR_STEP: return plain_of(sorts, expr->child[0], "it is computed");
    case EXPR_COND: return infer_condition(sorts, expr);
    case EXPR_CALL: return infer_call(sorts, expr);
    case EXPR_INDEX: return infer_index(sorts, expr);
    case EXPR_FIELD: return infer_field(sorts, expr);
    case EXPR_QUANTIFY: return infer_quantifier(sorts, expr);
    case EXPR_PATH:
    case EXPR_UNTIL:
        infer_truth(sorts, expr->child[0]);
        if (expr->child[1]) infer_truth(sorts, expr->child[1]);
        return sorts->plain;
    case EXPR_KNOW:
    case EXPR_ABLE:
    case EXPR_ABLE_UNTIL:
        if (!sorts->refusal) sorts->refused_at = expr->span;
        sorts->refusal = "a query is about what agents know or can do";
        return infer_others(sorts, expr, computed);
    default: return infer_others(sorts, expr, computed);
    }
}
