/* Templates, instantiations, hooks and queries. */
#include "symmetry/infer_internal.h"

#include "lang/syntax/kinds.h"

#include <assert.h>

static void infer_variables(struct sorts *sorts, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            const struct symbol *symbol = declaration->declarators[k].symbol;
            if (declaration->kind == DECLARATION_VARIABLES && symbol->initialiser)
                infer_initialiser(sorts, tree_of_symbol(sorts, symbol), symbol->initialiser);
        }
        if (declaration->kind == DECLARATION_HOOK) infer_effects(sorts, &declaration->hook);
        for (uint32_t k = 0; k < declaration->priority_count; k++)
            if (declaration->priorities[k].channel)
                infer_expr(sorts, declaration->priorities[k].channel);
    }
}

static void infer_template(struct sorts *sorts, const struct template *template) {
    const struct network *network = sorts->network;
    infer_variables(sorts, &template->declarations);
    for (uint32_t i = 0; i < template->parameter_count; i++)
        tree_of_symbol(sorts, template->parameters[i]);
    for (uint32_t i = 0; i < template->location_count; i++) {
        const struct expr *invariant = invariant_at(network, template, i);
        if (invariant) infer_truth(sorts, invariant);
    }
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        const struct expr *guard = guard_of_edge(network, template, edge);
        for (uint32_t k = 0; k < edge->select_count; k++) tree_of_symbol(sorts, edge->selects[k]);
        if (guard) infer_truth(sorts, guard);
        if (edge->sync) infer_expr(sorts, edge->sync);
        infer_effects(sorts, &edge->updates);
    }
}

/* Arguments meet the parameters they are for, down to the template. */
static void infer_process(struct sorts *sorts, const struct symbol *symbol) {
    while (symbol->kind == SYMBOL_INSTANCE) {
        const struct instance *instance = symbol->instance;
        const struct symbol *base = instance->base;
        assert(base->kind == SYMBOL_TEMPLATE || base->kind == SYMBOL_INSTANCE);
        struct symbol *const *parameters =
            base->kind == SYMBOL_TEMPLATE ? base->template->parameters : base->instance->parameters;
        for (uint32_t i = 0; i < instance->argument_count; i++)
            tree_join(sorts, tree_of_symbol(sorts, parameters[i]),
                      infer_expr(sorts, instance->arguments[i]), instance->arguments[i]->span);
        symbol = base;
    }
}

void infer_model(struct sorts *sorts) {
    const struct network *network = sorts->network;
    const struct model *model = network->model;
    infer_variables(sorts, &model->declarations);
    infer_variables(sorts, &model->system_declarations);
    for (uint32_t i = 0; i < model->process_count; i++)
        infer_process(sorts, model->processes[i].symbol);
    for (uint32_t t = 0; t < model->template_count; t++)
        if (network->processes_of[t].end) infer_template(sorts, model->templates[t]);
    for (uint32_t i = 0; i < sorts->functions.count; i++) /* the list grows */
        infer_function(sorts, sorts->functions.items[i]);
}

void infer_query(struct sorts *sorts, const struct query *query) {
    const struct query_traits *traits = query_traits(query->quantifier);
    uint32_t first = sorts->functions.count;
    if (traits->family == FAMILY_NONE) return;
    if (query->predicate) infer_truth(sorts, query->predicate);
    for (uint32_t i = 0; i < query->expr_count; i++) {
        const struct sort_tree *tree = infer_expr(sorts, query->exprs[i]);
        if (traits->family == FAMILY_BOUNDS)
            tree_break(sorts, tree, "a query asks for its least or greatest value",
                       query->exprs[i]->span);
    }
    for (uint32_t i = first; i < sorts->functions.count; i++)
        infer_function(sorts, sorts->functions.items[i]);
}
