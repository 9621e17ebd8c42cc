/* The thread-modular analysis (--approx template): every process on its own, the others only by
 * what they write into shared slots. */
#include "approx/local_domain.h"

#include "approx/domain.h"
#include "approx/priority.h"
#include "approx/relevance.h"

#include <assert.h>
#include <stdlib.h>

/* What is to be done on an edge of the current process. */
struct plan {
    bool *is_relevant; /* by update item: it can change a tracked slot */
    bool *moves;       /* by update item: it reads a removed slot and writes one (A3) */
    bool refines;      /* the invariant of the target speaks of local slots only (A7) */
};

/* The state of one run of the fixpoint. */
struct worker {
    struct analysis *analysis;
    const struct network *network;
    struct arena *arena;        /* of the analysis */
    struct arena scratch;       /* of one edge */
    struct environment environment;
    struct enumerator enumerator;
    const struct process *process;
    struct process_domain *domain; /* of the process */
    const struct edge *edge;
    uint32_t at;                /* location that is_at answers for */
    struct value_set *selects;  /* of the edge */
    struct binding *frame;
    /* what the edge adds, until it is known to be complete */
    struct group_domain **delta;  /* by group */
    uint32_t *touched;            /* by group: valid runs that touched it */
    uint64_t *touched_run;
    VEC(uint32_t) delta_groups;
    struct value_set **shared_delta; /* by slot */
    VEC(uint32_t) shared_slots;
    /* worklists */
    uint64_t **pending;         /* by process: bit set of ranks */
    uint32_t *pending_count;    /* by process */
    uint32_t **rank, **by_rank; /* by template */
    struct dependents {
        VEC(uint64_t) list;     /* process and location */
    } *dependents;              /* by slot */
    struct plan *plans;         /* of the current process: by edge */
    /* groups */
    uint32_t *parent;           /* union-find over slots */
    const bool *is_single;      /* by slot: its relation had overflowed */
    bool has_united;
};

static bool is_shared(const struct worker *worker, uint32_t slot) {
    return worker->network->slots[slot].process == NULL;
}

static uint32_t find_root(struct worker *worker, uint32_t slot) {
    while (worker->parent[slot] != slot) {
        worker->parent[slot] = worker->parent[worker->parent[slot]];
        slot = worker->parent[slot];
    }
    return slot;
}

static void add_pending(struct worker *worker, uint32_t process, uint32_t location) {
    uint32_t template = worker->network->processes[process].template->index;
    uint32_t rank = worker->rank[template][location];
    uint64_t bit = UINT64_C(1) << (rank % 64), *word = &worker->pending[process][rank / 64];
    if (*word & bit) return;
    *word |= bit;
    worker->pending_count[process]++;
}

static uint32_t take_pending(struct worker *worker, uint32_t process) {
    uint64_t *words = worker->pending[process];
    uint32_t word = 0;
    while (!words[word]) word++;
    uint32_t bit = (uint32_t)__builtin_ctzll(words[word]);
    words[word] &= words[word] - 1;
    worker->pending_count[process]--;
    uint32_t template = worker->network->processes[process].template->index;
    return worker->by_rank[template][word * 64 + bit];
}

/* The current edge has read a shared slot: it runs again when the slot's set grows. */
static void depend(struct worker *worker, uint32_t slot) {
    struct dependents *dependents = &worker->dependents[slot];
    uint64_t key = (uint64_t)worker->process->index << 32 | worker->edge->source;
    for (uint32_t i = dependents->list.count, k = 0; i-- > 0 && k < 4; k++)
        if (dependents->list.items[i] == key) return;
    VEC_PUSH(worker->arena, &dependents->list, key);
}

/* Enumerator hook: what is known of a cell in the source location. */
static struct cell_domain cell_domain(void *context, uint32_t address) {
    struct worker *worker = context;
    const struct network *network = worker->network;
    if (address >= network->cell_count)
        return (struct cell_domain){.set = &worker->selects[address - network->cell_count]};
    uint32_t slot = network->slot_of[address];
    if (slot == NO_SLOT) return (struct cell_domain){0};
    if (is_shared(worker, slot)) {
        depend(worker, slot);
        return (struct cell_domain){.set = &worker->analysis->shared[slot]};
    }
    if (!worker->analysis->is_tracked[slot])
        return (struct cell_domain){.set = &worker->analysis->shared[slot]};
    uint32_t group = worker->analysis->group_of[slot];
    return group_cell(&worker->domain->groups[group],
                      &worker->domain->locations[worker->edge->source].groups[group]);
}

static bool is_at(void *context, const struct symbol *location) {
    const struct enumerator *enumerator = context;
    const struct worker *worker = enumerator->context;
    return location->location == worker->at && location->template == worker->process->template;
}

static void forget_shared(struct worker *worker) {
    struct enumerator *enumerator = &worker->enumerator;
    for (uint32_t i = 0; i < enumerator->touched.count; i++) {
        uint32_t address = enumerator->touched.items[i];
        if (address >= worker->network->cell_count) continue;
        uint32_t slot = worker->network->slot_of[address];
        if (slot != NO_SLOT && is_shared(worker, slot)) enumerator_forget(enumerator, address);
    }
}

/* Binds the selects of the edge to cells behind the memory. False if a range is not known. */
static bool bind_selects(struct worker *worker) {
    struct environment *environment = &worker->environment;
    const struct edge *edge = worker->edge;
    environment->frame = worker->frame;
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct shape *shape = eval_shape(environment, edge->selects[i]->type);
        environment->fault = (struct fault){0};
        if (!shape || shape->kind != SHAPE_CELL) return false;
        worker->selects[i] = value_set_range(shape->lower, shape->upper);
        worker->frame[edge->selects[i]->index] =
            (struct binding){worker->network->cell_count + i, shape};
    }
    return true;
}

/* Rule A3: the removed slots of one guard, or of a flow, belong together. */
static void unite_touched(struct worker *worker) {
    const struct network *network = worker->network;
    uint32_t slots[4], count = 0;
    for (uint32_t i = 0; i < worker->enumerator.touched.count; i++) {
        uint32_t address = worker->enumerator.touched.items[i];
        uint32_t slot = address < network->cell_count ? network->slot_of[address] : NO_SLOT;
        if (slot == NO_SLOT || is_shared(worker, slot) || worker->is_single[slot] ||
            !worker->analysis->is_removed[slot])
            continue;
        if (count == 4) return; /* loops over whole arrays relate nothing in particular */
        slots[count++] = slot;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t left = find_root(worker, slots[0]), right = find_root(worker, slots[i]);
        if (left == right) continue;
        worker->parent[right] = left;
        worker->has_united = true;
    }
}

/* A flow from a slot that was looked at before: the item reads one and writes the other. */
static bool item_moves_removed(const struct worker *worker, struct effects_table *table,
                               const struct expr *item) {
    struct effects effects = {0};
    effects_add_expr(table, &effects, item);
    bool reads = false, writes = false;
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        if (effect->symbol->scope != SCOPE_TEMPLATE) continue;
        const struct binding *binding = &worker->process->locals[effect->symbol->index];
        if (!binding->shape) continue;
        uint32_t slot = worker->network->slot_of[binding->address];
        if (slot == NO_SLOT || !worker->analysis->is_removed[slot]) continue;
        reads |= effect->reads;
        writes |= effect->writes;
    }
    return reads && writes;
}

static bool run_guard(struct worker *worker, struct edge_fact *fact) {
    struct enumerator *enumerator = &worker->enumerator;
    int32_t value = worker->edge->guard ? eval_int(&worker->environment, worker->edge->guard) : 1;
    unite_touched(worker);
    if (worker->environment.fault.kind && worker->environment.fault.kind != FAULT_STOPPED)
        fact->guard_faults = true;
    return enumerator_is_valid(enumerator) && value != 0;
}

static bool run_updates(struct worker *worker, struct edge_fact *fact, const struct plan *plan) {
    const struct edge *edge = worker->edge;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        if (!plan->is_relevant[i]) continue;
        bool ok = eval_effect(&worker->environment, edge->updates.items[i]);
        if (plan->moves[i]) unite_touched(worker);
        if (ok) continue;
        if (worker->environment.fault.kind != FAULT_STOPPED) fact->item_faults[i] = true;
        return false;
    }
    return enumerator_is_valid(&worker->enumerator);
}

/* Rule A7. Shared slots may change again within the step, so they refine nothing. */
static bool invariant_is_local(struct effects_table *table, const struct expr *invariant) {
    struct effects effects = {0};
    effects_add_expr(table, &effects, invariant);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct symbol *symbol = effects.list.items[i].symbol;
        if (symbol->is_reference) return false;
        if (symbol->scope == SCOPE_GLOBAL && !symbol_is_const(symbol)) return false;
    }
    return true;
}

static void collect_shared(struct worker *worker, uint32_t slot, int32_t value) {
    struct value_set **delta = &worker->shared_delta[slot];
    if (!*delta) {
        *delta = ARENA_NEW(&worker->scratch, struct value_set);
        **delta = value_set_empty();
        VEC_PUSH(&worker->scratch, &worker->shared_slots, slot);
    }
    struct bounds bounds = slot_bounds(worker->analysis, slot);
    value_set_add(&worker->scratch, *delta, value, &bounds);
}

static void collect_written_shared(struct worker *worker) {
    const struct network *network = worker->network;
    struct enumerator *enumerator = &worker->enumerator;
    for (uint32_t i = 0; i < enumerator->touched.count; i++) {
        uint32_t address = enumerator->touched.items[i];
        if (address >= network->cell_count || !enumerator_has_written(enumerator, address))
            continue;
        uint32_t slot = network->slot_of[address];
        if (slot != NO_SLOT && is_shared(worker, slot))
            collect_shared(worker, slot, worker->environment.cells[address]);
    }
}

static struct group_domain *delta_of(struct worker *worker, uint32_t group) {
    struct group_domain **delta = &worker->delta[group];
    if (!*delta) {
        *delta = ARENA_NEW(&worker->scratch, struct group_domain);
        group_domain_init(&worker->domain->groups[group], *delta);
        VEC_PUSH(&worker->scratch, &worker->delta_groups, group);
    }
    return *delta;
}

static void collect_groups(struct worker *worker) {
    const struct network *network = worker->network;
    struct enumerator *enumerator = &worker->enumerator;
    for (uint32_t i = 0; i < enumerator->touched.count; i++) {
        uint32_t address = enumerator->touched.items[i];
        uint32_t slot = address < network->cell_count ? network->slot_of[address] : NO_SLOT;
        if (slot == NO_SLOT || is_shared(worker, slot) || !worker->analysis->is_tracked[slot])
            continue;
        uint32_t group = worker->analysis->group_of[slot];
        if (worker->touched_run[group] == enumerator->run) continue;
        worker->touched_run[group] = enumerator->run;
        struct group *of = &worker->domain->groups[group];
        struct group_domain *delta = delta_of(worker, group);
        worker->touched[group]++;
        group_add_cells(worker->analysis, &worker->scratch, of, delta,
                        worker->environment.cells);
    }
}

/* Past the budget: whatever the relevant items may write gets any value that its interval allows,
 * and the rest stays (A5). */
static void havoc(struct worker *worker, const struct plan *plan) {
    const struct network *network = worker->network;
    struct effects_table table = network->effects;
    struct effects effects = {0};
    table.arena = &worker->scratch;
    for (uint32_t i = 0; i < worker->edge->updates.count; i++)
        if (plan->is_relevant[i])
            effects_add_expr(&table, &effects, worker->edge->updates.items[i]);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        if (!effect->writes || effect->symbol->scope == SCOPE_FRAME) continue;
        const struct binding *binding = effect->symbol->scope == SCOPE_GLOBAL
                                            ? &network->globals[effect->symbol->index]
                                            : &worker->process->locals[effect->symbol->index];
        for (uint32_t k = 0; binding->shape && k < binding->shape->cell_count; k++) {
            uint32_t slot = network->slot_of[binding->address + k];
            if (slot == NO_SLOT || !worker->analysis->is_tracked[slot]) continue;
            struct value_set any =
                value_set_range(network->slots[slot].lower, network->slots[slot].upper);
            if (is_shared(worker, slot)) {
                collect_shared(worker, slot, any.lower);
                *worker->shared_delta[slot] = any;
                continue;
            }
            uint32_t group = worker->analysis->group_of[slot];
            group_add_any(worker->analysis, &worker->scratch, &worker->domain->groups[group],
                          delta_of(worker, group));
        }
    }
}

static void clear_delta(struct worker *worker) {
    for (uint32_t i = 0; i < worker->delta_groups.count; i++) {
        uint32_t group = worker->delta_groups.items[i];
        worker->delta[group] = NULL;
        worker->touched[group] = 0;
    }
    for (uint32_t i = 0; i < worker->shared_slots.count; i++)
        worker->shared_delta[worker->shared_slots.items[i]] = NULL;
    memset(&worker->delta_groups, 0, sizeof worker->delta_groups);
    memset(&worker->shared_slots, 0, sizeof worker->shared_slots);
}

static void commit_shared(struct worker *worker) {
    struct analysis *analysis = worker->analysis;
    for (uint32_t i = 0; i < worker->shared_slots.count; i++) {
        uint32_t slot = worker->shared_slots.items[i];
        struct bounds bounds = slot_bounds(analysis, slot);
        if (!analysis->is_tracked[slot] ||
            !value_set_join(worker->arena, &analysis->shared[slot], worker->shared_delta[slot],
                            &bounds))
            continue;
        struct dependents *dependents = &worker->dependents[slot];
        for (uint32_t k = 0; k < dependents->list.count; k++)
            add_pending(worker, (uint32_t)(dependents->list.items[k] >> 32),
                        (uint32_t)dependents->list.items[k]);
        dependents->list.count = 0;
    }
}

/* runs: valid runs; groups that some run left alone keep all their values. */
static void commit(struct worker *worker, uint32_t runs) {
    struct analysis *analysis = worker->analysis;
    struct location_domain *source = &worker->domain->locations[worker->edge->source];
    struct location_domain *target = &worker->domain->locations[worker->edge->target];
    commit_shared(worker);
    if (!runs) return;
    bool grew = !target->is_reached;
    target->is_reached = true;
    for (uint32_t g = 0; g < worker->domain->group_count; g++) {
        struct group *group = &worker->domain->groups[g];
        if (worker->delta[g])
            grew |= group_join(analysis, worker->arena, group, &target->groups[g],
                               worker->delta[g]);
        if (target != source && worker->touched[g] < runs)
            grew |= group_join(analysis, worker->arena, group, &target->groups[g],
                               &source->groups[g]);
    }
    if (grew) add_pending(worker, worker->process->index, worker->edge->target);
}

static void add_note(struct analysis *analysis, const struct template *template, uint32_t edge,
                     const char *text) {
    for (uint32_t i = 0; i < analysis->notes.count; i++) {
        const struct analysis_note *note = &analysis->notes.items[i];
        if (note->template == template && note->edge == edge && note->text == text) return;
    }
    VEC_PUSH(analysis->arena, &analysis->notes, (struct analysis_note){template, edge, text});
}

static uint32_t enumerate_edge(struct worker *worker, struct edge_fact *fact,
                               const struct plan *plan) {
    const struct edge *edge = worker->edge;
    const struct template *template = worker->process->template;
    const struct expr *invariant = template->locations[edge->target].invariant;
    bool is_second = (edge->sync && !edge->is_send) || edge->leaves_branchpoint;
    uint32_t runs = 0;
    enumerator_start(&worker->enumerator);
    do {
        worker->at = edge->source;
        worker->analysis->evaluation_count++;
        if (!run_guard(worker, fact)) continue;
        if (is_second) forget_shared(worker); /* rules A2 and M6 */
        if (!run_updates(worker, fact, plan)) continue;
        collect_written_shared(worker);
        worker->at = edge->target;
        worker->environment.frame = NULL;
        bool holds = !plan->refines || eval_int(&worker->environment, invariant) != 0;
        worker->environment.frame = worker->frame;
        if (!holds || !enumerator_is_valid(&worker->enumerator)) continue;
        collect_groups(worker);
        if (enumerator_is_valid(&worker->enumerator)) runs++;
    } while (enumerator_next(&worker->enumerator));
    return runs;
}

static void run_edge(struct worker *worker, uint32_t index) {
    struct analysis *analysis = worker->analysis;
    const struct template *template = worker->process->template;
    struct edge_fact *fact = &analysis->edges[template->index][index];
    const struct plan *plan = &worker->plans[index];
    worker->edge = &template->edges[index];
    bool known = bind_selects(worker);
    uint32_t runs = known ? enumerate_edge(worker, fact, plan) : 0;
    if (known && enumerator_failed(&worker->enumerator)) {
        clear_delta(worker);
        havoc(worker, plan);
        runs = 1;
        fact->is_incomplete = true;
        add_note(analysis, template, index, "more combinations than the budget: taken as ranges");
    }
    if (runs) fact->is_reached = true;
    commit(worker, runs);
    clear_delta(worker);
    arena_reset(&worker->scratch);
}

static void make_plans(struct worker *worker, struct arena *arena) {
    const struct template *template = worker->process->template;
    struct effects_table table = worker->network->effects; /* knows all functions */
    table.arena = arena;
    worker->plans = ARENA_ARRAY(arena, struct plan, template->edge_count + 1);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct expr_list *updates = &template->edges[i].updates;
        const struct expr *invariant = template->locations[template->edges[i].target].invariant;
        struct plan *plan = &worker->plans[i];
        plan->is_relevant = ARENA_ARRAY(arena, bool, updates->count + 1);
        plan->moves = ARENA_ARRAY(arena, bool, updates->count + 1);
        plan->refines = invariant && invariant_is_local(&table, invariant);
        for (uint32_t k = 0; k < updates->count; k++) {
            plan->is_relevant[k] = relevance_of_item(worker->analysis, &table, worker->process,
                                                     updates->items[k]);
            plan->moves[k] = item_moves_removed(worker, &table, updates->items[k]);
        }
    }
}

static void run_process(struct worker *worker, uint32_t process, struct arena *arena) {
    const struct template *template = worker->network->processes[process].template;
    worker->process = &worker->network->processes[process];
    worker->domain = &worker->analysis->processes[process];
    worker->environment.locals = worker->process->locals;
    make_plans(worker, arena);
    while (worker->pending_count[process]) {
        uint32_t location = take_pending(worker, process);
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (template->edges[i].source == location) run_edge(worker, i);
    }
    arena_reset(arena);
}

/* Ranks of the locations of each template. */
static void rank_locations(struct worker *worker) {
    const struct model *model = worker->network->model;
    struct arena *arena = worker->arena;
    worker->rank = ARENA_ARRAY(arena, uint32_t *, model->template_count + 1);
    worker->by_rank = ARENA_ARRAY(arena, uint32_t *, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        uint32_t count = template->location_count + template->branchpoint_count;
        uint32_t *first = ARENA_ARRAY(arena, uint32_t, count + 2);
        uint32_t *target = ARENA_ARRAY(arena, uint32_t, template->edge_count + 1);
        for (uint32_t i = 0; i < template->edge_count; i++) first[template->edges[i].source + 1]++;
        for (uint32_t i = 0; i < count; i++) first[i + 1] += first[i];
        uint32_t *fill = ARENA_ARRAY(arena, uint32_t, count + 1);
        for (uint32_t i = 0; i < template->edge_count; i++) {
            uint32_t source = template->edges[i].source;
            target[first[source] + fill[source]++] = template->edges[i].target;
        }
        struct graph graph = {count, first, target};
        worker->rank[t] = priority_ranks(arena, &graph);
        worker->by_rank[t] = ARENA_ARRAY(arena, uint32_t, count + 1);
        for (uint32_t i = 0; i < count; i++) worker->by_rank[t][worker->rank[t][i]] = i;
    }
}

/* The class of a slot, which is the slot alone where a relation would be too large (A5). */
static uint32_t class_of(struct worker *worker, const uint32_t *dimension, uint32_t slot) {
    uint32_t root = find_root(worker, slot);
    return dimension[root] > GROUP_MAX_DIMENSION ? slot : root;
}

/* Tracked local slots by process, as groups of the union-find classes. */
static void build_groups(struct worker *worker) {
    struct analysis *analysis = worker->analysis;
    const struct network *network = worker->network;
    uint32_t *dimension = ARENA_ARRAY(worker->arena, uint32_t, network->slot_count + 1);
    uint32_t *of_root = ARENA_ARRAY(worker->arena, uint32_t, network->slot_count + 1);
    uint32_t *count = ARENA_ARRAY(worker->arena, uint32_t, network->process_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        if (is_shared(worker, i) || !analysis->is_tracked[i]) continue;
        dimension[find_root(worker, i)]++;
        count[network->slots[i].process->index]++;
    }
    for (uint32_t p = 0; p < network->process_count; p++) {
        analysis->processes[p].groups = ARENA_ARRAY(worker->arena, struct group, count[p] + 1);
        analysis->processes[p].group_count = 0;
    }
    for (uint32_t i = 0; i < network->slot_count; i++) {
        if (is_shared(worker, i) || !analysis->is_tracked[i]) continue;
        uint32_t root = class_of(worker, dimension, i);
        struct process_domain *domain = &analysis->processes[network->slots[i].process->index];
        if (!of_root[root]) {
            of_root[root] = ++domain->group_count;
            domain->groups[of_root[root] - 1].addresses =
                ARENA_ARRAY(worker->arena, uint32_t, GROUP_MAX_DIMENSION);
        }
        struct group *group = &domain->groups[of_root[root] - 1];
        group->addresses[group->dimension++] = network->slots[i].address;
        analysis->group_of[i] = of_root[root] - 1;
    }
}

static void init_domains(struct worker *worker) {
    struct analysis *analysis = worker->analysis;
    const struct network *network = worker->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        struct process_domain *domain = &analysis->processes[p];
        uint32_t locations = template->location_count + template->branchpoint_count;
        domain->locations = ARENA_ARRAY(worker->arena, struct location_domain, locations + 1);
        for (uint32_t l = 0; l < locations; l++) {
            domain->locations[l].groups =
                ARENA_ARRAY(worker->arena, struct group_domain, domain->group_count + 1);
            for (uint32_t g = 0; g < domain->group_count; g++)
                group_domain_init(&domain->groups[g], &domain->locations[l].groups[g]);
        }
        struct location_domain *initial = &domain->locations[template->initial];
        initial->is_reached = true;
        for (uint32_t g = 0; g < domain->group_count; g++)
            group_add_cells(analysis, worker->arena, &domain->groups[g], &initial->groups[g],
                            network->cells);
        add_pending(worker, p, template->initial);
    }
}

/* What update hooks write may hold anything, since they run in every step; slots that are not
 * tracked may anyway. */
static void init_shared(struct worker *worker) {
    struct analysis *analysis = worker->analysis;
    const struct network *network = worker->network;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        bool is_any = !analysis->is_tracked[i] ||
                      effects_writes(&network->before_update, slot->symbol) ||
                      effects_writes(&network->after_update, slot->symbol);
        analysis->shared[i] = value_set_empty();
        struct bounds bounds = slot_bounds(analysis, i);
        if (is_any)
            analysis->shared[i] = value_set_range(slot->lower, slot->upper);
        value_set_add(worker->arena, &analysis->shared[i], slot->initial, &bounds);
    }
}

static void allocate(struct worker *worker) {
    const struct network *network = worker->network;
    const struct model *model = network->model;
    struct arena *arena = worker->arena;
    uint32_t selects = 0, frame = model->system_frame_size, groups = 0;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            if (edge->select_count > selects) selects = edge->select_count;
            if (edge->frame_size > frame) frame = edge->frame_size;
        }
    worker->selects = ARENA_ARRAY(arena, struct value_set, selects + 1);
    worker->frame = ARENA_ARRAY(arena, struct binding, frame + 1);
    network_environment(network, &worker->environment, arena);
    eval_push(&worker->environment, selects);
    enumerator_init(&worker->enumerator, arena, &worker->environment,
                    network->cell_count + selects, worker->analysis->options.budget);
    worker->enumerator.domain = cell_domain;
    worker->enumerator.context = worker;
    worker->environment.is_at = is_at;
    for (uint32_t p = 0; p < network->process_count; p++)
        if (worker->analysis->processes[p].group_count > groups)
            groups = worker->analysis->processes[p].group_count;
    worker->delta = ARENA_ARRAY(arena, struct group_domain *, groups + 1);
    worker->touched = ARENA_ARRAY(arena, uint32_t, groups + 1);
    worker->touched_run = ARENA_ARRAY(arena, uint64_t, groups + 1);
    worker->shared_delta = ARENA_ARRAY(arena, struct value_set *, network->slot_count + 1);
    worker->dependents = ARENA_ARRAY(arena, struct dependents, network->slot_count + 1);
    worker->pending = ARENA_ARRAY(arena, uint64_t *, network->process_count + 1);
    worker->pending_count = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct template *template = network->processes[p].template;
        uint32_t count = template->location_count + template->branchpoint_count;
        worker->pending[p] = ARENA_ARRAY(arena, uint64_t, count / 64 + 1);
    }
}

/* One fixpoint with the groups as they are. */
static void run(struct worker *worker) {
    allocate(worker);
    rank_locations(worker);
    init_shared(worker);
    init_domains(worker);
    struct arena plans;
    arena_init(&plans);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < worker->network->process_count; p++) {
            if (!worker->pending_count[p]) continue;
            run_process(worker, p, &plans);
            more = true;
        }
    }
    arena_close(&plans);
    eval_close(&worker->environment);
}

static void clear_facts(struct analysis *analysis) {
    const struct model *model = analysis->network->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            struct edge_fact *fact = &analysis->edges[t][i];
            bool *faults = fact->item_faults;
            uint32_t count = model->templates[t]->edges[i].updates.count;
            memset(faults, 0, count * sizeof *faults);
            *fact = (struct edge_fact){.item_faults = faults};
        }
    analysis->notes.count = 0;
}

/* Slots of relations that overflowed stand alone from now on. True if there were any. */
static bool separate_overflowed(const struct worker *worker, bool *is_single) {
    bool found = false;
    for (uint32_t p = 0; p < worker->network->process_count; p++) {
        const struct process_domain *domain = &worker->analysis->processes[p];
        for (uint32_t g = 0; g < domain->group_count; g++) {
            const struct group *group = &domain->groups[g];
            if (!group->has_overflowed) continue;
            found = true;
            for (uint32_t k = 0; k < group->dimension; k++)
                is_single[worker->network->slot_of[group->addresses[k]]] = true;
        }
    }
    return found;
}

/* Groups are found by running: as soon as a run relates slots of different groups, the fixpoint
 * is computed anew with these groups joined, until no more relations show up. */
void local_domain_compute(struct analysis *analysis) {
    const struct network *network = analysis->network;
    uint32_t slots = network->slot_count;
    uint32_t *parent = ARENA_ARRAY(analysis->arena, uint32_t, slots + 1);
    bool *is_single = ARENA_ARRAY(analysis->arena, bool, slots + 1);
    for (uint32_t i = 0; i < slots; i++) parent[i] = i;
    for (bool again = true; again;) {
        struct worker worker = {.analysis = analysis, .network = network,
                                .arena = analysis->arena, .parent = parent,
                                .is_single = is_single};
        arena_init(&worker.scratch);
        clear_facts(analysis);
        build_groups(&worker);
        run(&worker);
        arena_close(&worker.scratch);
        again = worker.has_united;
        if (!separate_overflowed(&worker, is_single)) continue;
        again = true;
        for (uint32_t i = 0; i < slots; i++)
            if (is_single[find_root(&worker, i)] || is_single[i]) is_single[i] = true;
        for (uint32_t i = 0; i < slots; i++)
            if (is_single[i]) parent[i] = i;
    }
}
