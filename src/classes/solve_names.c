/* The variables that a function names, and the points where it finds them. */
#include "classes/solve_internal.h"

#include "approx/labels/relevance.h"
#include "lang/syntax/walk.h"

#include <assert.h>

struct variable_points variable_of(const struct class_solver *solver,
                                   const struct binding *binding) {
    return (struct variable_points){solver->points, &solver->network->slot_of[binding->address],
                                    binding->shape->cell_count, 0};
}

void each_point_before(const struct class_solver *solver, const struct function_part *function,
                       const struct binding *binding, variable_points_found found, void *context) {
    struct variable_points variable = variable_of(solver, binding);
    uint32_t slot = variable.slots[0];
    assert(slot != NO_SLOT && variable.count);
    const struct process *owner = points_owner(solver->points, slot);
    const struct value_set *locations = tracker_locations(solver->points, function, slot);
    bool is_anywhere = owner && function->kind == FUNCTION_OBSERVATION;
    uint64_t count = locations     ? value_set_size(locations)
                     : is_anywhere ? owner->template->location_count
                                   : 1;
    for (uint32_t i = 0; i < count; i++) {
        variable.number = locations     ? (uint32_t)value_set_at(locations, i)
                          : is_anywhere ? i
                                        : point_before(solver->points, function, slot);
        found(context, variable);
    }
}

/* All that a query names, of every process that has it. */

struct naming {
    struct effects_table table;
    struct effects effects;
};

static bool name_symbol(void *context, const struct expr *expr) {
    struct naming *naming = context;
    bool is_variable = expr->symbol && (expr->symbol->kind == SYMBOL_VARIABLE ||
                                        expr->symbol->kind == SYMBOL_PARAMETER);
    if (is_variable && !effects_find(&naming->effects, expr->symbol))
        VEC_PUSH(naming->table.arena, &naming->effects.list,
                 (struct effect){.symbol = expr->symbol, .reads = true});
    if (expr->kind != EXPR_CALL || !expr->symbol || !expr->symbol->function) return true;
    const struct effects *own = effects_of_function(&naming->table, expr->symbol->function);
    for (uint32_t i = 0; i < own->list.count; i++) {
        struct effect read = own->list.items[i];
        read.reads = true;
        if (!effects_find(&naming->effects, read.symbol))
            VEC_PUSH(naming->table.arena, &naming->effects.list, read);
    }
    return true;
}

/* Whether the processes of the template know what the symbol is bound to. */
static bool has_symbol(const struct template *template, const struct symbol *symbol) {
    if (symbol->scope == SCOPE_GLOBAL) return true;
    return symbol->scope == SCOPE_TEMPLATE && symbol->index < template->symbol_count &&
           template->symbols[symbol->index] == symbol;
}

static void each_observed(struct class_solver *solver, const struct expr *expr,
                          variable_found found, void *context) {
    const struct network *network = solver->network;
    struct naming naming = {.table = network->effects};
    naming.table.arena = &solver->arena;
    walk_expr(expr, name_symbol, &naming);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        struct effects own = {0};
        for (uint32_t i = 0; i < naming.effects.list.count; i++)
            if (has_symbol(process->template, naming.effects.list.items[i].symbol))
                VEC_PUSH(&solver->arena, &own.list, naming.effects.list.items[i]);
        each_variable(network, process, &own, found, context);
    }
}

void each_variable_of(struct class_solver *solver, const struct function_part *function,
                      variable_found found, void *context) {
    const struct network *network = solver->network;
    if (function->kind == FUNCTION_OBSERVATION) {
        each_observed(solver, function->expr, found, context);
        return;
    }
    const struct template *template = function->process->template;
    assert((function->kind == FUNCTION_INVARIANT) == !function->edge);
    if (function->kind == FUNCTION_INVARIANT) {
        const struct effects *conjuncts =
            solver->analysis->summary->invariants[template->index][function->location];
        uint32_t count = conjunct_count(invariant_at(network, template, function->location));
        for (uint32_t i = 0; i < count; i++)
            each_variable(network, function->process, &conjuncts[i], found, context);
        return;
    }
    const struct edge_labels *edge = labels_of_edge(network, template, function->edge);
    if (function->kind != FUNCTION_UPDATE) {
        each_variable(network, function->process, &edge->guard_effects, found, context);
        each_variable(network, function->process, &edge->sync_effects, found, context);
    }
    if (function->kind != FUNCTION_READINESS && function->kind != FUNCTION_ERRORS)
        each_variable(network, function->process, &edge->update_effects, found, context);
}
