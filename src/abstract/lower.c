#include "abstract/lower.h"

#include "approx/priority.h"
#include "approx/transfer.h"

#include <assert.h>

enum {
    VISITS_PER_BUDGET = 64,     /* of all edges of a group, with a single cell */
    MAX_CELLS = 256,            /* of a group */
    MAX_CELLS_OF_ROWS = 1 << 20 /* of one set */
};

/* What became of the values with which an instance starts. */
struct outcome {
    struct tuple_set in, out; /* that lead into the target's set, and that lead elsewhere */
};

struct lower_group {
    const struct template *template;
    const bool *scope; /* by location; NULL = everywhere */
    struct variable_cell *cells;
    const struct removal **removals; /* by cell */
    uint32_t cell_count;
    struct tuple_set *sets;   /* by location */
    bool *is_known;           /* by location; the others have all values */
    struct outcome *outcomes; /* by edge */
    bool *touches;            /* by edge: it names the group */
    uint32_t **addresses;     /* by process: of the cells */
};

struct lower {
    VEC(struct lower_group *) list;
};

/* One run over the edges of a group. */
struct runner {
    struct transfer transfer;
    struct form_context *context;
    struct lower_group *group;
    struct plan **plans;      /* by process */
    struct value_set *ranges; /* by slot */
    bool *is_in;              /* by slot: of the group */
    struct ranking ranking;
    struct edge_fact fact;
    struct leg leg;
    struct tuple_set source; /* with the addresses of the current process */
    struct tuple_set image;  /* of the current instance */
    struct tuple_set common; /* of all instances so far */
    bool has_instance;
    bool *is_pending;        /* by location: its set has changed */
    struct outcome *outcome; /* NULL while the sets are not final */
    int32_t *before, *after, *key, *last_key;
    uint64_t left; /* cells that may be read */
};

/* Groups */

static bool is_inside(const struct lower_group *group, uint32_t location) {
    return !group->scope || group->scope[location];
}

static bool same_scope(const struct template *template, const bool *left, const bool *right) {
    if (!left || !right) return left == right;
    for (uint32_t i = 0; i < template->location_count; i++)
        if (left[i] != right[i]) return false;
    return true;
}

static bool names_group(const struct lower_group *group, const struct effects *effects) {
    for (uint32_t i = 0; i < effects->list.count; i++)
        for (uint32_t k = 0; k < group->cell_count; k++)
            if (group->cells[k].symbol == effects->list.items[i].symbol) return true;
    return false;
}

static void add_cells(struct arena *arena, struct lower_group *group,
                      const struct removal *removal) {
    uint32_t count = group->cell_count + removal->shape->cell_count;
    struct variable_cell *cells = ARENA_ARRAY(arena, struct variable_cell, count + 1);
    const struct removal **removals = ARENA_ARRAY(arena, const struct removal *, count + 1);
    if (group->cell_count) {
        memcpy(cells, group->cells, group->cell_count * sizeof *cells);
        memcpy(removals, group->removals, group->cell_count * sizeof *removals);
    }
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) {
        if (!removal->is_removed[k]) continue;
        cells[group->cell_count] = (struct variable_cell){removal->symbol, k, false};
        removals[group->cell_count++] = removal;
    }
    group->cells = cells;
    group->removals = removals;
}

static void group_removal(struct form_context *context, const struct removal *removal) {
    struct arena *arena = context->arena;
    struct lower *lower = context->lower;
    const struct template *template = removal->template;
    struct lower_group *group = NULL;
    for (uint32_t i = 0; i < lower->list.count && !group; i++)
        if (lower->list.items[i]->template == template &&
            same_scope(template, lower->list.items[i]->scope, removal->scope))
            group = lower->list.items[i];
    if (!group) {
        group = ARENA_NEW(arena, struct lower_group);
        group->template = template;
        group->scope = removal->scope;
        VEC_PUSH(arena, &lower->list, group);
    }
    add_cells(arena, group, removal);
}

static void prepare_group(struct form_context *context, struct lower_group *group) {
    const struct template *template = group->template;
    const struct network *network = context->network;
    struct arena *arena = context->arena;
    group->sets = ARENA_ARRAY(arena, struct tuple_set, template->location_count + 1);
    group->is_known = ARENA_ARRAY(arena, bool, template->location_count + 1);
    group->outcomes = ARENA_ARRAY(arena, struct outcome, template->edge_count + 1);
    group->touches = ARENA_ARRAY(arena, bool, template->edge_count + 1);
    group->addresses = ARENA_ARRAY(arena, uint32_t *, network->process_count + 1);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge_effects *effects = &network->edge_effects[template->index][i];
        group->touches[i] =
            names_group(group, &effects->guard) || names_group(group, &effects->update);
        group->outcomes[i].in.dimension = group->outcomes[i].out.dimension = group->cell_count;
    }
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != template) continue;
        group->addresses[p] = ARENA_ARRAY(arena, uint32_t, group->cell_count + 1);
        for (uint32_t k = 0; k < group->cell_count; k++)
            group->addresses[p][k] =
                process->locals[group->cells[k].symbol->index].address + group->cells[k].offset;
    }
}

/* What the paper says nothing about */

static bool refuse(struct form_context *context, uint32_t at, const char *what) {
    diag_error(context->diag, STATUS_UNSUPPORTED, at,
               "--must=lower: %s, for which the lower construction is not defined; use --must",
               what);
    return false;
}

static bool check_removal(struct form_context *context, const struct removal *removal) {
    uint32_t at = removal->symbol->span.begin;
    if (!removal->template || (type_prefixes(removal->symbol->type) & PREFIX_META))
        return refuse(context, at, "this removed variable is not local to a template");
    if (removal->template->branchpoint_count)
        return refuse(context, at, "the template of this removed variable has branchpoints");
    for (uint32_t k = 0; k < removal->shape->cell_count; k++)
        if (type_strip(cell_type(removal->symbol->type, removal->shape, k))->kind == TYPE_SCALAR)
            return refuse(context, at, "this removed variable has scalars");
    return true;
}

static bool check_group(struct form_context *context, const struct lower_group *group) {
    const struct template *template = group->template;
    bool ok = true;
    if (group->cell_count > MAX_CELLS) {
        diag_error(context->diag, STATUS_LIMIT, group->cells[0].symbol->span.begin,
                   "--must=lower: more than %d cells are removed together; remove less", MAX_CELLS);
        return false;
    }
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (is_inside(group, edge->source) && sync_is_broadcast(context, template, edge->sync))
            ok = refuse(context, edge->sync->span.begin,
                        "this edge leaves a location in which variables are removed, on a "
                        "broadcast channel");
    }
    for (uint32_t i = 0; i < template->location_count; i++) {
        const struct expr *invariant = template->locations[i].invariant;
        request_enter(context->request, template, i, i);
        if (invariant && expr_reads_removed(context, invariant))
            ok = refuse(context, invariant->span.begin, "this invariant names a removed variable");
    }
    request_leave(context->request);
    return ok;
}

/* Sets of tuples */

static bool rows_fit(const struct tuple_set *set) {
    return (uint64_t)set->count * set->dimension <= MAX_CELLS_OF_ROWS;
}

static const int32_t *row_at(const struct tuple_set *set, uint32_t index) {
    return set->values + (size_t)index * set->dimension;
}

/* Leaves what is in both; true if something went. */
static bool meet(struct arena *arena, struct tuple_set *set, const struct tuple_set *other) {
    struct tuple_set result = {.dimension = set->dimension};
    uint32_t kept = 0;
    while (kept < set->count && tuple_set_has(other, row_at(set, kept))) kept++;
    if (kept == set->count) return false;
    for (uint32_t i = 0; i < set->count; i++)
        if (tuple_set_has(other, row_at(set, i))) tuple_set_add(arena, &result, row_at(set, i));
    *set = result;
    return true;
}

static void copy_rows(struct arena *arena, struct tuple_set *set, const struct tuple_set *other) {
    *set = (struct tuple_set){.dimension = other->dimension};
    for (uint32_t i = 0; i < other->count; i++) tuple_set_add(arena, set, row_at(other, i));
}

/* The set of a location is at most this. */
static void restrict_location(struct runner *runner, uint32_t location,
                              const struct tuple_set *most) {
    struct lower_group *group = runner->group;
    struct arena *arena = runner->context->arena;
    if (!group->is_known[location])
        copy_rows(arena, &group->sets[location], most);
    else if (!meet(arena, &group->sets[location], most))
        return;
    group->is_known[location] = runner->is_pending[location] = true;
}

/* Instances */

static struct cell_domain slot_domain(void *context, uint32_t slot) {
    const struct runner *runner = context;
    return runner->is_in[slot] ? (struct cell_domain){.tuples = &runner->source}
                               : (struct cell_domain){.set = &runner->ranges[slot]};
}

static int32_t read_cell(struct runner *runner, uint32_t address) {
    struct environment *environment = &runner->transfer.environment;
    return environment->read(environment->context, address);
}

/* Whether a select has a say in what becomes of the group. */
static bool select_matters(const struct runner *runner, const struct symbol *select) {
    const struct edge *edge = runner->leg.edge;
    if (edge->guard && expr_mentions(edge->guard, select)) return true;
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (runner->leg.plan->is_relevant[i] && expr_mentions(edge->updates.items[i], select))
            return true;
    return false;
}

static void end_instance(struct runner *runner) {
    struct arena *scratch = &runner->transfer.scratch;
    if (runner->has_instance)
        meet(scratch, &runner->common, &runner->image);
    else
        runner->common = runner->image;
    runner->has_instance = true;
    runner->image = (struct tuple_set){.dimension = runner->group->cell_count};
}

/* The selects come first on the trail, so the runs of an instance follow each other. */
static void choose_instance(struct runner *runner, bool is_first) {
    const struct edge *edge = runner->leg.edge;
    size_t size = edge->select_count * sizeof *runner->key;
    for (uint32_t i = 0; i < edge->select_count; i++) {
        uint32_t address = runner->transfer.network->cell_count + i;
        if (select_matters(runner, edge->selects[i])) runner->key[i] = read_cell(runner, address);
    }
    if (!is_first && memcmp(runner->key, runner->last_key, size) != 0) end_instance(runner);
    memcpy(runner->last_key, runner->key, size);
}

static void run_once(struct runner *runner) {
    struct transfer *transfer = &runner->transfer;
    const struct lower_group *group = runner->group;
    const uint32_t *addresses = group->addresses[runner->leg.process->index];
    for (uint32_t k = 0; k < group->cell_count; k++)
        runner->before[k] = read_cell(runner, addresses[k]);
    if (!transfer_guard(transfer, &runner->leg, 0)) return;
    transfer_forget(transfer, runner->leg.plan->is_second ? FORGET_SHARED : FORGET_HOOKED);
    if (!transfer_updates(transfer, &runner->leg, 0)) return;
    for (uint32_t k = 0; k < group->cell_count; k++)
        runner->after[k] = read_cell(runner, addresses[k]);
    if (runner->outcome) {
        bool is_in = tuple_set_has(&group->sets[runner->leg.edge->target], runner->after);
        tuple_set_add(runner->context->arena, is_in ? &runner->outcome->in : &runner->outcome->out,
                      runner->before);
    } else {
        tuple_set_add(&transfer->scratch, &runner->image, runner->after);
    }
}

/* Runs all instances that a process has of the edge. False past the budget. */
static bool run_instances(struct runner *runner) {
    struct transfer *transfer = &runner->transfer;
    struct enumerator *enumerator = &transfer->enumerator;
    if (!transfer_bind(transfer, &runner->leg, 0)) return true;
    for (uint32_t i = 0; i < runner->leg.edge->select_count; i++)
        if (value_set_is_empty(&transfer->selects[i])) return true;
    bool is_first = true;
    enumerator_start(enumerator);
    do {
        if (runner->left <= runner->group->cell_count) return false;
        runner->left -= runner->group->cell_count;
        choose_instance(runner, is_first);
        run_once(runner);
        is_first = false;
        if (!rows_fit(&runner->image)) return false;
    } while (enumerator_next(enumerator));
    if (!runner->outcome) end_instance(runner);
    return !enumerator_failed(enumerator);
}

/* All instances of an edge. */
static bool run_edge(struct runner *runner, uint32_t index) {
    const struct network *network = runner->context->network;
    const struct lower_group *group = runner->group;
    runner->leg.edge = &group->template->edges[index];
    runner->has_instance = false;
    runner->image = (struct tuple_set){.dimension = group->cell_count};
    for (uint32_t p = 0; p < network->process_count; p++) {
        if (network->processes[p].template != group->template) continue;
        runner->leg.process = &network->processes[p];
        runner->leg.plan = &runner->plans[p][index];
        runner->source = group->sets[runner->leg.edge->source];
        runner->source.addresses = group->addresses[p];
        if (!run_instances(runner)) return false;
    }
    return true;
}

static bool fail(struct runner *runner, const struct edge *edge) {
    diag_error(runner->context->diag, STATUS_LIMIT, edge->xml->element->at,
               "--must=lower: this edge has more combinations of values than the budget; raise "
               "--budget or remove less");
    return false;
}

/* Makes the set of the edge's target smaller if it has to be. False past the budget. */
static bool pass_on(struct runner *runner, uint32_t index) {
    const struct lower_group *group = runner->group;
    const struct edge *edge = &group->template->edges[index];
    if (!group->touches[index]) {
        if (edge->source != edge->target)
            restrict_location(runner, edge->target, &group->sets[edge->source]);
        return true;
    }
    bool ok = run_edge(runner, index);
    if (ok && runner->has_instance) restrict_location(runner, edge->target, &runner->common);
    transfer_clear(&runner->transfer);
    return ok || fail(runner, edge);
}

/* Which values of the source lead where. */
static bool find_outcome(struct runner *runner, uint32_t index) {
    const struct lower_group *group = runner->group;
    const struct edge *edge = &group->template->edges[index];
    struct outcome *outcome = &group->outcomes[index];
    if (!group->is_known[edge->source] || !is_inside(group, edge->source) ||
        !is_inside(group, edge->target))
        return true;
    if (group->touches[index]) {
        runner->outcome = outcome;
        bool ok = run_edge(runner, index);
        transfer_clear(&runner->transfer);
        return ok || fail(runner, edge);
    }
    const struct tuple_set *source = &group->sets[edge->source];
    for (uint32_t i = 0; i < source->count; i++)
        if (tuple_set_has(&group->sets[edge->target], row_at(source, i)))
            tuple_set_add(runner->context->arena, &outcome->in, row_at(source, i));
    return true;
}

static void start_process(struct runner *runner, const struct process *process) {
    const struct network *network = runner->context->network;
    struct lower_group *group = runner->group;
    struct tuple_set initial = {.dimension = group->cell_count};
    for (uint32_t k = 0; k < group->cell_count; k++) {
        uint32_t address = group->addresses[process->index][k];
        runner->is_in[network->slot_of[address]] = true;
        runner->before[k] = network->cells[address];
    }
    tuple_set_add(runner->context->arena, &initial, runner->before);
    restrict_location(runner, group->template->initial, &initial);
    runner->plans[process->index] = transfer_plans(runner->context->analysis, process, true);
}

static uint64_t visits(const struct form_context *context) {
    return context->analysis->options.budget * VISITS_PER_BUDGET;
}

static void runner_init(struct runner *runner, struct form_context *context,
                        struct lower_group *group) {
    const struct network *network = context->network;
    struct arena *arena = context->arena;
    uint32_t selects = 0, items = 0;
    *runner = (struct runner){.context = context, .group = group};
    transfer_init(&runner->transfer, context->analysis, 1);
    runner->transfer.domain = slot_domain;
    runner->transfer.context = runner;
    runner->plans = ARENA_ARRAY(arena, struct plan *, network->process_count + 1);
    runner->ranges = ARENA_ARRAY(arena, struct value_set, network->slot_count + 1);
    runner->is_in = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++)
        runner->ranges[i] = value_set_range(network->slots[i].lower, network->slots[i].upper);
    for (uint32_t i = 0; i < group->template->edge_count; i++) {
        const struct edge *edge = &group->template->edges[i];
        if (edge->select_count > selects) selects = edge->select_count;
        if (edge->updates.count > items) items = edge->updates.count;
    }
    runner->fact.item_faults = ARENA_ARRAY(arena, bool, items + 1);
    runner->leg.fact = &runner->fact;
    runner->key = ARENA_ARRAY(arena, int32_t, selects + 1);
    runner->last_key = ARENA_ARRAY(arena, int32_t, selects + 1);
    runner->before = ARENA_ARRAY(arena, int32_t, group->cell_count + 1);
    runner->after = ARENA_ARRAY(arena, int32_t, group->cell_count + 1);
    runner->left = visits(context);
    runner->is_pending = ARENA_ARRAY(arena, bool, group->template->location_count + 1);
    rank_template(group->template, arena, &runner->ranking);
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == group->template)
            start_process(runner, &network->processes[p]);
}

/* Passes on the sets that changed, by rank (A1). False past the budget. */
static bool visit_pending(struct runner *runner, bool *more) {
    const struct ranking *ranking = &runner->ranking;
    *more = false;
    for (uint32_t r = 0; r < runner->group->template->location_count; r++) {
        uint32_t location = ranking->by_rank[r];
        if (!runner->is_pending[location]) continue;
        runner->is_pending[location] = false;
        *more = true;
        for (uint32_t i = ranking->first[location]; i < ranking->first[location + 1]; i++)
            if (!pass_on(runner, ranking->edges[i])) return false;
    }
    return true;
}

static bool solve(struct form_context *context, struct lower_group *group) {
    struct runner runner;
    bool ok = true;
    runner_init(&runner, context, group);
    for (bool more = true; more && ok;) ok = visit_pending(&runner, &more);
    runner.left = visits(context);
    for (uint32_t i = 0; i < group->template->edge_count && ok; i++) ok = find_outcome(&runner, i);
    transfer_close(&runner.transfer);
    return ok;
}

/* The lower sets in place of those of the analysis */

static void install_location(struct arena *arena, const struct lower_group *group,
                             uint32_t location, const uint32_t *addresses,
                             struct group_domain *domain) {
    const struct tuple_set *set = &group->sets[location];
    struct bounds bounds = {INT32_MIN, INT32_MAX, UINT32_MAX};
    domain->set = value_set_empty();
    domain->tuples = (struct tuple_set){.dimension = group->cell_count};
    if (group->is_known[location]) domain->tuples = *set;
    domain->tuples.addresses = addresses;
    for (uint32_t i = 0; i < domain->tuples.count && group->cell_count == 1; i++)
        value_set_add(arena, &domain->set, *row_at(set, i), &bounds);
}

static void install(struct form_context *context, const struct lower_group *group,
                    uint32_t process) {
    struct analysis *analysis = context->analysis;
    struct arena *arena = context->arena;
    struct process_domain *domain = &analysis->processes[process];
    uint32_t index = domain->group_count++;
    struct group *groups = ARENA_ARRAY(arena, struct group, index + 1);
    if (index) memcpy(groups, domain->groups, index * sizeof *groups);
    groups[index] = (struct group){group->addresses[process], group->cell_count, false};
    domain->groups = groups;
    for (uint32_t k = 0; k < group->cell_count; k++)
        analysis->group_of[context->network->slot_of[group->addresses[process][k]]] = index;
    for (uint32_t l = 0; l < group->template->location_count; l++) {
        struct group_domain *all = ARENA_ARRAY(arena, struct group_domain, index + 1);
        if (index) memcpy(all, domain->locations[l].groups, index * sizeof *all);
        install_location(arena, group, l, group->addresses[process], &all[index]);
        domain->locations[l].groups = all;
    }
}

struct lower *lower_make(struct form_context *context) {
    const struct request *request = context->request;
    const struct network *network = context->network;
    struct lower *lower = context->lower = ARENA_NEW(context->arena, struct lower);
    bool ok = true;
    for (uint32_t i = 0; i < request->removals.count; i++)
        ok &= check_removal(context, &request->removals.items[i]);
    if (!ok) return NULL;
    for (uint32_t i = 0; i < request->removals.count; i++)
        group_removal(context, &request->removals.items[i]);
    for (uint32_t i = 0; i < lower->list.count; i++)
        ok &= check_group(context, lower->list.items[i]);
    for (uint32_t i = 0; i < lower->list.count && ok; i++) {
        prepare_group(context, lower->list.items[i]);
        ok = solve(context, lower->list.items[i]);
    }
    if (!ok) return NULL;
    for (uint32_t i = 0; i < lower->list.count; i++)
        for (uint32_t p = 0; p < network->process_count; p++)
            if (network->processes[p].template == lower->list.items[i]->template)
                install(context, lower->list.items[i], p);
    map_init(&context->analysis->cache, context->arena);
    return lower;
}

/* Conditions of edges */

bool lower_concerns(const struct lower *lower, const struct template *template,
                    const struct edge *edge) {
    for (uint32_t i = 0; i < lower->list.count; i++)
        if (lower->list.items[i]->template == template &&
            is_inside(lower->list.items[i], edge->source))
            return true;
    return false;
}

/* Whether a row of the group can be the current tuple; an access to a cell that is not known fits
 * with a single row only. */
static bool agrees(const struct lower_group *group, const struct columns *columns,
                   const int32_t *row, bool *has_access) {
    for (uint32_t i = 0; i < columns->list.count; i++) {
        const struct unknown *unknown = columns->list.items[i];
        for (uint32_t k = 0; k < group->cell_count; k++) {
            if (unknown->removal != group->removals[k]) continue;
            if (unknown->access)
                *has_access = true;
            else if (unknown->offset == group->cells[k].offset && columns->values[i] != row[k])
                return false;
        }
    }
    return true;
}

/* The value of a cell behind the update, in terms of the source state; NULL if that cannot be
 * said. */
static const struct expr *result_of(struct form_context *context, const struct lower_group *group,
                                    const struct form *form, const struct columns *columns,
                                    uint32_t cell, const int32_t *row) {
    const struct symbol *symbol = group->cells[cell].symbol;
    const struct effects *update =
        &context->network->edge_effects[form->template->index][form->edge_index].update;
    if (!effects_writes(update, symbol)) return build_int(context->arena, row[cell]);
    for (uint32_t i = form->shadows.list.count; i-- > 0;) {
        const struct shadow *shadow = &form->shadows.list.items[i];
        if (shadow->symbol != symbol) continue;
        return columns_substitute(columns, form, context->arena, shadow->before);
    }
    return NULL;
}

static const struct expr *equals(struct arena *arena, const struct expr *value, int32_t wanted) {
    if (expr_is_boolean(value)) return wanted ? value : build_not(arena, value);
    return simplify_node(arena, build_binary(arena, OP_EQ, value, build_int(arena, wanted)));
}

/* Whether the row leads into the set of the target; NULL if that cannot be said. */
static const struct expr *leads_inside(struct form_context *context,
                                       const struct lower_group *group, const struct form *form,
                                       const struct columns *columns, const int32_t *row) {
    struct arena *arena = context->arena;
    const struct tuple_set *target = &group->sets[form->edge->target];
    const struct expr *condition = build_bool(arena, false);
    if (target->count > FORM_MAX_CONDITIONS * FORM_MAX_CONDITIONS) return NULL;
    for (uint32_t i = 0; i < target->count; i++) {
        const struct expr *same = build_bool(arena, true);
        for (uint32_t k = 0; k < group->cell_count; k++) {
            const struct expr *value = result_of(context, group, form, columns, k, row);
            if (!value) return NULL;
            same = build_and(arena, same, equals(arena, value, row_at(target, i)[k]));
        }
        condition = build_or(arena, condition, same ? same : build_bool(arena, true));
        if (expr_is_true(condition)) return build_bool(arena, true);
    }
    return condition;
}

static const struct expr *condition_of_group(struct form_context *context,
                                             const struct lower_group *group,
                                             const struct form *form,
                                             const struct columns *columns) {
    struct arena *arena = context->arena;
    const struct tuple_set *source = &group->sets[form->edge->source];
    const struct outcome *outcome = &group->outcomes[form->edge_index];
    bool stays_inside = is_inside(group, form->edge->target), has_access = false;
    const struct expr *condition = build_bool(arena, false);
    for (uint32_t i = 0; i < source->count; i++) {
        const int32_t *row = row_at(source, i);
        if (!agrees(group, columns, row, &has_access)) continue;
        const struct expr *stays = build_bool(arena, true);
        if (stays_inside && !tuple_set_has(&outcome->in, row)) continue;
        if (stays_inside && tuple_set_has(&outcome->out, row))
            stays = leads_inside(context, group, form, columns, row);
        if (!stays || (has_access && source->count > 1) || form_has_chosen(form)) {
            diag_error(context->diag, STATUS_UNSUPPORTED, form->edge->xml->element->at,
                       "--must=lower: for which values this edge stays cannot be said in a guard; "
                       "remove less, or use --must");
            return build_bool(arena, false);
        }
        if (expr_is_true(stays)) return NULL;
        condition = build_or(arena, condition, stays);
    }
    return condition;
}

const struct expr *lower_condition(struct form_context *context, const struct form *form,
                                   const struct columns *columns) {
    const struct lower *lower = context->lower;
    const struct expr *condition = NULL;
    for (uint32_t i = 0; i < lower->list.count; i++) {
        const struct lower_group *group = lower->list.items[i];
        if (group->template == form->template && is_inside(group, form->edge->source))
            condition = build_and(context->arena, condition,
                                  condition_of_group(context, group, form, columns));
    }
    return condition;
}
