#include "abstract/cells/quantifier.h"

#include "expr/build.h"
#include "expr/find.h"

#include <assert.h>

/* The body of a quantifier over placeholders of the group, if it reads cells at the bound index and
 * nothing else but constants; NULL otherwise. */
static const struct expr *over_bound(const struct cell_group *group, const struct symbol *bound,
                                     const struct expr *expr) {
    struct arena *arena = group->context->arena;
    struct record_path path;
    if (expr_is_path(expr)) {
        if (record_path_parse(group, expr, &path)) {
            bool is_bound = path.index[0]->kind == EXPR_NAME && path.index[0]->symbol == bound;
            return is_bound ? build_name(arena, group->fields.items[path.field].placeholder) : NULL;
        }
        return expr->kind == EXPR_NAME && expr->symbol && expr->symbol->has_value ? expr : NULL;
    }
    if (expr->kind == EXPR_QUANTIFY || expr->kind == EXPR_CALL || expr_has_effect(expr))
        return NULL;
    struct expr *copy = build_copy(arena, expr);
    for (int i = 0; i < 3; i++)
        if (expr->child[i] &&
            !(copy->child[i] = (struct expr *)over_bound(group, bound, expr->child[i])))
            return NULL;
    return copy;
}

bool quantifier_read(const struct cell_group *group, const struct expr *expr,
                     struct cell_quantifier *found) {
    assert(expr->kind == EXPR_QUANTIFY);
    const struct shape *range = context_shape(group->context, expr->bound->type);
    if (group->dimension_count > 1 || !range || range->kind != SHAPE_CELL || range->is_scalar ||
        range->lower < group->lower[0] ||
        range->upper > group->lower[0] + (int64_t)group->size[0] - 1)
        return false;
    found->is_forall = expr->op == OP_FORALL;
    found->lower = range->lower;
    found->upper = range->upper;
    found->body = over_bound(group, expr->bound, expr->child[0]);
    return found->body && !expr_can_fault(found->body);
}
