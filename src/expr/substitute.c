#include "expr/substitute.h"
#include "expr/build.h"
#include "expr/simplify.h"

const struct expr *expr_substitute(struct arena *arena, const struct expr *expr,
                                   const struct symbol *symbol, const struct expr *value) {
    if (expr->kind == EXPR_NAME) return expr->symbol == symbol ? value : expr;
    struct expr *copy = build_copy(arena, expr);
    for (int i = 0; i < 3; i++)
        if (expr->child[i])
            copy->child[i] = (struct expr *)expr_substitute(arena, expr->child[i], symbol, value);
    if (expr->argument_count) {
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
        for (uint32_t i = 0; i < expr->argument_count; i++)
            copy->arguments[i] =
                (struct expr *)expr_substitute(arena, expr->arguments[i], symbol, value);
    }
    return simplify_node(arena, copy);
}
