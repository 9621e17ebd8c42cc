/* The functions whose results have to agree on the values of a class: one for each edge and
 * invariant that is reached, and one for each predicate of a query. */
#include "classes/solve_internal.h"

#include "approx/labels/label_run.h"
#include "expr/build.h"
#include "expr/substitute.h"

#include <assert.h>

/* Parts of the predicates of all queries together (V12). */
enum { MOST_PARTS = 1000 };

/* Some labels count as read at all times: weights, and guards and synchronisations after a
 * branchpoint, because it is open when these are evaluated. */

static void tell_apart_everywhere(void *context, const struct binding *binding,
                                  const struct effect *effect) {
    struct class_solver *solver = context;
    const uint32_t *slots = &solver->network->slot_of[binding->address];
    uint32_t count = points_count_of(solver->points, slots[0]);
    for (uint32_t n = 0; effect->reads && n < count; n++) {
        const struct point_group *group = points_at(solver->points, slots[0], n)->group;
        for (uint32_t k = 0; group->merged_count && k < binding->shape->cell_count; k++)
            points_tell_apart(solver->points, slots[k], n);
    }
}

static void observe_expr(struct class_solver *solver, const struct process *process,
                         const struct expr *expr) {
    struct effects effects = {0};
    struct effects_table table = solver->network->effects;
    if (!expr) return;
    table.arena = &solver->arena;
    effects_add_expr(&table, &effects, expr);
    each_variable(solver->network, process, &effects, tell_apart_everywhere, solver);
}

static void add_function(struct class_solver *solver, enum function_kind kind,
                         const struct process *process, const struct edge *edge,
                         uint32_t location) {
    assert(process && (edge ? location == edge->source : kind == FUNCTION_INVARIANT));
    assert(edge || location < process->template->location_count);
    VEC_PUSH(&solver->arena, &solver->functions,
             (struct function_part){.kind = kind,
                                    .process = process,
                                    .edge = edge,
                                    .location = location,
                                    .number = solver->functions.count});
}

/* A part of an edge that may name what has its points by another process, or a shared variable that
 * is keyed: it may be exchanged by a sender that does not name it. */
struct naming_search {
    const struct class_solver *solver;
    const struct process *process;
    bool has_found;
};

static void look_for_foreign(void *context, const struct binding *binding,
                             const struct effect *effect) {
    struct naming_search *search = context;
    const struct network *network = search->solver->network;
    uint32_t slot = network->slot_of[binding->address];
    const struct process *owner = points_owner(search->solver->points, slot);
    (void)effect;
    if (!slot_is_shared(network, slot)) return;
    const struct point_keys *keys = search->solver->points->keys;
    search->has_found |= (owner && owner != search->process) || (keys && keys->strides[slot] > 1);
}

static bool names_foreign(const struct class_solver *solver, const struct process *process,
                          const struct edge_labels *effects) {
    struct naming_search search = {.solver = solver, .process = process};
    each_variable(solver->network, process, &effects->guard_effects, look_for_foreign, &search);
    each_variable(solver->network, process, &effects->sync_effects, look_for_foreign, &search);
    each_variable(solver->network, process, &effects->update_effects, look_for_foreign, &search);
    return search.has_found;
}

/* Whether the update is a function of its own: it may find other values than guard and channel have
 * found, or another location of the tracker of a variable that a receiver names, as the tracker may
 * send. */
static bool is_taken_apart(const struct class_solver *solver, const struct process *process,
                           const struct edge *edge) {
    const struct network *network = solver->network;
    const struct template *template = process->template;
    bool receives = edge->sync && !edge->is_send;
    return network->before_update.list.count ||
           (receives && (label_run_is_within_step(solver->analysis, template, edge) ||
                         names_foreign(solver, process, labels_of_edge(network, template, edge))));
}

static void add_edge(struct class_solver *solver, const struct process *process,
                     const struct edge *edge, bool is_alone) {
    observe_expr(solver, process, edge->weight);
    if (is_alone) {
        add_function(solver, FUNCTION_ERRORS, process, edge, edge->source);
    } else if (edge->leaves_branchpoint) {
        observe_expr(solver, process, guard_of_edge(solver->network, process->template, edge));
        observe_expr(solver, process, edge->sync);
        add_function(solver, FUNCTION_UPDATE, process, edge, edge->source);
    } else if (is_taken_apart(solver, process, edge)) {
        add_function(solver, FUNCTION_READINESS, process, edge, edge->source);
        add_function(solver, FUNCTION_UPDATE, process, edge, edge->source);
    } else {
        add_function(solver, FUNCTION_EDGE, process, edge, edge->source);
    }
}

/* Where an invariant has kept values out of the sets (A7), or all of them, so that the location is
 * not reached, it is not asked with all values that steps into the location come with: then what it
 * reads counts as told apart. */
static void add_invariant(struct class_solver *solver, const struct process *process,
                          uint32_t location) {
    const struct template *template = process->template;
    const struct analysis *analysis = solver->analysis;
    if (analysis->invariant_blocks[template->index][location] ||
        !analysis->processes[process->index].locations[location].is_reached)
        observe_expr(solver, process, invariant_at(solver->network, template, location));
    else
        add_function(solver, FUNCTION_INVARIANT, process, NULL, location);
}

void solver_add_functions(struct class_solver *solver) {
    const struct network *network = solver->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        const struct template *template = process->template;
        const struct process_domain *domain = &solver->analysis->processes[p];
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (domain->locations[template->edges[i].source].is_reached &&
                !edge_is_off(network, template, &template->edges[i]))
                add_edge(solver, process, &template->edges[i], domain->is_alone[i]);
        for (uint32_t l = 0; l < template->location_count; l++)
            if (invariant_at(network, template, l)) add_invariant(solver, process, l);
    }
}

/* V1: the predicate as a whole, or the value of an expression. */
static void add_observation(struct class_solver *solver, const struct expr *expr) {
    if (expr)
        VEC_PUSH(&solver->arena, &solver->functions,
                 (struct function_part){.kind = FUNCTION_OBSERVATION,
                                        .expr = expr,
                                        .number = solver->functions.count});
}

void solver_add_queries(struct class_solver *solver, const struct query *queries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        add_observation(solver, queries[i].predicate);
        for (uint32_t k = 0; k < queries[i].expr_count; k++)
            add_observation(solver, queries[i].exprs[k]);
    }
}

/* V12: what takes too many runs as a whole is observed by its parts. That is finer: where no part
 * differs, the whole does not. */

static void add_part(struct class_solver *solver, const struct expr *expr) {
    add_observation(solver, expr);
    assert(solver->functions.count && expr);
    solver->functions.items[solver->functions.count - 1].is_part = true;
}

/* False if there are too many, or nobody knows how many. */
static bool add_bodies(struct class_solver *solver, const struct expr *expr) {
    const struct shape *shape = eval_shape_in(&solver->runs.environment, NULL, expr->bound->type);
    if (!shape || shape->kind != SHAPE_CELL ||
        (int64_t)shape->upper - shape->lower >= MOST_PARTS - (int64_t)solver->part_count)
        return false;
    for (int64_t value = shape->lower; value <= shape->upper; value++, solver->part_count++) {
        struct expr *number = build_int(&solver->arena, value);
        number->span = expr->span;
        add_part(solver, expr_substitute(&solver->arena, expr->child[0], expr->bound, number));
    }
    return true;
}

/* False if the predicate has no parts. */
static bool add_parts(struct class_solver *solver, const struct expr *expr) {
    if (expr->kind == EXPR_QUANTIFY && expr->op != OP_SUM) return add_bodies(solver, expr);
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) return add_parts(solver, expr->child[0]);
    bool is_joint = expr->kind == EXPR_BINARY && op_is_connective(expr->op);
    if (!is_joint) return false;
    add_part(solver, expr->child[0]);
    add_part(solver, expr->child[1]);
    return true;
}

bool solver_split(struct class_solver *solver, const struct function_part *function) {
    ptrdiff_t at = function - solver->functions.items; /* which move */
    assert(at >= 0 && (size_t)at < solver->functions.count && !function->is_split);
    if (function->kind != FUNCTION_OBSERVATION || !add_parts(solver, function->expr)) return false;
    solver->functions.items[at].is_split = true;
    return true;
}
