#include "model/quantifiers.h"

#include "lang/syntax/walk.h"

struct quantifier_check {
    struct environment *environment;
    const struct binding *locals; /* of a process, or NULL */
    const struct expr *found;
};

static bool visit_quantifier(void *context, const struct expr *expr) {
    struct quantifier_check *check = context;
    if (expr->kind == EXPR_QUANTIFY &&
        !eval_shape_in(check->environment, check->locals, expr->bound->type))
        check->found = expr;
    return !check->found;
}

bool quantifiers_have_values(const struct network *network, struct environment *environment) {
    const struct model *model = network->model;
    struct quantifier_check check = {.environment = environment};
    walk_functions_and_hooks(&model->declarations, visit_quantifier, &check);
    walk_functions_and_hooks(&model->system_declarations, visit_quantifier, &check);
    for (uint32_t p = 0; p < network->process_count && !check.found; p++) {
        const struct template *template = network->processes[p].template;
        check.locals = network->processes[p].locals;
        walk_functions(&template->declarations, visit_quantifier, &check);
        for (uint32_t i = 0; i < template->edge_count; i++)
            walk_labels(&template->edges[i], visit_quantifier, &check);
        for (uint32_t i = 0; i < template->location_count; i++)
            walk_expr(template->locations[i].written_invariant, visit_quantifier, &check);
    }
    return !check.found ||
           diag_error(
               model->diag, STATUS_UNSUPPORTED, check.found->bound->span.begin,
               "the range of '%s' has no values%s; quantifiers over nothing are not supported",
               check.found->bound->name, check.locals ? " in some process" : "");
}
