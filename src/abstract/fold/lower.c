#include "abstract/fold/lower.h"

#include "abstract/facts/cells.h"
#include "abstract/facts/channel.h"
#include "abstract/facts/context.h"
#include "abstract/fold/lower_internal.h"
#include "abstract/request/request.h"
#include "approx/labels/label_run.h"
#include "approx/pin.h"
#include "approx/priority.h"
#include "expr/build.h"
#include "expr/find.h"

#include <assert.h>

enum {
    VISITS_PER_BUDGET = 64,     /* of all edges of a group, with a single cell */
    MAX_CELLS = 256,            /* of a group */
    MAX_CELLS_OF_ROWS = 1 << 20 /* of one set */
};

/* One run over the edges of a group. */
struct runner {
    struct label_run run;
    struct context *context;
    struct lower_group *group;
    struct edge_plan **plans; /* by process */
    struct value_set *ranges; /* by slot */
    bool *is_in;              /* by slot: of the group */
    struct ranking ranking;
    struct edge_fact fact;
    struct leg leg;
    struct tuple_set source; /* with the addresses of the current process */
    struct tuple_set image;  /* of the current instance */
    struct tuple_set common; /* of all instances so far */
    bool has_instance;
    bool *is_pending;             /* by location: its set has changed */
    struct edge_outcome *outcome; /* NULL while the sets are not final */
    int32_t *before, *after, *key, *last_key;
    uint64_t left; /* cells that may be read */
};

/* Groups */

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

static void group_removal(struct context *context, struct lower *lower,
                          const struct removal *removal) {
    struct arena *arena = context->arena;
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

static void prepare_group(struct context *context, struct lower_group *group) {
    const struct template *template = group->template;
    const struct network *network = context->network;
    struct arena *arena = context->arena;
    group->sets = ARENA_ARRAY(arena, struct tuple_set, template->location_count + 1);
    group->is_known = ARENA_ARRAY(arena, bool, template->location_count + 1);
    group->outcomes = ARENA_ARRAY(arena, struct edge_outcome, template->edge_count + 1);
    group->names_group = ARENA_ARRAY(arena, bool, template->edge_count + 1);
    group->addresses = ARENA_ARRAY(arena, uint32_t *, network->process_count + 1);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge_labels *effects = &network->labels.edges[template->index][i];
        group->names_group[i] = names_group(group, &effects->guard_effects) ||
                                names_group(group, &effects->update_effects);
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

static bool refuse(struct context *context, uint32_t at, const char *what) {
    return diag_error(
        context->diag, STATUS_UNSUPPORTED, at,
        "--must=lower: %s, for which the lower construction is not defined; use --must", what);
}

static bool check_removal(struct context *context, const struct removal *removal) {
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

static bool check_group(struct context *context, const struct lower_group *group) {
    const struct template *template = group->template;
    bool ok = true;
    if (group->cell_count > MAX_CELLS)
        return diag_error(context->diag, STATUS_LIMIT, group->cells[0].symbol->span.begin,
                          "--must=lower: more than %d cells are removed together; remove less",
                          MAX_CELLS);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (lower_is_inside(group, edge->source) &&
            sync_is_broadcast(context, template, edge->sync))
            ok = refuse(context, edge->sync->span.begin,
                        "this edge leaves a location in which variables are removed, on a "
                        "broadcast channel");
    }
    for (uint32_t i = 0; i < template->location_count; i++) {
        const struct expr *invariant = template->locations[i].written_invariant;
        if (invariant && expr_reads_removed(context, invariant, where_invariant(template, i)))
            ok = refuse(context, invariant->span.begin, "this invariant names a removed variable");
    }
    return ok;
}

/* Sets of tuples */

static bool rows_fit(const struct tuple_set *set) {
    return (uint64_t)set->count * set->dimension <= MAX_CELLS_OF_ROWS;
}

/* Leaves what is in both; true if something went. */
static bool meet(struct arena *arena, struct tuple_set *set, const struct tuple_set *other) {
    assert(set->dimension == other->dimension);
    struct tuple_set result = {.dimension = set->dimension};
    uint32_t kept = 0;
    while (kept < set->count && tuple_set_has(other, lower_row(set, kept))) kept++;
    if (kept == set->count) return false;
    for (uint32_t i = 0; i < set->count; i++)
        if (tuple_set_has(other, lower_row(set, i)))
            tuple_set_add(arena, &result, lower_row(set, i));
    *set = result;
    return true;
}

static void copy_rows(struct arena *arena, struct tuple_set *set, const struct tuple_set *other) {
    *set = (struct tuple_set){.dimension = other->dimension};
    for (uint32_t i = 0; i < other->count; i++) tuple_set_add(arena, set, lower_row(other, i));
}

/* The set of a location is at most this. */
static void restrict_location(struct runner *runner, uint32_t location,
                              const struct tuple_set *most) {
    assert(most->dimension == runner->group->cell_count);
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
    struct environment *environment = &runner->run.environment;
    return environment->read(environment->context, address);
}

/* Whether a select has a say in what becomes of the group. */
static bool select_matters(const struct runner *runner, const struct symbol *select) {
    const struct edge *edge = runner->leg.edge;
    if (expr_mentions(runner->leg.guard, select)) return true;
    for (uint32_t i = 0; i < edge->updates.count; i++)
        if (runner->leg.plan->is_relevant[i] && expr_mentions(edge->updates.items[i], select))
            return true;
    return false;
}

static void end_instance(struct runner *runner) {
    if (runner->has_instance)
        meet(&runner->run.scratch, &runner->common, &runner->image);
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
        uint32_t address = runner->run.network->cell_count + i;
        if (select_matters(runner, edge->selects[i])) runner->key[i] = read_cell(runner, address);
    }
    if (!is_first && memcmp(runner->key, runner->last_key, size) != 0) end_instance(runner);
    memcpy(runner->last_key, runner->key, size);
}

static void run_once(struct runner *runner) {
    struct label_run *run = &runner->run;
    const struct lower_group *group = runner->group;
    const uint32_t *addresses = group->addresses[runner->leg.process->index];
    assert(addresses); /* of a process of the template */
    for (uint32_t k = 0; k < group->cell_count; k++)
        runner->before[k] = read_cell(runner, addresses[k]);
    if (!label_run_guard(run, &runner->leg, 0)) return;
    label_run_forget(run, runner->leg.plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
    if (!label_run_updates(run, &runner->leg, 0)) return;
    for (uint32_t k = 0; k < group->cell_count; k++)
        runner->after[k] = read_cell(runner, addresses[k]);
    if (runner->outcome) {
        bool is_in = tuple_set_has(&group->sets[runner->leg.edge->target], runner->after);
        tuple_set_add(runner->context->arena, is_in ? &runner->outcome->in : &runner->outcome->out,
                      runner->before);
    } else {
        tuple_set_add(&run->scratch, &runner->image, runner->after);
    }
}

/* Runs all instances that a process has of the edge. False past the budget. */
static bool run_instances(struct runner *runner) {
    struct label_run *run = &runner->run;
    struct enumerator *enumerator = &run->enumerator;
    if (!label_run_bind(run, &runner->leg, 0)) return true;
    for (uint32_t i = 0; i < runner->leg.edge->select_count; i++)
        if (value_set_is_empty(&run->selects[i])) return true;
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
    runner->leg.guard = guard_of_edge(runner->run.network, group->template, runner->leg.edge);
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
    return diag_error(
        runner->context->diag, STATUS_LIMIT, edge->xml->element->at,
        "--must=lower: this edge has more combinations of values than the budget; raise "
        "--budget or remove less");
}

/* Makes the set of the edge's target smaller if it has to be. False past the budget. */
static bool pass_on(struct runner *runner, uint32_t index) {
    const struct lower_group *group = runner->group;
    const struct edge *edge = &group->template->edges[index];
    if (!group->names_group[index]) {
        if (edge->source != edge->target)
            restrict_location(runner, edge->target, &group->sets[edge->source]);
        return true;
    }
    bool ok = run_edge(runner, index);
    if (ok && runner->has_instance) restrict_location(runner, edge->target, &runner->common);
    label_run_clear(&runner->run);
    return ok || fail(runner, edge);
}

/* Which values of the source lead where. */
static bool find_outcome(struct runner *runner, uint32_t index) {
    const struct lower_group *group = runner->group;
    const struct edge *edge = &group->template->edges[index];
    struct edge_outcome *outcome = &group->outcomes[index];
    if (!group->is_known[edge->source] || !lower_is_inside(group, edge->source) ||
        !lower_is_inside(group, edge->target))
        return true;
    if (group->names_group[index]) {
        runner->outcome = outcome;
        bool ok = run_edge(runner, index);
        label_run_clear(&runner->run);
        return ok || fail(runner, edge);
    }
    const struct tuple_set *source = &group->sets[edge->source];
    for (uint32_t i = 0; i < source->count; i++)
        if (tuple_set_has(&group->sets[edge->target], lower_row(source, i)))
            tuple_set_add(runner->context->arena, &outcome->in, lower_row(source, i));
    return true;
}

static void start_process(struct runner *runner, const struct process *process) {
    const struct network *network = runner->context->network;
    struct lower_group *group = runner->group;
    struct tuple_set initial = {.dimension = group->cell_count};
    for (uint32_t k = 0; k < group->cell_count; k++) {
        uint32_t address = group->addresses[process->index][k];
        assert(network->slot_of[address] != NO_SLOT); /* it is a variable */
        runner->is_in[network->slot_of[address]] = true;
        runner->before[k] = network->cells[address];
    }
    tuple_set_add(runner->context->arena, &initial, runner->before);
    restrict_location(runner, group->template->initial, &initial);
    runner->plans[process->index] = label_run_plans(runner->context->analysis, process, true);
}

static uint64_t visits(const struct context *context) {
    return context->analysis->options.budget * VISITS_PER_BUDGET;
}

static void runner_init(struct runner *runner, struct context *context, struct lower_group *group) {
    const struct network *network = context->network;
    struct arena *arena = context->arena;
    uint32_t selects = 0, items = 0;
    *runner = (struct runner){.context = context, .group = group};
    label_run_init(&runner->run, context->analysis, 1);
    runner->run.domain = slot_domain;
    runner->run.context = runner;
    runner->plans = ARENA_ARRAY(arena, struct edge_plan *, network->process_count + 1);
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

static bool solve(struct context *context, struct lower_group *group) {
    struct runner runner;
    bool ok = true;
    runner_init(&runner, context, group);
    for (bool more = true; more && ok;) ok = visit_pending(&runner, &more);
    runner.left = visits(context);
    for (uint32_t i = 0; i < group->template->edge_count && ok; i++) ok = find_outcome(&runner, i);
    label_run_close(&runner.run);
    return ok;
}

/* The lower sets of a group, in place of what the analysis knows of its processes. */
static void replace_values(struct context *context, struct analysis *analysis,
                           const struct lower_group *group) {
    const struct network *network = context->network;
    uint32_t count = group->template->location_count;
    struct tuple_set *sets = ARENA_ARRAY(context->arena, struct tuple_set, count + 1);
    for (uint32_t l = 0; l < count; l++)
        sets[l] = group->is_known[l] ? group->sets[l]
                                     : (struct tuple_set){.dimension = group->cell_count};
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == group->template)
            analysis_replace(analysis, p, group->addresses[p], group->cell_count, sets);
}

struct analysis *lower_analysis(struct context *context, const struct lower *lower) {
    struct analysis *analysis = analysis_copy(context->analysis);
    for (uint32_t i = 0; i < lower->list.count; i++)
        replace_values(context, analysis, lower->list.items[i]);
    return analysis;
}

struct lower *lower_make(struct context *context) {
    const struct request *request = context->request;
    struct lower *lower = ARENA_NEW(context->arena, struct lower);
    bool ok = true;
    for (uint32_t i = 0; i < request->removals.count; i++)
        ok &= check_removal(context, &request->removals.items[i]);
    if (!ok) return NULL;
    for (uint32_t i = 0; i < request->removals.count; i++)
        group_removal(context, lower, &request->removals.items[i]);
    for (uint32_t i = 0; i < lower->list.count; i++)
        ok &= check_group(context, lower->list.items[i]);
    for (uint32_t i = 0; i < lower->list.count && ok; i++) {
        prepare_group(context, lower->list.items[i]);
        ok = solve(context, lower->list.items[i]);
    }
    return ok ? lower : NULL;
}
