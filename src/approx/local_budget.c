/* The runs of one visit of an edge, within the budget (rule A5): first with all values; past the
 * budget, with the values that the guard leaves; past it again, without the conjuncts and items
 * that are too much. */
#include "approx/local_domain_internal.h"

#include "approx/labels/narrow.h"

#include <assert.h>

enum { LEAST_PART = 64, MOST_BUDGETS = 4, MANY_BUDGETS = 32 };

/* What the guard said may not hold any more (A2). */
void local_begin_updates(struct local_fixpoint *worker) {
    label_run_forget(&worker->run,
                     worker->leg.plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
}

bool local_run_once(struct local_fixpoint *worker) {
    struct label_run *run = &worker->run;
    const struct leg *leg = &worker->leg;
    worker->analysis->evaluation_count++;
    label_run_begin(run);
    bool holds = label_run_guard(run, leg, 0);
    relation_unite_touched(worker->relation, run, NULL); /* rule A3 */
    if (!holds) return false;
    local_begin_updates(worker);
    if (!label_run_updates(run, leg, 0)) return false;
    return leg->plan->is_relaxed || label_run_invariant(run, leg);
}

void local_clear(struct local_fixpoint *worker) {
    delta_clear(&worker->delta);
    label_run_clear(&worker->run);
}

/* False past the budget. */
static bool enumerate(struct local_fixpoint *worker) {
    struct enumerator *enumerator = &worker->run.enumerator;
    enumerator_start(enumerator);
    uint64_t work = enumerator->work_left;
    do {
        if (local_run_once(worker)) label_run_collect(&worker->run, &worker->delta);
        local_sweep(worker);
    } while (enumerator_next(enumerator));
    worker->visit->work = work - enumerator->work_left;
    return !enumerator_failed(enumerator);
}

/* Rule A5: the more runs came to nothing, because their edge was past the budget after all, the
 * less is ventured on others, and likewise the more runs there were; so the whole costs a few
 * budgets, however many edges there are. */
uint64_t local_allowance(const struct analysis *analysis) {
    uint64_t budget = analysis->options.budget;
    assert(budget);
    uint64_t least =
        budget / LEAST_PART / (1 + analysis->evaluation_count / MANY_BUDGETS / budget) + 1;
    uint64_t times =
        1 + analysis->wasted_count / budget + analysis->evaluation_count / MOST_BUDGETS / budget;
    uint64_t left = times < budget ? budget / times / times : 0;
    assert(least && left <= budget);
    return left > least ? left : least < budget ? least : budget;
}

/* An edge that runs again and again, because what it reads grows in small steps, has a budget for
 * all of them too. */
static bool enumerate_within(struct local_fixpoint *worker, struct edge_plan *plan) {
    struct analysis *analysis = worker->analysis;
    struct enumerator *enumerator = &worker->run.enumerator;
    uint64_t before = analysis->evaluation_count;
    enumerator->budget = local_allowance(analysis);
    bool ok = plan->spent / VISITS_PER_BUDGET <= enumerator->budget && enumerate(worker);
    plan->spent += analysis->evaluation_count - before;
    if (!ok) analysis->wasted_count += plan->spent;
    return ok;
}

static bool trial(struct local_fixpoint *worker, uint64_t budget) {
    struct analysis *analysis = worker->analysis;
    uint64_t before = analysis->evaluation_count;
    worker->run.enumerator.budget = budget;
    bool ok = enumerate(worker);
    if (!ok) analysis->wasted_count += analysis->evaluation_count - before;
    local_clear(worker);
    return ok;
}

/* Rule A5: past the budget, the conjuncts and items of an edge that are within it together are
 * still evaluated; none, if that were the same ones as before. */
static void relax(struct local_fixpoint *worker, struct edge_plan *plan) {
    uint32_t conjuncts = conjunct_count(worker->leg.guard);
    uint32_t items = worker->leg.edge->updates.count;
    uint64_t budget = local_allowance(worker->analysis) / (conjuncts + items + 1);
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
    assert(plan->is_relaxed && plan->item_limit <= items);
    worker->relaxed[template->index][edge_index(template, worker->leg.edge)] = plan;
}

/* Rule A5: before an edge past its budget is relaxed, what its guard leaves of large sets is tried.
 * False if no values let it hold. */
bool local_narrow(struct local_fixpoint *worker) {
    /* The guard is not tried with what is cut off, where it may have errors. */
    worker->leg.fact->guard_faults |= worker->leg.guard != NULL;
    return narrow_by_guard(&worker->run, &worker->leg, 0);
}

/* Rule A5: false if the edge is never taken. What was too much is not tried again with the same
 * values. */
bool local_evaluate(struct local_fixpoint *worker, struct edge_plan *plan) {
    narrow_nothing(&worker->run);
    if (plan->narrows && !local_narrow(worker)) return false;
    for (uint64_t before = plan->spent; !enumerate_within(worker, plan); before = plan->spent) {
        bool was_run = plan->spent > before, has_narrowed = plan->narrows;
        local_clear(worker);
        plan->narrows = true;
        plan->spent = 0;
        if (!has_narrowed && !local_narrow(worker)) return false;
        if (has_narrowed || (was_run && !worker->run.narrowing.count)) relax(worker, plan);
    }
    return true;
}

/* Processes of one template are much alike: what was too much for one is not tried by others. */
void local_relax_as_others(struct local_fixpoint *worker, struct edge_plan *plan) {
    const struct edge *edge = worker->leg.edge;
    const struct template *template = worker->leg.process->template;
    const struct edge_plan *relaxed = worker->relaxed[template->index][edge_index(template, edge)];
    if (plan->is_relaxed || !relaxed) return;
    assert(relaxed->is_relaxed && relaxed->item_limit <= edge->updates.count);
    plan->narrows = plan->is_relaxed = true;
    plan->spent = 0;
    worker->visit->is_complete = false;
    plan->item_limit = relaxed->item_limit;
    memcpy(plan->drops_conjunct, relaxed->drops_conjunct,
           conjunct_count(worker->leg.guard) * sizeof(bool));
}
