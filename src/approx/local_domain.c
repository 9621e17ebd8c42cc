/* The thread-modular analysis (--approx template): every process on its own, the others only by
 * what they write into shared slots. */
#include "approx/local_domain.h"

#include "approx/coarse.h"
#include "approx/narrow.h"
#include "approx/partner.h"
#include "approx/priority.h"
#include "approx/relation.h"

#include <assert.h>
#include <stdlib.h>

enum { VISITS_PER_BUDGET = 8, LEAST_PART = 64, MOST_BUDGETS = 4, MANY_BUDGETS = 32 };
enum { MOST_COPIED = 1 << 22 };

struct dependents {
    VEC(uint64_t) list; /* process and location */
};

/* What a visit of an edge has read, and what it was then. */
struct seen {
    uint32_t read;            /* a shared slot, or a group of the process behind slot_count */
    bool is_known;            /* what is below */
    uint32_t count, capacity; /* of tuples or values */
    int32_t *values;
};

/* The last visit of an edge. What came of it has been joined to where it goes, so only values that
 * were not there need be tried when the edge is visited again. */
struct visit {
    struct seen *reads;
    uint32_t read_count, read_capacity;
    uint64_t clock; /* when it began */
    uint64_t budget;
    uint64_t runs, work; /* with all values */
    bool is_passed;      /* some run came to its end */
    bool is_complete;    /* no budget ended it */
    bool *keeps;         /* by group: some of these runs left it alone */
};

/* The one thing read that has more values than at the last visit. */
struct grown {
    uint32_t read, index;    /* of reads */
    bool is_restricted;      /* only its new values are tried now */
    struct value_set set;    /* these, */
    struct tuple_set tuples; /* or the new tuples */
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
    struct meetings partners;
    /* What need not be done again. */
    uint64_t clock;          /* counts visits and growths */
    uint64_t *slot_grown;    /* by shared slot: when it did last */
    uint64_t **groups_grown; /* by process, location and group: likewise */
    uint64_t *noted;         /* as reads of visits: the visit that has noted it */
    struct visit **visits;   /* by process, by edge */
    struct visit *visit;     /* the current one */
    struct grown grown;
    uint64_t cells_copied; /* by all visits */
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

static void found_partner(void *context, struct partner_use use) {
    add_pending(context, use.process, use.location);
}

/* A process comes to a location for the first time. */
static void reach(struct fixpoint *worker, const struct process *process, uint32_t location) {
    const struct template *template = process->template;
    const struct ranking *ranking = &worker->rankings[template->index];
    assert(!worker->analysis->processes[process->index].locations[location].is_reached);
    worker->analysis->processes[process->index].locations[location].is_reached = true;
    add_pending(worker, process->index, location);
    for (uint32_t i = ranking->first[location]; i < ranking->first[location + 1]; i++)
        partners_add(&worker->partners, process, &template->edges[ranking->edges[i]], found_partner,
                     worker);
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

static struct cell_domain domain_of_read(const struct fixpoint *worker, uint32_t read) {
    const struct analysis *analysis = worker->analysis;
    uint32_t slots = worker->network->slot_count;
    if (read < slots) return (struct cell_domain){.set = &analysis->shared[read]};
    assert(read - slots < worker->domain->group_count);
    return group_cell(&worker->domain->groups[read - slots],
                      &worker->domain->locations[worker->leg.edge->source].groups[read - slots]);
}

static void remember(struct fixpoint *worker, struct seen *seen) {
    struct cell_domain domain = domain_of_read(worker, seen->read);
    seen->is_known = domain.tuples || !domain.set->is_interval;
    seen->count = domain.tuples ? domain.tuples->count : domain.set->count;
    if (domain.tuples || !seen->is_known) return;
    if (seen->count > seen->capacity) {
        uint32_t capacity = domain.set->capacity;
        worker->cells_copied += capacity;
        seen->is_known = worker->cells_copied <= MOST_COPIED;
        if (!seen->is_known) return;
        seen->values = ARENA_ARRAY(worker->analysis->arena, int32_t, capacity);
        seen->capacity = capacity;
    }
    if (seen->count) memcpy(seen->values, domain.set->values, seen->count * sizeof *seen->values);
}

/* The current visit reads a shared slot, or a group behind slot_count. */
static bool note_read(struct fixpoint *worker, uint32_t read) {
    struct visit *visit = worker->visit;
    if (worker->noted[read] == visit->clock) return false;
    worker->noted[read] = visit->clock;
    if (visit->read_count == visit->read_capacity)
        visit->reads = vec_grow(worker->analysis->arena, visit->reads, visit->read_count,
                                &visit->read_capacity, sizeof *visit->reads);
    struct seen *seen = &visit->reads[visit->read_count++];
    seen->read = read;
    remember(worker, seen);
    return true;
}

static struct cell_domain slot_domain(void *context, uint32_t slot) {
    struct fixpoint *worker = context;
    const struct analysis *analysis = worker->analysis;
    if (!analysis->is_tracked[slot]) return (struct cell_domain){.set = &analysis->shared[slot]};
    bool is_shared = slot_is_shared(worker->network, slot);
    uint32_t read = is_shared ? slot : worker->network->slot_count + analysis->group_of[slot];
    assert(is_shared || worker->network->slots[slot].process == worker->leg.process);
    if (note_read(worker, read) && is_shared) depend(worker, slot);
    const struct grown *grown = &worker->grown;
    if (grown->is_restricted && grown->read == read)
        return grown->tuples.dimension ? (struct cell_domain){.tuples = &grown->tuples}
                                       : (struct cell_domain){.set = &grown->set};
    return domain_of_read(worker, read);
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
    uint64_t work = enumerator->work_left;
    do {
        if (run_once(worker)) label_run_collect(&worker->run, &worker->delta);
    } while (enumerator_next(enumerator));
    worker->visit->work = work - enumerator->work_left;
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
    uint32_t conjuncts = conjunct_count(worker->leg.guard);
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
    worker->leg.fact->guard_faults |= worker->leg.guard != NULL;
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
static void relax_as_others(struct fixpoint *worker, struct edge_plan *plan) {
    const struct edge *edge = worker->leg.edge;
    const struct template *template = worker->leg.process->template;
    const struct edge_plan *relaxed = worker->relaxed[template->index][edge - template->edges];
    if (plan->is_relaxed || !relaxed) return;
    plan->narrows = plan->is_relaxed = true;
    plan->spent = 0;
    worker->visit->is_complete = false;
    plan->item_limit = relaxed->item_limit;
    memcpy(plan->drops_conjunct, relaxed->drops_conjunct,
           conjunct_count(worker->leg.guard) * sizeof(bool));
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
        worker->slot_grown[slot] = ++worker->clock;
        struct dependents *dependents = &worker->dependents[slot];
        for (uint32_t k = 0; k < dependents->list.count; k++)
            add_pending(worker, (uint32_t)(dependents->list.items[k] >> 32),
                        (uint32_t)dependents->list.items[k]);
        dependents->list.count = 0;
    }
}

static void join(struct fixpoint *worker, uint32_t location, uint32_t group,
                 const struct group_domain *added) {
    struct analysis *analysis = worker->analysis;
    struct process_domain *domain = worker->domain;
    uint32_t process = worker->leg.process->index;
    if (!group_join(analysis, analysis->arena, &domain->groups[group],
                    &domain->locations[location].groups[group], added))
        return;
    worker->groups_grown[process][location * domain->group_count + group] = ++worker->clock;
    add_pending(worker, process, location);
}

/* Groups that some run left alone keep the values that the guard leaves them. */
static void join_kept(struct fixpoint *worker, uint32_t group) {
    const struct edge *edge = worker->leg.edge;
    uint32_t address = worker->domain->groups[group].addresses[0];
    struct group_domain kept = worker->domain->locations[edge->source].groups[group];
    if (worker->domain->groups[group].dimension == 1)
        kept.set = *label_run_known(&worker->run, address).set;
    join(worker, edge->target, group, &kept);
}

static void commit(struct fixpoint *worker) {
    const struct edge *edge = worker->leg.edge;
    const struct delta *delta = &worker->delta;
    struct location_domain *target = &worker->domain->locations[edge->target];
    bool *keeps = worker->visit->keeps;
    assert(worker->domain->locations[edge->source].is_reached);
    if (!target->is_reached) reach(worker, worker->leg.process, edge->target);
    for (uint32_t g = 0; g < worker->domain->group_count; g++) {
        if (delta->added[g]) join(worker, edge->target, g, delta->added[g]);
        keeps[g] |= delta->touched[g] < delta->runs;
        if (edge->target != edge->source && keeps[g]) join_kept(worker, g);
    }
}

/* Visits of edges */

static bool has_grown(const struct fixpoint *worker, uint32_t read) {
    uint32_t slots = worker->network->slot_count, groups = worker->domain->group_count;
    const struct leg *leg = &worker->leg;
    uint64_t when =
        read < slots
            ? worker->slot_grown[read]
            : worker->groups_grown[leg->process->index][leg->edge->source * groups + read - slots];
    return when > worker->visit->clock;
}

enum again { AGAIN_NOTHING, AGAIN_NEW, AGAIN_ALL };

/* What has to be tried again: nothing, or the new values of the one thing read that has grown. What
 * is read anew between guard and update counts as two. */
static enum again find_grown(struct fixpoint *worker) {
    const struct visit *visit = worker->visit;
    const struct edge_plan *plan = worker->leg.plan;
    enum again again = AGAIN_NOTHING;
    if (!visit->is_complete || visit->budget != allowance(worker->analysis) ||
        plan->spent / VISITS_PER_BUDGET > visit->budget)
        return AGAIN_ALL;
    for (uint32_t i = 0; i < visit->read_count; i++) {
        const struct seen *seen = &visit->reads[i];
        if (!has_grown(worker, seen->read)) continue;
        struct cell_domain domain = domain_of_read(worker, seen->read);
        bool is_forgotten = worker->run.is_hooked ||
                            (plan->is_within_step && seen->read < worker->network->slot_count);
        bool is_list = domain.tuples || !domain.set->is_interval;
        if (!seen->is_known || !is_list || is_forgotten || again) return AGAIN_ALL;
        worker->grown = (struct grown){.read = seen->read, .index = i};
        again = AGAIN_NEW;
    }
    return again;
}

/* A visit now would find just what the last one has found. Only what the edge does not look at can
 * have more values, and it keeps them. The runs count as if they were made: how far the budget goes
 * is not to depend on what is remembered. */
static void repeat_visit(struct fixpoint *worker, struct edge_plan *plan) {
    const struct visit *visit = worker->visit;
    const struct edge *edge = worker->leg.edge;
    worker->analysis->evaluation_count += visit->runs;
    plan->spent += visit->runs;
    if (!visit->is_passed || edge->target == edge->source) return;
    uint64_t now = ++worker->clock;
    for (uint32_t i = 0; i < visit->read_count; i++) worker->noted[visit->reads[i].read] = now;
    for (uint32_t g = 0; g < worker->domain->group_count; g++)
        if (worker->noted[worker->network->slot_count + g] != now)
            join(worker, edge->target, g, &worker->domain->locations[edge->source].groups[g]);
}

/* The values of a list that were not seen. */
static struct value_set unseen(struct fixpoint *worker, const struct value_set *all,
                               const struct seen *seen) {
    int32_t *values = ARENA_ARRAY(&worker->run.scratch, int32_t, all->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0, old = 0; i < all->count; i++) {
        while (old < seen->count && seen->values[old] < all->values[i]) old++;
        if (old == seen->count || seen->values[old] != all->values[i])
            values[count++] = all->values[i];
    }
    if (!count) return value_set_empty();
    return (struct value_set){.values = values,
                              .count = count,
                              .capacity = count,
                              .lower = values[0],
                              .upper = values[count - 1]};
}

/* Where the guard narrows what has grown; NULL if it does not. */
static struct value_set *narrowed_of(struct fixpoint *worker, uint32_t read) {
    struct label_run *run = &worker->run;
    uint32_t slots = worker->network->slot_count;
    uint32_t address = read < slots ? worker->network->slots[read].address
                                    : worker->domain->groups[read - slots].addresses[0];
    label_run_begin(run);
    const struct narrowed *cell = label_run_narrowed(run, address);
    return cell ? &run->narrowed[cell - run->narrowing.cells] : NULL;
}

/* All runs that choose a new value, which are counted; and those that do not look at it, again. */
static bool enumerate_new(struct fixpoint *worker, const void *new_values) {
    struct enumerator *enumerator = &worker->run.enumerator;
    struct visit *visit = worker->visit;
    enumerator->budget = visit->budget;
    enumerator->watched = new_values;
    enumerator_start(enumerator);
    uint64_t most_work = enumerator->work_left;
    do {
        uint64_t before = enumerator->work_left;
        if (run_once(worker)) label_run_collect(&worker->run, &worker->delta);
        visit->runs += enumerator->has_watched;
        visit->work += enumerator->has_watched ? before - enumerator->work_left : 0;
    } while (enumerator_next(enumerator));
    enumerator->watched = NULL;
    return !enumerator_failed(enumerator) && visit->runs <= visit->budget &&
           visit->work < most_work;
}

/* False past the budget. */
static bool try_new(struct fixpoint *worker) {
    struct grown *grown = &worker->grown;
    const struct seen *seen = &worker->visit->reads[grown->index];
    struct cell_domain all = domain_of_read(worker, grown->read);
    grown->is_restricted = true;
    bool ok = true;
    if (all.tuples) {
        grown->tuples = *all.tuples;
        grown->tuples.values += (size_t)seen->count * grown->tuples.dimension;
        grown->tuples.count -= seen->count;
        ok = enumerate_new(worker, &grown->tuples);
    } else {
        struct value_set *narrowed = narrowed_of(worker, grown->read), whole;
        if (narrowed) whole = *narrowed;
        grown->set = unseen(worker, narrowed ? narrowed : all.set, seen);
        if (narrowed) *narrowed = grown->set;
        if (!value_set_is_empty(&grown->set))
            ok = enumerate_new(worker, narrowed ? narrowed : &grown->set);
        if (narrowed) *narrowed = whole;
    }
    grown->is_restricted = false;
    return ok;
}

/* Tries what is new since the last visit. The budget is spent as if all were tried; false if it is
 * to be. */
static bool visit_again(struct fixpoint *worker, struct edge_plan *plan) {
    struct visit *visit = worker->visit;
    uint64_t before = worker->analysis->evaluation_count;
    visit->clock = ++worker->clock;
    for (uint32_t i = 0; i < visit->read_count; i++)
        worker->noted[visit->reads[i].read] = visit->clock;
    narrow_nothing(&worker->run);
    bool ok = label_run_bind(&worker->run, &worker->leg, 0) && (!plan->narrows || narrow(worker)) &&
              try_new(worker);
    worker->analysis->evaluation_count = before;
    if (!ok) {
        clear(worker);
        return false;
    }
    worker->analysis->evaluation_count += visit->runs;
    plan->spent += visit->runs;
    visit->is_passed |= worker->delta.runs > 0;
    remember(worker, &visit->reads[worker->grown.index]);
    if (worker->grown.read < worker->network->slot_count) depend(worker, worker->grown.read);
    return true;
}

/* Tries all. False if the edge is never taken. */
static bool make_visit(struct fixpoint *worker, struct edge_plan *plan) {
    const struct analysis *analysis = worker->analysis;
    struct visit *visit = worker->visit;
    uint32_t groups = worker->domain->group_count;
    uint64_t wasted = analysis->wasted_count, before = analysis->evaluation_count;
    if (!visit->keeps) visit->keeps = ARENA_ARRAY(analysis->arena, bool, groups + 1);
    memset(visit->keeps, 0, groups * sizeof *visit->keeps);
    visit->read_count = 0;
    visit->clock = ++worker->clock;
    visit->budget = allowance(analysis);
    visit->work = 0;
    visit->is_complete = visit->is_passed = false;
    if (!label_run_bind(&worker->run, &worker->leg, 0)) return false;
    bool is_possible = evaluate(worker, plan);
    visit->runs = analysis->evaluation_count - before;
    visit->is_passed = is_possible && worker->delta.runs;
    visit->is_complete = analysis->wasted_count == wasted;
    return is_possible;
}

/* Returns what the edge has been relaxed to so far. */
static struct edge_plan *enter_edge(struct fixpoint *worker, uint32_t index) {
    const struct process *process = worker->leg.process;
    const struct template *template = process->template;
    struct edge_plan *plan = &worker->plans[process->index][index];
    worker->visit = &worker->visits[process->index][index];
    worker->leg.edge = &template->edges[index];
    worker->leg.guard = guard_of_edge(worker->network, template, worker->leg.edge);
    worker->leg.plan = plan;
    worker->leg.fact = &worker->analysis->edges[template->index][index];
    relax_as_others(worker, plan);
    return plan;
}

static void note_relaxed(struct fixpoint *worker) {
    const struct template *template = worker->leg.process->template;
    worker->leg.fact->is_incomplete = true;
    analysis_add_note(worker->analysis, template, (uint32_t)(worker->leg.edge - template->edges));
}

static void run_edge(struct fixpoint *worker, uint32_t index) {
    struct edge_plan *plan = enter_edge(worker, index);
    struct visit *visit = worker->visit;
    enum again again = find_grown(worker);
    if (again == AGAIN_NOTHING) {
        repeat_visit(worker, plan);
        return;
    }
    bool is_done = again == AGAIN_NEW && visit_again(worker, plan);
    if (!is_done && !make_visit(worker, plan)) return;
    begin_updates(worker);
    if (plan->is_relaxed) {
        note_relaxed(worker);
        if (visit->is_passed) coarse_writes(&worker->run, &worker->leg, add_range, worker);
    }
    commit_written(worker);
    if (visit->is_passed) {
        worker->leg.fact->is_reached = true;
        commit(worker);
    }
    clear(worker);
}

/* The edge is never taken, but its guard is evaluated: whether labels fail is learned from a visit
 * that leaves nothing behind. */
static void run_alone(struct fixpoint *worker, uint32_t index) {
    struct edge_plan *plan = enter_edge(worker, index);
    make_visit(worker, plan);
    if (plan->is_relaxed) note_relaxed(worker);
    clear(worker);
}

static void enter_process(struct fixpoint *worker, uint32_t process) {
    worker->leg.process = &worker->network->processes[process];
    worker->domain = &worker->analysis->processes[process];
    worker->run.groups = worker->domain->groups;
    if (!worker->plans[process]) {
        uint32_t edges = worker->leg.process->template->edge_count;
        worker->plans[process] = label_run_plans(worker->analysis, worker->leg.process, true);
        worker->visits[process] = ARENA_ARRAY(worker->analysis->arena, struct visit, edges + 1);
    }
}

static void run_process(struct fixpoint *worker, uint32_t process) {
    enter_process(worker, process);
    const struct ranking *ranking = &worker->rankings[worker->leg.process->template->index];
    while (worker->pending_count[process]) {
        uint32_t location = take_pending(worker, process);
        for (uint32_t i = ranking->first[location]; i < ranking->first[location + 1]; i++) {
            const struct edge *edge = &worker->leg.process->template->edges[ranking->edges[i]];
            if (!edge_is_off(worker->network, worker->leg.process->template, edge) &&
                partners_has(&worker->partners, worker->leg.process, edge))
                run_edge(worker, ranking->edges[i]);
        }
    }
}

/* The fixpoint */

static void init_process(struct fixpoint *worker, uint32_t index) {
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
            group_domain_init(&domain->groups[g], &domain->locations[l].groups[g]);
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
    worker->visits = ARENA_ARRAY(arena, struct visit *, network->process_count + 1);
    worker->slot_grown = ARENA_ARRAY(arena, uint64_t, network->slot_count + 1);
    worker->groups_grown = ARENA_ARRAY(arena, uint64_t *, network->process_count + 1);
    worker->noted = ARENA_ARRAY(arena, uint64_t, network->slot_count + groups + 1);
    worker->pending = ARENA_ARRAY(arena, uint64_t *, network->process_count + 1);
    worker->pending_count = ARENA_ARRAY(arena, uint32_t, network->process_count + 1);
    worker->rankings = ARENA_ARRAY(arena, struct ranking, model->template_count + 1);
    worker->relaxed = ARENA_ARRAY(arena, const struct edge_plan **, model->template_count + 1);
    partners_init(&worker->partners, arena, network);
    for (uint32_t t = 0; t < model->template_count; t++) {
        rank_template(model->templates[t], arena, &worker->rankings[t]);
        worker->relaxed[t] =
            ARENA_ARRAY(arena, const struct edge_plan *, model->templates[t]->edge_count + 1);
    }
}

/* Behind the fixpoint. */
static void find_alone(struct fixpoint *worker, uint32_t process) {
    const struct template *template = worker->network->processes[process].template;
    bool *is_alone = ARENA_ARRAY(worker->analysis->arena, bool, template->edge_count + 1);
    enter_process(worker, process);
    worker->domain->is_alone = is_alone;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        is_alone[i] = !partners_has(&worker->partners, worker->leg.process, edge);
        if (is_alone[i] && worker->domain->locations[edge->source].is_reached &&
            !edge_is_off(worker->network, template, edge))
            run_alone(worker, i);
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
        struct fixpoint worker = {
            .analysis = analysis, .network = analysis->network, .relation = &relation};
        analysis_clear_facts(analysis);
        relation_build_groups(&relation);
        run(&worker);
        again = relation.has_united;
        again |= relation_separate_overflowed(&relation);
    }
}
