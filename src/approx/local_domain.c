/* The thread-modular analysis (--approx template): every process on its own, the others only by
 * what they write into shared slots.
 *
 * Each location that has new values is pending, and all are pending that have read a shared slot
 * which has grown. A pending location's edges are visited; a visit runs guard, update and invariant
 * with all values of what they read, then joins what came of it to the target and to M. When
 * nothing is pending, D and M are a fixpoint. If a run has related slots that were apart (A3), or a
 * relation was past its budget (A5), the groups are made anew and all begins again. */
#include "approx/labels/hull.h"
#include "approx/labels/label_run.h"
#include "approx/local_domain_internal.h"
#include "approx/shared_relation.h"
#include "lang/syntax/walk.h"
#include "values/interval.h"

#include <assert.h>

/* ---- what the update items of an edge past its budget may write (rule A5) ---- */

/* An assignment, ++ or -- to a name, index or field, without calls or other side effects, writes
 * into the cells that its target may be an interval computed from the least and greatest values
 * of what it reads: local slots as known at the source, shared ones from M, and the declared range
 * of a local slot that an earlier item may have written. Any other item, and one whose value may
 * not fit 32 bits, writes anything into whatever it may write.
 */

typedef void (*coarse_found)(struct label_run *run, uint32_t slot, int32_t lower, int32_t upper,
                             void *context);

/* Items */

static bool note_effect(void *context, const struct expr *expr) {
    uint32_t *count = context;
    *count += expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP || expr->kind == EXPR_CALL;
    return true;
}

/* Rule A5: where an assignment writes, and what; false for any other item. */
static bool assignment_of(const struct hull *hull, const struct expr *expr,
                          struct hull_cells *place, struct interval *value) {
    uint32_t effects = 0;
    struct interval old, operand = {1, 1};
    if (!expr_assigns(expr)) return false;
    walk_expr(expr, note_effect, &effects);
    if (effects != 1 || !hull_place(hull, expr->child[0], place) ||
        place->first.shape->kind != SHAPE_CELL)
        return false;
    enum op op = expr->op == OP_PRE_INC || expr->op == OP_POST_INC ? OP_ADD : OP_SUB;
    if (expr->kind == EXPR_ASSIGN) {
        op = op_of_assignment(expr->op);
        if (!hull_of(hull, expr->child[1], &operand)) return false;
    }
    *value = operand;
    if (op != OP_NONE &&
        (!hull_read(hull, place, &old) || !interval_operate(op, old, operand, value)))
        return false;
    return interval_fits(*value);
}

struct found_listener {
    coarse_found found;
    void *context;
};

/* Rule A5: the declared range. */
static void found_any(struct label_run *run, uint32_t slot, void *context) {
    const struct found_listener *listener = context;
    const struct slot *of = &run->network->slots[slot];
    listener->found(run, slot, of->lower, of->upper, listener->context);
}

/* Rule A5: what the declared range leaves of the value; the rest is an error, and no step. */
static void found_value(struct label_run *run, uint32_t address, struct interval value,
                        const struct found_listener *listener) {
    uint32_t slot = run->network->slot_of[address];
    if (slot == NO_SLOT || !run->analysis->is_tracked[slot]) return;
    const struct slot *of = &run->network->slots[slot];
    if (of->is_bool)
        value = (struct interval){value.lower > 0 || value.upper < 0, value.lower || value.upper};
    if (value.lower < of->lower) value.lower = of->lower;
    if (value.upper > of->upper) value.upper = of->upper;
    if (value.lower <= value.upper)
        listener->found(run, slot, (int32_t)value.lower, (int32_t)value.upper, listener->context);
}

/* Calls back with each tracked slot that some relevant item from the plan's item_limit on may
 * write, and the bounds of what it writes there. The leg is number 0 and has been bound. */
static void coarse_writes(struct label_run *run, const struct leg *leg, coarse_found found,
                          void *context) {
    struct found_listener listener = {found, context};
    assert(leg->plan->is_relaxed);
    for (uint32_t i = leg->plan->item_limit; i < leg->edge->updates.count; i++) {
        struct hull hull = {.run = run, .leg = leg, .item = i};
        struct hull_cells place;
        struct interval value;
        if (!leg->plan->is_relevant[i]) continue;
        if (!assignment_of(&hull, leg->edge->updates.items[i], &place, &value)) {
            label_run_item_writes(run, leg, i, found_any, &listener);
            continue;
        }
        for (uint32_t k = 0; k < place.count; k++)
            found_value(run, hull_address(&place, k), value, &listener);
    }
}

/* Worklists */

static void add_pending(struct local_fixpoint *worker, uint32_t process, uint32_t location) {
    uint32_t template = worker->network->processes[process].template->index;
    uint32_t rank = worker->rankings[template].rank[location];
    assert(worker->rankings[template].by_rank[rank] == location);
    uint64_t bit = UINT64_C(1) << (rank % 64), *word = &worker->pending[process][rank / 64];
    if (*word & bit) return;
    *word |= bit;
    worker->pending_count[process]++;
}

static uint32_t take_pending(struct local_fixpoint *worker, uint32_t process) {
    assert(worker->pending_count[process]);
    uint64_t *words = worker->pending[process];
    uint32_t word = 0;
    while (!words[word]) word++;
    uint32_t bit = (uint32_t)__builtin_ctzll(words[word]);
    words[word] &= words[word] - 1;
    worker->pending_count[process]--;
    uint32_t template = worker->network->processes[process].template->index;
    return worker->rankings[template].by_rank[word * 64 + bit];
}

static void found_partner(void *context, struct partner_use use) {
    add_pending(context, use.process, use.location);
}

/* A process comes to a location for the first time. */
static void reach(struct local_fixpoint *worker, const struct process *process, uint32_t location) {
    const struct template *template = process->template;
    const struct ranking *ranking = &worker->rankings[template->index];
    assert(!worker->analysis->processes[process->index].locations[location].is_reached);
    worker->analysis->processes[process->index].locations[location].is_reached = true;
    add_pending(worker, process->index, location);
    for (uint32_t i = ranking->first[location]; i < ranking->first[location + 1]; i++)
        sync_partners_add(&worker->partners, process, &template->edges[ranking->edges[i]],
                          found_partner, worker);
}

/* The current edge has read a shared slot: it runs again when the slot's set grows. Edges read
 * the same slot many times in a row, so the last few entries tell. */
void local_depend(struct local_fixpoint *worker, uint32_t slot) {
    struct dependents *dependents = &worker->dependents[slot];
    uint64_t key = (uint64_t)worker->leg.process->index << 32 | worker->leg.edge->source;
    for (uint32_t i = dependents->list.count, k = 0; i-- > 0 && k < 4; k++)
        if (dependents->list.items[i] == key) return;
    VEC_PUSH(worker->analysis->arena, &dependents->list, key);
}

/* Rule A3 for flows. */
static void relate_item(void *context, const struct leg *leg, uint32_t item) {
    struct local_fixpoint *worker = context;
    if (!leg->plan->moves[item]) return;
    const struct template *template = leg->process->template;
    const struct effects *items =
        worker->analysis->summary->items[template->index][edge_index(template, leg->edge)];
    relation_unite_touched(worker->relation, &worker->run, &items[item]);
}

/* Rule A5: what an item past the budget may write. */
static void add_range(struct label_run *run, uint32_t slot, int32_t lower, int32_t upper,
                      void *context) {
    struct local_fixpoint *worker = context;
    if (slot_is_shared(run->network, slot)) {
        label_run_write_range(run, slot, lower, upper);
        return;
    }
    uint32_t group = run->item_of[slot];
    assert(group < worker->domain->group_count);
    group_add_range(run->analysis, &run->scratch, &run->groups[group],
                    delta_of(run, &worker->delta, group), lower, upper);
}

static void commit_written(struct local_fixpoint *worker) {
    struct label_run *run = &worker->run;
    struct analysis *analysis = worker->analysis;
    for (uint32_t i = 0; i < run->written_slots.count; i++) {
        uint32_t slot = run->written_slots.items[i];
        struct bounds bounds = slot_bounds(analysis, slot);
        assert(slot_is_shared(worker->network, slot) && run->written[slot]);
        if (!value_set_join(analysis->arena, &analysis->shared[slot], run->written[slot], &bounds))
            continue;
        worker->slot_grown[slot] = ++worker->clock;
        struct dependents *dependents = &worker->dependents[slot];
        for (uint32_t k = 0; k < dependents->list.count; k++)
            add_pending(worker, (uint32_t)(dependents->list.items[k] >> 32),
                        (uint32_t)dependents->list.items[k]);
        dependents->list.count = 0;
    }
}

void local_join(struct local_fixpoint *worker, uint32_t location, uint32_t group,
                const struct group_domain *added) {
    struct analysis *analysis = worker->analysis;
    struct process_domain *domain = worker->domain;
    uint32_t process = worker->leg.process->index;
    assert(group < domain->group_count && domain->locations[location].is_reached);
    if (!group_join(analysis, analysis->arena, &domain->groups[group],
                    &domain->locations[location].groups[group], added))
        return;
    worker->groups_grown[process][location * domain->group_count + group] = ++worker->clock;
    add_pending(worker, process, location);
}

/* Groups that some run left alone keep the values that the guard leaves them. */
static void join_kept(struct local_fixpoint *worker, uint32_t group) {
    const struct edge *edge = worker->leg.edge;
    uint32_t address = worker->domain->groups[group].addresses[0];
    struct group_domain kept = worker->domain->locations[edge->source].groups[group];
    if (worker->domain->groups[group].dimension == 1)
        kept.set = *label_run_known(&worker->run, address).set;
    local_join(worker, edge->target, group, &kept);
}

static void commit(struct local_fixpoint *worker) {
    const struct edge *edge = worker->leg.edge;
    const struct delta *delta = &worker->delta;
    struct location_domain *target = &worker->domain->locations[edge->target];
    bool *keeps = worker->visit->keeps;
    assert(worker->domain->locations[edge->source].is_reached);
    if (!target->is_reached) reach(worker, worker->leg.process, edge->target);
    for (uint32_t g = 0; g < worker->domain->group_count; g++) {
        if (delta->added[g]) local_join(worker, edge->target, g, delta->added[g]);
        assert(delta->touched[g] <= delta->runs);
        keeps[g] |= delta->touched[g] < delta->runs;
        if (edge->target != edge->source && keeps[g]) join_kept(worker, g);
    }
}

/* Edges */

/* Returns what the edge has been relaxed to so far. */
static struct edge_plan *enter_edge(struct local_fixpoint *worker, uint32_t index) {
    const struct process *process = worker->leg.process;
    const struct template *template = process->template;
    struct edge_plan *plan = &worker->plans[process->index][index];
    worker->visit = &worker->visits[process->index][index];
    assert(index < template->edge_count);
    worker->leg.edge = &template->edges[index];
    worker->leg.guard = guard_of_edge(worker->network, template, worker->leg.edge);
    worker->leg.plan = plan;
    worker->leg.fact = &worker->analysis->edges[template->index][index];
    local_relax_as_others(worker, plan);
    return plan;
}

static void note_relaxed(struct local_fixpoint *worker) {
    const struct template *template = worker->leg.process->template;
    worker->leg.fact->is_incomplete = true;
    analysis_add_note(worker->analysis, template, edge_index(template, worker->leg.edge));
}

static void run_edge(struct local_fixpoint *worker, uint32_t index) {
    struct edge_plan *plan = enter_edge(worker, index);
    struct edge_visit *visit = worker->visit;
    if (!local_visit(worker, plan)) return;
    local_begin_updates(worker);
    if (plan->is_relaxed) {
        note_relaxed(worker);
        if (visit->is_passed) coarse_writes(&worker->run, &worker->leg, add_range, worker);
    }
    commit_written(worker);
    if (visit->is_passed) {
        worker->leg.fact->is_reached = true;
        commit(worker);
    }
    local_clear(worker);
}

/* The edge is never taken, but its guard is evaluated: whether labels fail is learned from a visit
 * that leaves nothing behind. */
static void run_alone(struct local_fixpoint *worker, uint32_t index) {
    struct edge_plan *plan = enter_edge(worker, index);
    assert(worker->leg.edge->sync); /* nobody synchronises with it */
    local_visit_all(worker, plan);
    if (plan->is_relaxed) note_relaxed(worker);
    local_clear(worker);
}

static void enter_process(struct local_fixpoint *worker, uint32_t process) {
    worker->leg.process = &worker->network->processes[process];
    assert(process < worker->network->process_count);
    worker->domain = &worker->analysis->processes[process];
    worker->run.groups = worker->domain->groups;
    if (!worker->plans[process]) {
        uint32_t edges = worker->leg.process->template->edge_count;
        worker->plans[process] = label_run_plans(worker->analysis, worker->leg.process, true);
        worker->visits[process] =
            ARENA_ARRAY(worker->analysis->arena, struct edge_visit, edges + 1);
    }
}

static void run_process(struct local_fixpoint *worker, uint32_t process) {
    enter_process(worker, process);
    const struct ranking *ranking = &worker->rankings[worker->leg.process->template->index];
    while (worker->pending_count[process]) {
        uint32_t location = take_pending(worker, process);
        for (uint32_t i = ranking->first[location]; i < ranking->first[location + 1]; i++) {
            const struct edge *edge = &worker->leg.process->template->edges[ranking->edges[i]];
            if (!edge_is_off(worker->network, worker->leg.process->template, edge) &&
                sync_partners_has(&worker->partners, worker->leg.process, edge))
                run_edge(worker, ranking->edges[i]);
        }
    }
}

/* The fixpoint */

static void init_process(struct local_fixpoint *worker, uint32_t index) {
    struct analysis *analysis = worker->analysis;
    const struct template *template = worker->network->processes[index].template;
    struct process_domain *domain = &analysis->processes[index];
    uint32_t locations = template->location_count + template->branchpoint_count;
    worker->pending[index] = ARENA_ARRAY(analysis->arena, uint64_t, locations / 64 + 1);
    worker->groups_grown[index] =
        ARENA_ARRAY(analysis->arena, uint64_t, locations * domain->group_count + 1);
    domain->locations = ARENA_ARRAY(analysis->arena, struct location_domain, locations + 1);
    for (uint32_t l = 0; l < locations; l++) {
        domain->locations[l].groups =
            ARENA_ARRAY(analysis->arena, struct group_domain, domain->group_count + 1);
        for (uint32_t g = 0; g < domain->group_count; g++)
            group_domain_init(analysis->arena, &domain->groups[g], &domain->locations[l].groups[g]);
    }
    struct location_domain *initial = &domain->locations[template->initial];
    for (uint32_t g = 0; g < domain->group_count; g++)
        group_add_cells(analysis, analysis->arena, &domain->groups[g], &initial->groups[g],
                        worker->network->cells);
    assert(template->initial < template->location_count);
    reach(worker, &worker->network->processes[index], template->initial);
}

/* What update hooks write may hold anything, since they run in every step; slots that are not
 * tracked may anyway. */
static void init_shared(struct analysis *analysis) {
    const struct network *network = analysis->network;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        struct bounds bounds = slot_bounds(analysis, i);
        bool is_any = !analysis->is_tracked[i] || slot_is_hooked(network, i);
        analysis->shared[i] =
            is_any ? value_set_range(slot->lower, slot->upper) : value_set_empty();
        value_set_add(analysis->arena, &analysis->shared[i], slot->initial, &bounds);
    }
}

static void init_worker(struct local_fixpoint *worker) {
    struct analysis *analysis = worker->analysis;
    const struct network *network = worker->network;
    const struct model *model = network->model;
    struct arena *arena = analysis->arena;
    uint32_t groups = 0;
    for (uint32_t p = 0; p < network->process_count; p++)
        if (analysis->processes[p].group_count > groups)
            groups = analysis->processes[p].group_count;
    label_run_init(&worker->run, analysis, 1);
    worker->run.domain = local_slot_domain;
    worker->run.after_item = relate_item;
    worker->run.context = worker;
    worker->run.item_of = analysis->group_of;
    delta_init(&worker->delta, arena, groups);
    worker->plans = ARENA_ARRAY(arena, struct edge_plan *, network->process_count + 1);
    worker->dependents = ARENA_ARRAY(arena, struct dependents, network->slot_count + 1);
    worker->visits = ARENA_ARRAY(arena, struct edge_visit *, network->process_count + 1);
    worker->slot_grown = ARENA_ARRAY(arena, uint64_t, network->slot_count + 1);
    worker->groups_grown = ARENA_ARRAY(arena, uint64_t *, network->process_count + 1);
    worker->noted = ARENA_ARRAY(arena, uint64_t, network->slot_count + groups + 1);
    worker->pending = ARENA_ARRAY(arena, uint64_t *, network->process_count + 1);
    worker->pending_count = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    worker->rankings = ARENA_ARRAY(arena, struct ranking, model->template_count + 1);
    worker->relaxed = ARENA_ARRAY(arena, const struct edge_plan **, model->template_count + 1);
    sync_partners_init(&worker->partners, arena, network);
    for (uint32_t t = 0; t < model->template_count; t++) {
        rank_template(model->templates[t], arena, &worker->rankings[t]);
        worker->relaxed[t] =
            ARENA_ARRAY(arena, const struct edge_plan *, model->templates[t]->edge_count + 1);
    }
}

/* After the fixpoint. */
static void find_alone(struct local_fixpoint *worker, uint32_t process) {
    const struct template *template = worker->network->processes[process].template;
    bool *is_alone = ARENA_ARRAY(worker->analysis->arena, bool, template->edge_count + 1);
    enter_process(worker, process);
    worker->domain->is_alone = is_alone;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        is_alone[i] = !sync_partners_has(&worker->partners, worker->leg.process, edge);
        if (is_alone[i] && worker->domain->locations[edge->source].is_reached &&
            !edge_is_off(worker->network, template, edge))
            run_alone(worker, i);
    }
}

/* One fixpoint with the groups as they are. */
static void run(struct local_fixpoint *worker) {
    init_worker(worker);
    init_shared(worker->analysis);
    for (uint32_t p = 0; p < worker->network->process_count; p++) init_process(worker, p);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < worker->network->process_count; p++) {
            if (!worker->pending_count[p]) continue;
            run_process(worker, p);
            more = true;
        }
    }
    for (uint32_t p = 0; p < worker->network->process_count; p++) {
        assert(!worker->pending_count[p]); /* a fixpoint */
        find_alone(worker, p);
    }
    label_run_close(&worker->run);
}

/* Fills in domains, facts and notes of the analysis, to the least fixpoint. */
void local_domain_compute(struct analysis *analysis) {
    struct relation relation;
    relation_init(&relation, analysis);
    for (bool again = true; again;) {
        struct local_fixpoint worker = {
            .analysis = analysis, .network = analysis->network, .relation = &relation};
        analysis_clear_facts(analysis);
        relation_build_groups(&relation);
        run(&worker);
        again = relation.has_united;
        again |= relation_separate_overflowed(&relation);
    }
    shared_relation_compute(analysis, &relation);
}
