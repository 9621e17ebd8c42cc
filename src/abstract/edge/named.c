#include "abstract/edge/named.h"

#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"

/* Whether two expressions are the same text, whatever the bound variable of a quantifier is
 * called. */
static bool is_same_text(struct context *context, const struct expr *left,
                         const struct expr *right) {
    if (left->kind != EXPR_QUANTIFY || right->kind != EXPR_QUANTIFY || left->op != right->op)
        return expr_equal(left, right);
    const struct shape *one = context_shape(context, left->bound->type);
    const struct shape *other = context_shape(context, right->bound->type);
    if (!one || !other || one->kind != SHAPE_CELL || other->kind != SHAPE_CELL || one->is_scalar ||
        other->is_scalar || one->lower != other->lower || one->upper != other->upper)
        return false;
    return is_same_text(context,
                        expr_substitute(context->arena, left->child[0], left->bound,
                                        build_name(context->arena, right->bound)),
                        right->child[0]);
}

const struct expr *named_ghost(struct context *context, const struct template *template,
                               const struct expr *expr) {
    const struct request *request = context->request;
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        if (!ghost->scope && (!ghost->template || ghost->template == template) &&
            is_same_text(context, expr, ghost->value))
            return build_name(context->arena, ghost->symbol);
    }
    return NULL;
}
