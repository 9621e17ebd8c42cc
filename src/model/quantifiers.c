#include "model/quantifiers.h"

#include "lang/syntax/walk.h"

struct empty_search {
    struct environment *environment;
    const struct binding *locals;
    const struct expr *found;
};

static bool visit(void *context, const struct expr *expr) {
    struct empty_search *search = context;
    if (expr->kind == EXPR_QUANTIFY &&
        !eval_shape_in(search->environment, search->locals, expr->bound->type))
        search->found = expr;
    return !search->found;
}

const struct expr *empty_quantifier_of_model(struct environment *environment,
                                             const struct model *model) {
    struct empty_search search = {.environment = environment};
    walk_functions_and_hooks(&model->declarations, visit, &search);
    walk_functions_and_hooks(&model->system_declarations, visit, &search);
    return search.found;
}

const struct expr *empty_quantifier(struct environment *environment,
                                    const struct template *template, const struct binding *locals) {
    struct empty_search search = {environment, locals, NULL};
    walk_functions(&template->declarations, visit, &search);
    for (uint32_t i = 0; i < template->edge_count; i++)
        walk_labels(&template->edges[i], visit, &search);
    for (uint32_t i = 0; i < template->location_count; i++)
        walk_expr(template->locations[i].written_invariant, visit, &search);
    return search.found;
}
