/* The fixpoint over locations and templates. */
#include "suggest/live_internal.h"

#include "abstract/prepare/reference.h"
#include "abstract/request/obstacle.h"
#include "agents/agents.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { COARSE_CELLS = 1024, MAX_VIEWS = 64 };

/* ---- variables ---- */

const struct live_variable *live_find(const struct live *live, const struct symbol *symbol) {
    return map_get(&live->of_symbol, map_key(symbol));
}

/* Variables that can be removed at all are followed. */
static uint32_t add_variables(struct live *live, const struct template *template, uint32_t *count) {
    const struct network *network = live->network;
    struct symbol *const *symbols = template ? template->symbols : network->model->symbols;
    uint32_t symbol_count = template ? template->symbol_count : network->model->symbol_count;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < symbol_count; i++) {
        const struct symbol *symbol = symbols[i];
        if (!is_listed_variable(symbol) || type_prefixes(symbol->type) & PREFIX_META ||
            removal_obstacle(network, template, symbol))
            continue;
        const struct shape *shape = network_shape(network, template, symbol);
        struct live_variable *variable = &live->variables[(*count)++];
        *variable = (struct live_variable){template, symbol, shape, bits, 1, false, false, NULL};
        variable->is_passed = !template && variable_is_passed(network, symbol);
        if (template && shape->cell_count <= COARSE_CELLS) variable->count = shape->cell_count;
        assert(variable->count == 1 || variable->count == shape->cell_count);
        bits += variable->count;
        map_put(&live->of_symbol, map_key(symbol), variable);
    }
    return (bits + 63) / 64;
}

static void find_variables(struct live *live, struct arena *arena) {
    const struct model *model = live->network->model;
    uint32_t most = model->symbol_count;
    for (uint32_t t = 0; t < model->template_count; t++) most += model->templates[t]->symbol_count;
    live->variables = ARENA_ARRAY(arena, struct live_variable, most + 1);
    live->local_words = ARENA_ARRAY(arena, uint32_t, model->template_count + 1);
    live->at = ARENA_ARRAY(arena, uint64_t *, model->template_count + 1);
    live->global_words = add_variables(live, NULL, &live->variable_count);
    live->global = ARENA_ARRAY(arena, uint64_t, live->global_words + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        uint32_t words = add_variables(live, template, &live->variable_count);
        live->local_words[t] = words;
        live->at[t] = ARENA_ARRAY(
            arena, uint64_t,
            (size_t)words * (template->location_count + template->branchpoint_count) + 1);
    }
}

/* ---- what is observed ---- */

struct observing {
    struct live *live;
    struct agents agents; /* that queries name */
};

/* In a process, or in all that have the variable. */
static void observe_variable(struct observing *observing, struct live_variable *variable,
                             const struct process *process) {
    bool is_whole = variable->is_observed && !variable->in_process;
    if (!process || process->template != variable->template || is_whole)
        variable->in_process = NULL;
    else if (!variable->in_process)
        variable->in_process = ARENA_ARRAY(observing->live->table.arena, bool,
                                           observing->live->network->process_count);
    if (variable->in_process) variable->in_process[process->index] = true;
    variable->is_observed = true;
}

static void observe(struct observing *observing, const struct symbol *symbol,
                    const struct process *by) {
    struct live *live = observing->live;
    const struct network *network = live->network;
    struct live_variable *variable = map_get(&live->of_symbol, map_key(symbol));
    if (variable) observe_variable(observing, variable, by);
    if (symbol->kind != SYMBOL_PARAMETER || !symbol->is_reference) return;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        if (symbol->index >= process->template->symbol_count ||
            process->template->symbols[symbol->index] != symbol)
            continue;
        for (uint32_t i = 0; i < live->variable_count; i++)
            live->variables[i].is_observed |=
                live->variables[i].is_passed &&
                reference_stands_for(network, &process->locals[symbol->index],
                                     live->variables[i].symbol);
    }
}

static bool observe_expr(void *context, const struct expr *expr) {
    struct observing *observing = context;
    bool is_member = expr->kind == EXPR_FIELD && expr->symbol && expr_is_process(expr->child[0]);
    if (expr->symbol)
        observe(observing, expr->symbol,
                is_member ? agents_process(&observing->agents, expr->child[0]) : NULL);
    if (expr->kind != EXPR_CALL || !expr->symbol || !expr->symbol->function) return true;
    const struct effects *effects =
        effects_of_function(&observing->live->table, expr->symbol->function);
    for (uint32_t i = 0; i < effects->list.count; i++)
        observe(observing, effects->list.items[i].symbol, NULL);
    return true;
}

/* The agents that an operator names; of a set of processes all where its arguments are not
 * fixed. */
static bool find_observers(void *context, const struct expr *expr) {
    struct observing *observing = context;
    const struct network *network = observing->live->network;
    bool names_agents = expr_is_about_agents(NULL, expr);
    for (uint32_t i = 0; names_agents && i < expr->argument_count; i++) {
        const struct expr *agent = expr->arguments[i];
        const struct symbol *symbol = (agent->kind == EXPR_CALL ? agent->child[0] : agent)->symbol;
        struct agent_list unused = {0};
        if (!symbol) continue; /* what cannot be read is not answered */
        if (!agents_add(&observing->agents, agent, &unused)) continue;
        for (uint32_t p = 0; symbol->template && p < network->process_count; p++)
            if (network->processes[p].symbol == symbol)
                agent_of_process(&observing->agents, &network->processes[p]);
    }
    return true;
}

static const struct process *owner_of(const struct network *network,
                                      const struct observed_item *item) {
    return item->kind == OBSERVED_SLOT ? network->slots[item->slot].process : item->process;
}

/* Observing is reading (K4): a query about knowledge depends on all that its agents observe. */
static void observe_agents(struct observing *observing, const struct query *query) {
    struct live *live = observing->live;
    if (query->quantifier != QUERY_FORMULA) return;
    walk_expr(query->predicate, find_observers, observing);
    for (uint32_t i = 0; i < observing->agents.list.count; i++) {
        const struct agent *agent = observing->agents.list.items[i];
        for (uint32_t k = 0; k < agent->items.count; k++) {
            const struct observed_item *item = &agent->items.items[k];
            struct effects effects = {0};
            if (item->kind == OBSERVED_VALUE) {
                walk_expr(item->expr, observe_expr, observing);
                continue;
            }
            observed_effects(&live->table, &effects, live->network, item);
            for (uint32_t e = 0; e < effects.list.count; e++)
                observe(observing, effects.list.items[e].symbol, owner_of(live->network, item));
        }
    }
}

static void find_observed(struct live *live, const struct query *queries, uint32_t query_count) {
    const struct model *model = live->network->model;
    struct observing observing = {.live = live};
    agents_init(&observing.agents, live->table.arena, live->network);
    for (uint32_t i = 0; i < query_count; i++) {
        walk_expr(queries[i].predicate, observe_expr, &observing);
        observe_agents(&observing, &queries[i]);
        for (uint32_t k = 0; k < queries[i].expr_count; k++)
            walk_expr(queries[i].exprs[k], observe_expr, &observing);
    }
    walk_progress(model, observe_expr, &observing);
    walk_gantt(model, observe_expr, &observing);
    agents_close(&observing.agents);
}

static void set_bits(uint64_t *set, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i++) set[i / 64] |= UINT64_C(1) << i % 64;
}

static uint32_t location_count(const struct template *template) {
    return template->location_count + template->branchpoint_count;
}

static void mark_live(struct live *live, const struct live_variable *variable) {
    const struct template *template = variable->template;
    if (!template) set_bits(live->global, variable->first, variable->count);
    for (uint32_t l = 0; template && l < location_count(template); l++)
        set_bits(live->at[template->index] + (size_t)l * live->local_words[template->index],
                 variable->first, variable->count);
}

/* ---- the fixpoint ---- */

struct view_state {
    struct live_view view;
    uint64_t *at; /* by location */
    bool *is_dirty;
    bool is_any_dirty;
};

struct solver {
    struct live *live;
    struct arena *arena; /* of the views */
    struct live_flow flow;
    VEC(struct view_state) views;
    uint32_t **first_edge; /* by template index, by location: into edges */
    uint32_t **edges;
};

static void index_edges(struct solver *solver, const struct template *template) {
    uint32_t count = location_count(template);
    uint32_t *first = ARENA_ARRAY(solver->arena, uint32_t, count + 2);
    uint32_t *fill = ARENA_ARRAY(solver->arena, uint32_t, count + 1);
    uint32_t *edges = ARENA_ARRAY(solver->arena, uint32_t, template->edge_count + 1);
    for (uint32_t i = 0; i < template->edge_count; i++) first[template->edges[i].source + 1]++;
    for (uint32_t l = 0; l < count; l++) first[l + 1] += first[l];
    for (uint32_t i = 0; i < template->edge_count; i++) {
        uint32_t source = template->edges[i].source;
        edges[first[source] + fill[source]++] = i;
    }
    solver->first_edge[template->index] = first;
    solver->edges[template->index] = edges;
}

static void add_view(struct solver *solver, const struct template *template,
                     const struct process *const *processes, uint32_t count) {
    uint32_t locations = location_count(template);
    size_t words = (size_t)solver->live->local_words[template->index] * locations;
    struct view_state state = {.view = {template, processes, count}, .is_any_dirty = true};
    state.at = ARENA_ARRAY(solver->arena, uint64_t, words + 1);
    memcpy(state.at, solver->live->at[template->index], words * sizeof *state.at);
    state.is_dirty = ARENA_ARRAY(solver->arena, bool, locations + 1);
    memset(state.is_dirty, true, locations);
    VEC_PUSH(solver->arena, &solver->views, state);
}

/* Processes are looked at one by one if they are few: then their parameters have values. */
static void add_views(struct solver *solver, const struct template *template) {
    const struct network *network = solver->live->network;
    const struct process **processes =
        ARENA_ARRAY(solver->arena, const struct process *, network->process_count + 1);
    uint32_t count = 0;
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == template) processes[count++] = &network->processes[p];
    if (!count) return;
    index_edges(solver, template);
    if (count > MAX_VIEWS) {
        add_view(solver, template, processes, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) add_view(solver, template, processes + i, 1);
}

static void before_edge(struct live_flow *flow, const struct edge *edge, uint64_t *set) {
    live_before_update(flow, &edge->updates, set);
    live_before_expr(flow, edge->weight, set);
    live_before_expr(flow, edge->sync, set);
    live_before_expr(flow, edge->written_guard, set);
    for (uint32_t i = edge->select_count; i-- > 0;)
        live_before_type(flow, edge->selects[i]->type, set);
}

static void mark_dirty(struct view_state *state, uint32_t location) {
    state->is_dirty[location] = state->is_any_dirty = true;
}

/* Adds what a set says of global variables: everything is looked at again if that is news. */
static void add_global(struct solver *solver, const uint64_t *set) {
    struct live *live = solver->live;
    bool has_grown = false;
    for (uint32_t i = 0; i < live->global_words; i++) {
        has_grown |= (set[i] & ~live->global[i]) != 0;
        live->global[i] |= set[i];
    }
    for (uint32_t v = 0; has_grown && v < solver->views.count; v++) {
        struct view_state *state = &solver->views.items[v];
        for (uint32_t l = 0; l < location_count(state->view.template); l++) mark_dirty(state, l);
    }
}

/* Adds the variables that are live at a location to the set. */
static void look_at(struct solver *solver, struct view_state *state, uint32_t location,
                    uint64_t *set) {
    const struct live *live = solver->live;
    struct live_flow *flow = &solver->flow;
    const struct template *template = state->view.template;
    uint32_t words = live->local_words[template->index];
    const uint32_t *first = solver->first_edge[template->index];
    uint64_t *before = ARENA_ARRAY(&flow->arena, uint64_t, flow->words + 1);
    live_before_expr(flow, template->locations[location].written_invariant, set);
    for (uint32_t i = first[location]; i < first[location + 1]; i++) {
        const struct edge *edge = &template->edges[solver->edges[template->index][i]];
        memcpy(before, live->global, live->global_words * sizeof *before);
        memcpy(before + live->global_words, state->at + (size_t)edge->target * words,
               words * sizeof *before);
        before_edge(flow, edge, before);
        for (uint32_t k = 0; k < flow->words; k++) set[k] |= before[k];
        flow->effort += flow->words;
    }
}

static void update_location(struct solver *solver, struct view_state *state, uint32_t location) {
    assert(location < location_count(state->view.template) && state->view.process_count);
    struct live_flow *flow = &solver->flow;
    const struct template *template = state->view.template;
    uint32_t words = solver->live->local_words[template->index];
    uint64_t *at = state->at + (size_t)location * words;
    bool has_grown = false;
    arena_reset(&flow->arena);
    memset(&flow->aliases, 0, sizeof flow->aliases);
    memset(&flow->known, 0, sizeof flow->known);
    memset(&flow->values, 0, sizeof flow->values);
    flow->view = &state->view;
    flow->environment.locals = state->view.processes[0]->locals;
    flow->words = solver->live->global_words + words;
    uint64_t *set = ARENA_ARRAY(&flow->arena, uint64_t, flow->words + 1);
    state->is_dirty[location] = false;
    look_at(solver, state, location, set);
    for (uint32_t i = 0; i < words; i++) {
        has_grown |= (set[solver->live->global_words + i] & ~at[i]) != 0;
        at[i] |= set[solver->live->global_words + i];
    }
    for (uint32_t i = 0; i < template->edge_count && has_grown; i++)
        if (template->edges[i].target == location) mark_dirty(state, template->edges[i].source);
    flow->effort += has_grown ? template->edge_count : 1;
    add_global(solver, set);
}

static void solve(struct solver *solver) {
    bool is_changing = true;
    while (is_changing && !live_is_exhausted(&solver->flow)) {
        is_changing = false;
        for (uint32_t v = 0; v < solver->views.count; v++) {
            struct view_state *state = &solver->views.items[v];
            if (!state->is_any_dirty) continue;
            state->is_any_dirty = false;
            is_changing = true;
            for (uint32_t l = location_count(state->view.template); l-- > 0;)
                if (state->is_dirty[l] && !live_is_exhausted(&solver->flow))
                    update_location(solver, state, l);
        }
    }
}

static void take_result(struct solver *solver) {
    struct live *live = solver->live;
    for (uint32_t v = 0; v < solver->views.count; v++) {
        const struct view_state *state = &solver->views.items[v];
        const struct template *template = state->view.template;
        size_t words = (size_t)live->local_words[template->index] * location_count(template);
        for (size_t i = 0; i < words; i++) live->at[template->index][i] |= state->at[i];
    }
    live->is_complete = !live_is_exhausted(&solver->flow);
    for (uint32_t v = 0; v < solver->views.count && live->is_complete; v++)
        assert(!solver->views.items[v].is_any_dirty); /* a fixpoint */
    for (uint32_t i = 0; i < live->variable_count && !live->is_complete; i++)
        mark_live(live, &live->variables[i]);
}

static struct live *begin(struct arena *arena, const struct network *network) {
    struct live *live = ARENA_NEW(arena, struct live);
    *live = (struct live){.network = network, .table = network->effects};
    live->table.arena = arena;
    map_init(&live->of_symbol, arena);
    find_variables(live, arena);
    return live;
}

static void finish(struct live *live) {
    const struct model *model = live->network->model;
    struct arena scratch;
    arena_init(&scratch);
    for (uint32_t i = 0; i < live->variable_count; i++)
        if (live->variables[i].is_observed || live->variables[i].is_passed)
            mark_live(live, &live->variables[i]);
    struct solver solver = {.live = live, .arena = &scratch};
    solver.first_edge = ARENA_ARRAY(&scratch, uint32_t *, model->template_count + 1);
    solver.edges = ARENA_ARRAY(&scratch, uint32_t *, model->template_count + 1);
    solver.flow.live = live;
    arena_init(&solver.flow.arena);
    network_environment(live->network, &solver.flow.environment, &scratch);
    for (uint32_t t = 0; t < model->template_count; t++) add_views(&solver, model->templates[t]);
    solve(&solver);
    take_result(&solver);
    eval_close(&solver.flow.environment);
    arena_close(&solver.flow.arena);
    arena_close(&scratch);
}

struct live *live_new(struct arena *arena, const struct network *network,
                      const struct query *queries, uint32_t query_count) {
    struct live *live = begin(arena, network);
    find_observed(live, queries, query_count);
    finish(live);
    return live;
}

struct live *live_elsewhere(struct arena *arena, const struct live *live) {
    struct live *rest = begin(arena, live->network);
    bool is_any = false;
    assert(rest->variable_count == live->variable_count);
    for (uint32_t i = 0; i < live->variable_count; i++) {
        const struct live_variable *variable = &live->variables[i];
        rest->variables[i].is_observed = variable->is_observed && !variable->in_process;
        is_any |= variable->in_process != NULL;
    }
    if (!is_any) return NULL;
    finish(rest);
    return rest;
}

bool live_at(const struct live *live, const struct live_variable *variable, uint32_t location,
             uint32_t offset) {
    const struct template *template = variable->template;
    assert(offset < variable->shape->cell_count);
    assert(!template || location < location_count(template));
    const uint64_t *set = live->global;
    if (template)
        set = live->at[template->index] + (size_t)location * live->local_words[template->index];
    uint32_t bit = variable->first + (variable->count == 1 ? 0 : offset);
    return set[bit / 64] >> bit % 64 & 1;
}
