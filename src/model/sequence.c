/* Effects of operands, arguments and sides are compared in pairs: a write in one, a use in the
 * other. */
#include "model/sequence.h"

#include "expr/find.h"
#include "lang/syntax/walk.h"

enum { MAX_SIZE = 1 << 10 }; /* nodes: parts are looked at again by each node around them */

struct collision_search {
    struct effects_table *table;
    const struct expr *found;
};

/* Whether one changes what the other reads or changes. */
static bool collide(const struct effects *left, const struct effects *right) {
    for (uint32_t i = 0; i < left->list.count; i++)
        for (uint32_t k = 0; k < right->list.count; k++) {
            const struct effect *one = &left->list.items[i], *other = &right->list.items[k];
            if ((one->writes || other->writes) && symbols_may_alias(one->symbol, other->symbol))
                return true;
        }
    return false;
}

/* What is done to find a place: its indices are evaluated, its value is not looked at. */
static void add_place(struct effects_table *table, struct effects *effects,
                      const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_NAME: break;
    case EXPR_FIELD: add_place(table, effects, expr->child[0]); break;
    case EXPR_INDEX:
        add_place(table, effects, expr->child[0]);
        effects_add_expr(table, effects, expr->child[1]);
        break;
    case EXPR_COND:
        effects_add_expr(table, effects, expr->child[0]);
        add_place(table, effects, expr->child[1]);
        add_place(table, effects, expr->child[2]);
        break;
    default: effects_add_expr(table, effects, expr); break;
    }
}

static bool assignment_collides(struct effects_table *table, const struct expr *expr) {
    struct effects left = {0}, right = {0};
    if (expr->op == OP_ASSIGN)
        add_place(table, &left, expr->child[0]);
    else
        effects_add_expr(table, &left, expr->child[0]);
    effects_add_expr(table, &right, expr->child[1]);
    return collide(&left, &right);
}

static bool index_collides(struct effects_table *table, const struct expr *expr) {
    struct effects array = {0}, index = {0};
    add_place(table, &array, expr->child[0]);
    effects_add_expr(table, &index, expr->child[1]);
    return collide(&array, &index);
}

static bool operands_collide(struct effects_table *table, const struct expr *expr) {
    struct effects left = {0}, right = {0};
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLY) return false;
    effects_add_expr(table, &left, expr->child[0]);
    effects_add_expr(table, &right, expr->child[1]);
    return collide(&left, &right);
}

/* Each argument with all before it. */
static bool arguments_collide(struct effects_table *table, const struct expr *expr) {
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    struct effects before = {0};
    for (uint32_t i = 0; function && i < expr->argument_count; i++) {
        struct effects own = {0};
        bool is_place = i < function->parameter_count && function->parameters[i]->is_reference;
        if (is_place)
            add_place(table, &own, expr->arguments[i]);
        else
            effects_add_expr(table, &own, expr->arguments[i]);
        if (collide(&before, &own)) return true;
        for (uint32_t k = 0; k < own.list.count; k++)
            VEC_PUSH(table->arena, &before.list, own.list.items[k]);
    }
    return false;
}

static bool look(void *user, const struct expr *expr) {
    struct collision_search *search = user;
    bool collides = false;
    if (search->found || !expr_has_effect(expr)) return false;
    switch (expr->kind) {
    case EXPR_ASSIGN: collides = assignment_collides(search->table, expr); break;
    case EXPR_BINARY: collides = operands_collide(search->table, expr); break;
    case EXPR_INDEX: collides = index_collides(search->table, expr); break;
    case EXPR_CALL: collides = arguments_collide(search->table, expr); break;
    default: break;
    }
    if (collides) search->found = expr;
    return !collides;
}

const struct expr *sequence_matters(struct effects_table *table, const struct expr *expr) {
    struct collision_search search = {table, NULL};
    if (expr_size(expr, MAX_SIZE) <= MAX_SIZE) walk_expr(expr, look, &search);
    return search.found;
}
