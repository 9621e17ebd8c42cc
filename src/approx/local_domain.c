/* The thread-modular analysis (--approx template): every process on its own, the others only by
 * what they write into shared slots. */
#include "approx/local_domain.h"

#include "approx/coarse.h"
#include "approx/narrow.h"
#include "approx/priority.h"
#include "approx/relation.h"

#include <assert.h>
#include <stdlib.h>

enum { VISITS_PER_BUDGET = 8, LEAST_PART = 64, MOST_BUDGETS = 4, MANY_BUDGETS = 32 };

struct dependents {
    VEC(uint64_t) list; /* process and location */
};

/* The state of one run of the fixpoint. */
struct fixpoint {
    struct label_run run;
    struct analysis *analysis;
    const struct network *network;
    struct relation *relation;
    struct delta delta;
    struct leg leg; /* the current process and edge */
    struct process_domain *domain;
    struct edge_plan **plans; /* by process, when needed */
    const struct edge_plan **
        *relaxed;                  /* by template index, by edge: of the process that was first */
    struct ranking *rankings;      /* by template index */
    uint64_t **pending;            /* by process: bit set of ranks */
    uint32_t *pending_count;       /* by process */
    struct dependents *dependents; /* by slot: who read it */
};

/* Worklists */

static void add_pending(struct fixpoint *worker, uint32_t process, uint32_t location) {
    uint32_t template = worker->network->processes[process].template->index;
    uint32_t rank = worker->rankings[template].rank[location];
    uint64_t bit = UINT64_C(1) << (rank % 64), *word = &worker->pending[process][rank / 64];
    if (*word & bit) return;
    *word |= bit;
    worker->pending_count[process]++;
}

static uint32_t take_pending(struct fixpoint *worker, uint32_t process) {
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

/* The current edge has read a shared slot: it runs again when the slot's set grows. Edges read
 * the same slot many times in a row, so the last few entries tell. */
static void depend(struct fixpoint *worker, uint32_t slot) {
    struct dependents *dependents = &worker->dependents[slot];
    uint64_t key = (uint64_t)worker->leg.process->index << 32 | worker->leg.edge->source;
    for (uint32_t i = dependents->list.count, k = 0; i-- > 0 && k < 4; k++)
        if (dependents->list.items[i] == key) return;
    VEC_PUSH(worker->analysis->arena, &dependents->list, key);
}

static struct cell_domain slot_domain(void *context, uint32_t slot) {
    struct fixpoint *worker = context;
    const struct analysis *analysis = worker->analysis;
    if (!analysis->is_tracked[slot]) return (struct cell_domain){.set = &analysis->shared[slot]};
    if (slot_is_shared(worker->network, slot)) {
        depend(worker, slot);
        return (struct cell_domain){.set = &analysis->shared[slot]};
    }
    uint32_t group = analysis->group_of[slot];
    assert(worker->network->slots[slot].process == worker->leg.process); /* one process alone */
    return group_cell(&worker->domain->groups[group],
                      &worker->domain->locations[worker->leg.edge->source].groups[group]);
}

/* Rule A3 for flows. */
static void relate_item(void *context, const struct leg *leg, uint32_t item) {
    struct fixpoint *worker = context;
    if (!leg->plan->moves[item]) return;
    const struct template *template = leg->process->template;
    const struct effects *items =
        worker->analysis->summary->items[template->index][leg->edge - template->edges];
    relation_unite_touched(worker->relation, &worker->run, &items[item]);
}

/* One edge */

/* What the guard said may not hold any more (A2). */
static void begin_updates(struct fixpoint *worker) {
    label_run_forget(&worker->run,
                     worker->leg.plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
}

static bool run_once(struct fixpoint *worker) {
    struct label_run *run = &worker->run;
    const struct leg *leg = &worker->leg;
    worker->analysis->evaluation_count++;
    label_run_begin(run);
    bool holds = label_run_guard(run, leg, 0);
    relation_unite_touched(worker->relation, run, NULL); /* rule A3 */
    if (!holds) return false;
    begin_updates(worker);
    if (!label_run_updates(run, leg, 0)) return false;
    return leg->plan->is_relaxed || label_run_invariant(run, leg);
}

static void clear(struct fixpoint *worker) {
    delta_clear(&worker->delta);
    label_run_clear(&worker->run);
}

/* False past the budget. */
static bool enumerate(struct fixpoint *worker) {
    struct enumerator *enumerator = &worker->run.enumerator;
    enumerator_start(enumerator);
    do {
        if (run_once(worker)) label_run_collect(&worker->run, &worker->delta);
    } while (enumerator_next(enumerator));
    return !enumerator_failed(enumerator);
}

/* Rule A5: the more runs came to nothing, because their edge was past the budget after all, the
 * less is ventured on others, and likewise the more runs there were; so the whole costs a few
 * budgets, however many edges there are. */
static uint64_t allowance(const struct analysis *analysis) {
    uint64_t budget = analysis->options.budget;
    uint64_t least =
        budget / LEAST_PART / (1 + analysis->evaluation_count / MANY_BUDGETS / budget) + 1;
    uint64_t times =
        1 + analysis->wasted_count / budget + analysis->evaluation_count / MOST_BUDGETS / budget;
    uint64_t left = times < budget ? budget / times / times : 0;
    return left > least ? left : least < budget ? least : budget;
}

/* An edge that runs again and again, because what it reads grows in small steps, has a budget for
 * all of them too. */
static bool enumerate_within(struct fixpoint *worker, struct edge_plan *plan) {
    struct analysis *analysis = worker->analysis;
    struct enumerator *enumerator = &worker->run.enumerator;
    uint64_t before = analysis->evaluation_count;
    enumerator->budget = allowance(analysis);
    bool ok = plan->spent / VISITS_PER_BUDGET <= enumerator->budget && enumerate(worker);
    plan->spent += analysis->evaluation_count - before;
    if (!ok) analysis->wasted_count += plan->spent;
    return ok;
}

static bool trial(struct fixpoint *worker, uint64_t budget) {
    struct analysis *analysis = worker->analysis;
    uint64_t before = analysis->evaluation_count;
    worker->run.enumerator.budget = budget;
    bool ok = enumerate(worker);
    if (!ok) analysis->wasted_count += analysis->evaluation_count - before;
    clear(worker);
    return ok;
}

/* Rule A5: past the budget, the conjuncts and items of an edge that are within it together are
 * still evaluated; none, if that were the same ones as before. */
static void relax(struct fixpoint *worker, struct edge_plan *plan) {
    uint32_t conjuncts = conjunct_count(worker->leg.edge->guard);
    uint32_t items = worker->leg.edge->updates.count;
    uint64_t budget = allowance(worker->analysis) / (conjuncts + items + 1);
    uint32_t limit = plan->is_relaxed ? plan->item_limit : items;
    bool *drops = plan->drops_conjunct, is_less = false;
    bool *may_keep = ARENA_ARRAY(worker->analysis->arena, bool, conjuncts + 1);
    for (uint32_t i = 0; i < conjuncts; i++) {
        may_keep[i] = !drops[i];
        drops[i] = true;
    }
    assert(!plan->is_relaxed || plan->item_limit <= items);
    plan->is_relaxed = true;
    plan->item_limit = 0;
    plan->spent = 0;
    for (uint32_t i = 0; i < conjuncts && budget; i++) {
        if (!may_keep[i]) continue;
        drops[i] = false;
        drops[i] = !trial(worker, budget);
        is_less |= drops[i];
    }
    while (plan->item_limit < limit && budget) {
        plan->item_limit++;
        if (trial(worker, budget)) continue;
        plan->item_limit--;
        is_less = true;
        break;
    }
    if (!is_less) {
        for (uint32_t i = 0; i < conjuncts; i++) drops[i] = true;
        plan->item_limit = 0;
    }
    const struct template *template = worker->leg.process->template;
    worker->relaxed[template->index][worker->leg.edge - template->edges] = plan;
}

/* Rule A5: before an edge past its budget is relaxed, what its guard leaves of large sets is tried.
 * False if no values let it hold. */
static bool narrow(struct fixpoint *worker) {
    /* The guard is not tried with what is cut off, where it may have errors. */
    worker->leg.fact->guard_faults |= worker->leg.edge->guard != NULL;
    return narrow_by_guard(&worker->run, &worker->leg, 0);
}

/* Rule A5: false if the edge is never taken. What was too much is not tried again with the same
 * values. */
static bool evaluate(struct fixpoint *worker, struct edge_plan *plan) {
    narrow_nothing(&worker->run);
    if (plan->narrows && !narrow(worker)) return false;
    for (uint64_t before = plan->spent; !enumerate_within(worker, plan); before = plan->spent) {
        bool was_run = plan->spent > before, has_narrowed = plan->narrows;
        clear(worker);
        plan->narrows = true;
        plan->spent = 0;
        if (!has_narrowed && !narrow(worker)) return false;
        if (has_narrowed || (was_run && !worker->run.narrowing.count)) relax(worker, plan);
    }
    return true;
}

/* Processes of one template are much alike: what was too much for one is not tried by others. */
static void relax_as_others(const struct fixpoint *worker, struct edge_plan *plan) {
    const struct edge *edge = worker->leg.edge;
    const struct template *template = worker->leg.process->template;
    const struct edge_plan *relaxed = worker->relaxed[template->index][edge - template->edges];
    if (plan->is_relaxed || !relaxed) return;
    plan->narrows = plan->is_relaxed = true;
    plan->spent = 0;
    plan->item_limit = relaxed->item_limit;
    memcpy(plan->drops_conjunct, relaxed->drops_conjunct,
           conjunct_count(edge->guard) * sizeof(bool));
}

/* Rule A5: what an item past the budget may write. */
static void add_range(struct label_run *run, uint32_t slot, int32_t lower, int32_t upper,
                      void *context) {
    struct fixpoint *worker = context;
    if (slot_is_shared(run->network, slot)) {
        label_run_write_range(run, slot, lower, upper);
        return;
    }
    uint32_t group = run->item_of[slot];
    group_add_range(run->analysis, &run->scratch, &run->groups[group],
                    delta_of(run, &worker->delta, group), lower, upper);
}

static void commit_written(struct fixpoint *worker) {
    struct label_run *run = &worker->run;
    struct analysis *analysis = worker->analysis;
    for (uint32_t i = 0; i < run->written_slots.count; i++) {
        uint32_t slot = run->written_slots.items[i];
        struct bounds bounds = slot_bounds(analysis, slot);
        if (!value_set_join(analysis->arena, &analysis->shared[slot], run->written[slot], &bounds))
            continue;
        struct dependents *dependents = &worker->dependents[slot];
        for (uint32_t k = 0; k < dependents->list.count; k++)
            add_pending(worker, (uint32_t)(dependents->list.items[k] >> 32),
                        (uint32_t)dependents->list.items[k]);
        dependents->list.count = 0;
    }
}

/* Groups that some run left alone keep the values that the guard leaves them. */
static bool join_kept(struct fixpoint *worker, struct group *group, struct group_domain *target,
                      const struct group_domain *source) {
    struct analysis *analysis = worker->analysis;
    struct group_domain kept = *source;
    if (group->dimension == 1) kept.set = *label_run_known(&worker->run, group->addresses[0]).set;
    return group_join(analysis, analysis->arena, group, target, &kept);
}

static void commit(struct fixpoint *worker) {
    assert(worker->delta.runs && worker->domain->locations[worker->leg.edge->source].is_reached);
    struct analysis *analysis = worker->analysis;
    const struct edge *edge = worker->leg.edge;
    const struct delta *delta = &worker->delta;
    struct location_domain *source = &worker->domain->locations[edge->source];
    struct location_domain *target = &worker->domain->locations[edge->target];
    bool grew = !target->is_reached;
    target->is_reached = true;
    for (uint32_t g = 0; g < worker->domain->group_count; g++) {
        struct group *group = &worker->domain->groups[g];
        if (delta->added[g])
            grew |=
                group_join(analysis, analysis->arena, group, &target->groups[g], delta->added[g]);
        if (target != source && delta->touched[g] < delta->runs)
            grew |= join_kept(worker, group, &target->groups[g], &source->groups[g]);
    }
    if (grew) add_pending(worker, worker->leg.process->index, edge->target);
}

static void run_edge(struct fixpoint *worker, uint32_t index) {
    struct analysis *analysis = worker->analysis;
    struct label_run *run = &worker->run;
    const struct template *template = worker->leg.process->template;
    struct edge_plan *plan = &worker->plans[worker->leg.process->index][index];
    worker->leg.edge = &template->edges[index];
    worker->leg.plan = plan;
    worker->leg.fact = &analysis->edges[template->index][index];
    relax_as_others(worker, plan);
    if (!label_run_bind(run, &worker->leg, 0)) return;
    if (!evaluate(worker, plan)) return;
    begin_updates(worker);
    if (plan->is_relaxed) {
        worker->leg.fact->is_incomplete = true;
        analysis_add_note(analysis, template, index);
        if (worker->delta.runs) coarse_writes(run, &worker->leg, add_range, worker);
    }
    commit_written(worker);
    if (worker->delta.runs) {
        worker->leg.fact->is_reached = true;
        commit(worker);
    }
    clear(worker);
}

static void run_process(struct fixpoint *worker, uint32_t process) {
    worker->leg.process = &worker->network->processes[process];
    worker->domain = &worker->analysis->processes[process];
    worker->run.groups = worker->domain->groups;
    if (!worker->plans[process])
        worker->plans[process] = label_run_plans(worker->analysis, worker->leg.process, true);
    const struct ranking *ranking = &worker->rankings[worker->leg.process->template->index];
    while (worker->pending_count[process]) {
        uint32_t location = take_pending(worker, process);
        for (uint32_t i = ranking->first[location]; i < ranking->first[location + 1]; i++)
            if (!edge_is_off(&worker->leg.process->template->edges[ranking->edges[i]]))
                run_edge(worker, ranking->edges[i]);
    }
}

/* The fixpoint */

static void init_process(struct fixpoint *worker, uint32_t index) {
    struct analysis *analysis = worker->analysis;
    const struct template *template = worker->network->processes[index].template;
    struct process_domain *domain = &analysis->processes[index];
    uint32_t locations = template->location_count + template->branchpoint_count;
    worker->pending[index] = ARENA_ARRAY(analysis->arena, uint64_t, locations / 64 + 1);
    domain->locations = ARENA_ARRAY(analysis->arena, struct location_domain, locations + 1);
    for (uint32_t l = 0; l < locations; l++) {
        domain->locations[l].groups =
            ARENA_ARRAY(analysis->arena, struct group_domain, domain->group_count + 1);
        for (uint32_t g = 0; g < domain->group_count; g++)
            group_domain_init(&domain->groups[g], &domain->locations[l].groups[g]);
    }
    struct location_domain *initial = &domain->locations[template->initial];
    initial->is_reached = true;
    for (uint32_t g = 0; g < domain->group_count; g++)
        group_add_cells(analysis, analysis->arena, &domain->groups[g], &initial->groups[g],
                        worker->network->cells);
    assert(template->initial < template->location_count);
    add_pending(worker, index, template->initial);
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

static void init_worker(struct fixpoint *worker) {
    struct analysis *analysis = worker->analysis;
    const struct network *network = worker->network;
    const struct model *model = network->model;
    struct arena *arena = analysis->arena;
    uint32_t groups = 0;
    for (uint32_t p = 0; p < network->process_count; p++)
        if (analysis->processes[p].group_count > groups)
            groups = analysis->processes[p].group_count;
    label_run_init(&worker->run, analysis, 1);
    worker->run.domain = slot_domain;
    worker->run.after_item = relate_item;
    worker->run.context = worker;
    worker->run.item_of = analysis->group_of;
    delta_init(&worker->delta, arena, groups);
    worker->plans = ARENA_ARRAY(arena, struct edge_plan *, network->process_count + 1);
    worker->dependents = ARENA_ARRAY(arena, struct dependents, network->slot_count + 1);
    worker->pending = ARENA_ARRAY(arena, uint64_t *, network->process_count + 1);
    worker->pending_count = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    worker->rankings = ARENA_ARRAY(arena, struct ranking, model->template_count + 1);
    worker->relaxed = ARENA_ARRAY(arena, const struct edge_plan **, model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        rank_template(model->templates[t], arena, &worker->rankings[t]);
        worker->relaxed[t] =
            ARENA_ARRAY(arena, const struct edge_plan *, model->templates[t]->edge_count + 1);
    }
}

/* One fixpoint with the groups as they are. */
static void run(struct fixpoint *worker) {
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
    for (uint32_t p = 0; p < worker->network->process_count; p++)
        assert(!worker->pending_count[p]); /* a fixpoint */
    label_run_close(&worker->run);
}

/* Fills in domains, facts and notes of the analysis, to the least fixpoint. */
void local_domain_compute(struct analysis *analysis) {
    struct relation relation;
    relation_init(&relation, analysis);
    for (bool again = true; again;) {
        struct fixpoint worker = {
            .analysis = analysis, .network = analysis->network, .relation = &relation};
        analysis_clear_facts(analysis);
        relation_build_groups(&relation);
        run(&worker);
        again = relation.has_united;
        again |= relation_separate_overflowed(&relation);
    }
}
