/* What labels make of sets of tuples. */
#include "approx/labels/label_run.h"

#include "approx/labels/interference.h"

#include <assert.h>

/* Hooks of the enumerator. */

/* Whether something may have changed a slot since the guard was read (A2). */
static bool is_forgotten(const struct label_run *run, unsigned what, uint32_t slot) {
    const struct network *network = run->network;
    return (what & FORGET_SHARED && slot_is_shared(network, slot)) ||
           (what & FORGET_HOOKED && run->is_hooked && run->is_hooked[slot]) ||
           (what & FORGET_META && network->slots[slot].is_meta);
}

struct cell_domain label_run_domain(const struct label_run *run, uint32_t address) {
    assert(address < run->enumerator.cell_count);
    const struct network *network = run->network;
    if (address >= network->cell_count)
        return (struct cell_domain){.set = &run->selects[address - network->cell_count]};
    uint32_t slot = network->slot_of[address];
    if (slot == NO_SLOT) return (struct cell_domain){0};
    return run->domain(run->context, slot);
}

/* By what the guards of this step ask of it. */
const struct narrowed *label_run_narrowed(const struct label_run *run, uint32_t address) {
    const struct network *network = run->network;
    for (uint32_t i = 0; i < run->narrowing.count; i++) {
        const struct narrowed *cell = &run->narrowing.cells[i];
        if (cell->address != address) continue;
        bool is_slot = address < network->cell_count;
        return is_slot && is_forgotten(run, run->forgotten, network->slot_of[address]) ? NULL
                                                                                       : cell;
    }
    return NULL;
}

/* The domain with the set that the guard leaves, if that counts. */
struct cell_domain label_run_known(const struct label_run *run, uint32_t address) {
    struct cell_domain domain = label_run_domain(run, address);
    const struct narrowed *cell = label_run_narrowed(run, address);
    if (cell) domain.set = &run->narrowed[cell - run->narrowing.cells];
    return domain;
}

static struct cell_domain known(void *context, uint32_t address) {
    return label_run_known(context, address);
}

static bool is_fixed(void *context, uint32_t address) {
    const struct enumerator *enumerator = context;
    const struct label_run *run = enumerator->context;
    return address < run->network->cell_count && run->network->slot_of[address] == NO_SLOT;
}

static bool is_at(void *context, const struct symbol *location) {
    struct enumerator *enumerator = context;
    const struct label_run *run = enumerator->context;
    if (location->template != run->process->template) return false;
    if (run->is_anywhere) return enumerator_choose(enumerator, 2) != 0;
    return location->location == run->at;
}

/* Over (T2): a comparison of clocks may hold. A label holds where all of its comparisons do, if it
 * holds anywhere. */
static bool clock_holds(void *context, const struct clock_comparison *comparison) {
    (void)context, (void)comparison;
    return true;
}

static void write_value(struct label_run *run, uint32_t slot, int32_t value) {
    assert(slot < run->network->slot_count && slot_is_shared(run->network, slot));
    struct value_set **written = &run->written[slot];
    if (!*written) {
        *written = ARENA_NEW(&run->scratch, struct value_set);
        **written = value_set_empty();
        VEC_PUSH(&run->scratch, &run->written_slots, slot);
    }
    struct bounds bounds = slot_bounds(run->analysis, slot);
    value_set_add(&run->scratch, *written, value, &bounds);
}

/* Over: any value from lower to upper, within the range of the slot. */
void label_run_write_range(struct label_run *run, uint32_t slot, int32_t lower, int32_t upper) {
    struct bounds bounds = slot_bounds(run->analysis, slot);
    struct value_set values = value_set_range(lower, upper);
    assert(lower <= upper);
    write_value(run, slot, lower);
    value_set_join(&run->scratch, run->written[slot], &values, &bounds);
}

/* Rule A2: every value counts, also one that is overwritten in the same step. */
static void wrote(void *context, uint32_t address, int32_t value) {
    struct label_run *run = context;
    const struct network *network = run->network;
    if (address >= network->cell_count) return;
    uint32_t slot = network->slot_of[address];
    if (slot != NO_SLOT && slot_is_shared(network, slot) && run->analysis->is_tracked[slot])
        write_value(run, slot, value);
}

static const bool *hooked_slots(const struct network *network, struct arena *arena) {
    if (!network->before_update.list.count && !network->after_update.list.count) return NULL;
    bool *is_hooked = ARENA_ARRAY(arena, bool, network->slot_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++) is_hooked[i] = slot_is_hooked(network, i);
    return is_hooked;
}

/* Legs are numbered below leg_count. Borrows the analysis; close it. */
void label_run_init(struct label_run *run, struct analysis *analysis, uint32_t leg_count) {
    const struct network *network = analysis->network;
    struct arena *arena = analysis->arena;
    *run = (struct label_run){.analysis = analysis, .network = network, .leg_count = leg_count};
    arena_init(&run->scratch);
    struct edge_sizes most = model_edge_sizes(network->model);
    run->select_count = most.selects;
    uint32_t selects = run->select_count * leg_count;
    run->selects = ARENA_ARRAY(arena, struct value_set, selects + 1);
    run->frames = ARENA_ARRAY(arena, struct binding *, leg_count + 1);
    for (uint32_t i = 0; i < leg_count; i++)
        run->frames[i] = ARENA_ARRAY(arena, struct binding, most.frame + 1);
    network_environment(network, &run->environment, arena);
    eval_push(&run->environment, selects);
    enumerator_init(&run->enumerator, arena, &run->environment, network->cell_count + selects,
                    analysis->options.budget);
    run->enumerator.domain = known;
    run->enumerator.wrote = wrote;
    run->enumerator.context = run;
    run->environment.is_at = is_at;
    run->environment.clock_holds = clock_holds;
    run->environment.is_fixed = is_fixed;
    run->written = ARENA_ARRAY(arena, struct value_set *, network->slot_count + 1);
    run->is_hooked = hooked_slots(network, arena);
}

/* Frees heap memory; deltas filled by the run are gone as well. */
void label_run_close(struct label_run *run) {
    eval_close(&run->environment);
    arena_close(&run->scratch);
}

/* Plans. */

/* A flow between removed slots of the process: the item reads one and writes one. */
static bool item_moves(const struct analysis *analysis, const struct process *process,
                       const struct effects *item) {
    const struct network *network = analysis->network;
    bool reads = false, writes = false;
    for (uint32_t i = 0; i < item->list.count; i++) {
        const struct effect *effect = &item->list.items[i];
        const struct binding *binding = relevance_binding(network, process, effect->symbol);
        uint32_t slot = binding ? network->slot_of[binding->address] : NO_SLOT;
        if (slot == NO_SLOT || slot_is_shared(network, slot) || !analysis->is_removed[slot])
            continue;
        reads |= effect->reads;
        writes |= effect->writes;
    }
    return reads && writes;
}

/* Rule A7, for one conjunct. Where a process is run alone, others may still change shared slots in
 * the step. */
static bool conjunct_refines(const struct analysis *analysis, const struct process *process,
                             const struct effects *conjunct, bool is_alone) {
    const struct network *network = analysis->network;
    for (uint32_t i = 0; i < conjunct->list.count; i++) {
        const struct binding *binding =
            relevance_binding(network, process, conjunct->list.items[i].symbol);
        for (uint32_t k = 0; binding && k < binding->shape->cell_count; k++) {
            uint32_t slot = network->slot_of[binding->address + k];
            if (slot == NO_SLOT) continue;
            if (is_alone && slot_is_shared(network, slot)) return false;
            if (analysis->options.is_must && analysis->is_removed[slot]) return false;
        }
    }
    return true;
}

/* By conjunct of the invariant; NULL if none refines. */
static bool *refining_conjuncts(const struct analysis *analysis, const struct process *process,
                                uint32_t location, bool is_alone) {
    uint32_t template = process->template->index, refining = 0;
    uint32_t count = conjunct_count(invariant_at(analysis->network, process->template, location));
    assert(location < process->template->location_count || !count); /* branchpoints have none */
    if (!count) return NULL;
    bool *refines = ARENA_ARRAY(analysis->arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct effects *conjunct = &analysis->summary->invariants[template][location][i];
        refines[i] = conjunct_refines(analysis, process, conjunct, is_alone);
        refining += refines[i];
    }
    return refining ? refines : NULL;
}

bool label_run_is_within_step(const struct analysis *analysis, const struct template *template,
                              const struct edge *edge) {
    bool receives = edge->sync && !edge->is_send;
    assert(template_has_edge(template, edge));
    return (receives && (analysis->options.has_ghosts ||
                         interference_disturbs(analysis->interference, template, edge))) ||
           edge->leaves_branchpoint ||
           (template->locations[edge->target].is_branchpoint &&
            analysis->summary->has_receiving_branch[template->index]);
}

struct edge_plan *label_run_plans(struct analysis *analysis, const struct process *process,
                                  bool is_alone) {
    const struct template *template = process->template;
    struct arena *arena = analysis->arena;
    struct edge_plan *plans = ARENA_ARRAY(arena, struct edge_plan, template->edge_count + 1);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        const struct effects *items = analysis->summary->items[template->index][i];
        struct edge_plan *plan = &plans[i];
        plan->is_relevant = ARENA_ARRAY(arena, bool, edge->updates.count + 1);
        plan->moves = ARENA_ARRAY(arena, bool, edge->updates.count + 1);
        plan->drops_conjunct = ARENA_ARRAY(
            arena, bool, conjunct_count(guard_of_edge(analysis->network, template, edge)) + 1);
        for (uint32_t k = 0; k < edge->updates.count; k++) {
            plan->is_relevant[k] = relevance_of_item(analysis, process, &items[k]);
            plan->moves[k] = item_moves(analysis, process, &items[k]);
        }
        plan->refines = refining_conjuncts(analysis, process, edge->target, is_alone);
        plan->is_within_step = label_run_is_within_step(analysis, template, edge);
        plan->ignores_guard = edge->leaves_branchpoint;
    }
    return plans;
}

/* Runs of labels. */

void label_run_begin(struct label_run *run) { run->forgotten = 0; }

static void enter(struct label_run *run, const struct leg *leg, uint32_t number) {
    assert(number < run->leg_count &&
           leg->edge->source <
               leg->process->template->location_count + leg->process->template->branchpoint_count);
    run->process = leg->process;
    run->at = leg->edge->source;
    run->is_anywhere = false;
    run->environment.locals = leg->process->locals;
    run->environment.frame = run->frames[number];
}

bool label_run_bind(struct label_run *run, const struct leg *leg, uint32_t number) {
    assert(number < run->leg_count);
    struct environment *environment = &run->environment;
    uint32_t first = number * run->select_count;
    enter(run, leg, number);
    environment->fault = (struct fault){0};
    for (uint32_t i = 0; i < leg->edge->select_count; i++) {
        const struct symbol *select = leg->edge->selects[i];
        assert(select->index < leg->edge->frame_size);
        assert(i < run->select_count);
        const struct shape *shape = eval_shape(environment, select->type);
        environment->fault = (struct fault){0};
        if (!shape || shape->kind != SHAPE_CELL) return false;
        const struct data_kind *part = narrowed_range(run->analysis->options.narrowed, select);
        run->selects[first + i] = part ? value_set_range(part->lower, part->upper)
                                       : value_set_range(shape->lower, shape->upper);
        run->frames[number][select->index] =
            (struct binding){run->network->cell_count + first + i, shape};
    }
    return true;
}

/* Whether the last evaluation ended with an error of the model. */
static bool has_fault(struct label_run *run) {
    enumerator_account(&run->enumerator);
    enum fault_kind kind = run->environment.fault.kind;
    return kind && kind != FAULT_STOPPED && kind != FAULT_STEPS && kind != FAULT_UNBOUND;
}

static bool run_condition(struct label_run *run, const struct expr *expr, struct edge_fact *fact) {
    bool holds = eval_int(&run->environment, expr) != 0;
    if (has_fault(run) && fact) fact->guard_faults = true;
    return holds && enumerator_is_valid(&run->enumerator);
}

/* The conjuncts from left to right, those with the given mark; next counts them. */
static bool run_conjuncts(struct label_run *run, const struct expr *expr, const bool *marks,
                          bool mark, uint32_t *next, struct edge_fact *fact) {
    if (expr->kind == EXPR_BINARY && expr->op == OP_AND)
        return run_conjuncts(run, expr->child[0], marks, mark, next, fact) &&
               run_conjuncts(run, expr->child[1], marks, mark, next, fact);
    assert(expr);
    return marks[(*next)++] != mark || run_condition(run, expr, fact);
}

bool label_run_guard(struct label_run *run, const struct leg *leg, uint32_t number) {
    enter(run, leg, number);
    const struct expr *guard = leg->guard;
    uint32_t next = 0;
    if (!guard) return enumerator_is_valid(&run->enumerator);
    if (leg->plan->ignores_guard) {
        leg->fact->guard_faults = true;
        return enumerator_is_valid(&run->enumerator);
    }
    assert(leg->fact);
    if (leg->plan->is_relaxed)
        return run_conjuncts(run, guard, leg->plan->drops_conjunct, false, &next, leg->fact);
    return run_condition(run, guard, leg->fact);
}

/* The relevant items in order; false if one fails or has no value to read. Faults are noted. */
bool label_run_updates(struct label_run *run, const struct leg *leg, uint32_t number) {
    const struct expr_list *updates = &leg->edge->updates;
    const struct edge_plan *plan = leg->plan;
    enter(run, leg, number);
    assert(!plan->is_relaxed || plan->item_limit <= updates->count);
    run->is_anywhere = leg->edge->leaves_branchpoint;
    for (uint32_t i = 0; i < updates->count; i++) {
        if (!plan->is_relevant[i]) {
            leg->fact->item_faults[i] = true;
            continue;
        }
        if (plan->is_relaxed && i >= plan->item_limit) break;
        bool ok = eval_effect(&run->environment, updates->items[i]);
        if (has_fault(run)) leg->fact->item_faults[i] = true;
        if (!ok) return false;
        if (run->after_item) run->after_item(run->context, leg, i);
    }
    return enumerator_is_valid(&run->enumerator);
}

/* True where the template's invariants refine nothing (A7). */
bool label_run_invariant(struct label_run *run, const struct leg *leg) {
    const struct template *template = leg->process->template;
    uint32_t location = leg->edge->target, next = 0;
    if (!leg->plan->refines) return true;
    assert(location < template->location_count);
    run->process = leg->process;
    run->at = location;
    run->is_anywhere = false;
    run->environment.locals = leg->process->locals;
    run->environment.frame = NULL;
    bool holds = run_conjuncts(run, invariant_at(run->analysis->network, template, location),
                               leg->plan->refines, true, &next, NULL);
    if (!holds && !run->analysis->options.is_must)
        run->analysis->invariant_blocks[template->index][location] = true;
    return holds;
}

bool label_run_channel(struct label_run *run, const struct leg *leg, uint32_t number,
                       uint32_t *address) {
    assert(leg->edge->sync);
    enter(run, leg, number);
    bool ok = eval_channel(&run->environment, leg->edge->sync, address);
    enumerator_account(&run->enumerator);
    return ok && enumerator_is_valid(&run->enumerator);
}

/* Read values of such slots are forgotten now, and not kept by what follows in the step. */
void label_run_forget(struct label_run *run, unsigned what) {
    const struct network *network = run->network;
    struct enumerator *enumerator = &run->enumerator;
    run->forgotten |= what;
    if (what == FORGET_HOOKED && !run->is_hooked) return;
    for (uint32_t i = 0; i < enumerator->touched.count; i++) {
        uint32_t address = enumerator->touched.items[i];
        uint32_t slot = address < network->cell_count ? network->slot_of[address] : NO_SLOT;
        if (slot != NO_SLOT && is_forgotten(run, what, slot))
            enumerator_forget(enumerator, address);
    }
}

/* Collecting. */

/* Room for so many items, in the arena; their domains are made in the scratch arena of a run. */
void delta_init(struct delta *delta, struct arena *arena, uint32_t item_count) {
    *delta = (struct delta){0};
    delta->added = ARENA_ARRAY(arena, struct group_domain *, item_count + 1);
    delta->touched = ARENA_ARRAY(arena, uint32_t, item_count + 1);
    delta->touched_run = ARENA_ARRAY(arena, uint64_t, item_count + 1);
}

/* Made empty when it is asked for first. */
struct group_domain *delta_of(struct label_run *run, struct delta *delta, uint32_t item) {
    struct group_domain **added = &delta->added[item];
    assert(run->groups[item].dimension);
    if (!*added) {
        *added = ARENA_NEW(&run->scratch, struct group_domain);
        group_domain_init(&run->scratch, &run->groups[item], *added);
        VEC_PUSH(&run->scratch, &delta->items, item);
    }
    return *added;
}

void label_run_collect(struct label_run *run, struct delta *delta) {
    const struct network *network = run->network;
    const struct enumerator *enumerator = &run->enumerator;
    for (uint32_t i = 0; i < enumerator->touched.count; i++) {
        uint32_t address = enumerator->touched.items[i];
        uint32_t slot = address < network->cell_count ? network->slot_of[address] : NO_SLOT;
        uint32_t item = slot == NO_SLOT ? NO_SLOT : run->item_of[slot];
        if (item == NO_SLOT || delta->touched_run[item] == enumerator->run) continue;
        assert(delta->touched_run[item] < enumerator->run);
        delta->touched_run[item] = enumerator->run;
        delta->touched[item]++;
        group_add_cells(run->analysis, &run->scratch, &run->groups[item],
                        delta_of(run, delta, item), run->environment.cells);
    }
    delta->runs++;
}

void label_run_item_writes(struct label_run *run, const struct leg *leg, uint32_t item,
                           void (*found)(struct label_run *run, uint32_t slot, void *context),
                           void *context) {
    const struct network *network = run->network;
    const struct template *template = leg->process->template;
    const struct effects *items =
        run->analysis->summary->items[template->index][edge_index(template, leg->edge)];
    assert(item < leg->edge->updates.count);
    for (uint32_t k = 0; k < items[item].list.count; k++) {
        if (!items[item].list.items[k].writes) continue;
        const struct binding *binding =
            relevance_binding(network, leg->process, items[item].list.items[k].symbol);
        for (uint32_t c = 0; binding && c < binding->shape->cell_count; c++) {
            uint32_t slot = network->slot_of[binding->address + c];
            if (slot != NO_SLOT && run->analysis->is_tracked[slot]) found(run, slot, context);
        }
    }
}

/* Of relevant items only: what goes into no domain is not told. */
void label_run_writes(struct label_run *run, const struct leg *leg,
                      void (*found)(struct label_run *run, uint32_t slot, void *context),
                      void *context) {
    for (uint32_t i = 0; i < leg->edge->updates.count; i++)
        if (leg->plan->is_relevant[i]) label_run_item_writes(run, leg, i, found, context);
}

void delta_clear(struct delta *delta) {
    for (uint32_t i = 0; i < delta->items.count; i++) {
        uint32_t item = delta->items.items[i];
        delta->added[item] = NULL;
        delta->touched[item] = 0;
    }
    memset(&delta->items, 0, sizeof delta->items);
    delta->runs = 0;
}

/* All slots count as not written again. */
void label_run_clear(struct label_run *run) {
    for (uint32_t i = 0; i < run->written_slots.count; i++)
        run->written[run->written_slots.items[i]] = NULL;
    memset(&run->written_slots, 0, sizeof run->written_slots);
    arena_reset(&run->scratch);
}
