/* Visits of an edge: what each of them has read. If nothing of that has grown since, the next visit
 * would find what the last one has found; if one thing has, only its new values are tried. */
#include "approx/labels/narrow.h"
#include "approx/local_domain_internal.h"

#include <assert.h>

enum { MOST_COPIED = 1 << 22 };

static struct cell_domain domain_of_read(const struct local_fixpoint *worker, uint32_t read) {
    uint32_t slots = worker->network->slot_count;
    if (read < slots) return (struct cell_domain){.set = &worker->analysis->shared[read]};
    assert(read - slots < worker->domain->group_count);
    return group_cell(&worker->domain->groups[read - slots],
                      &worker->domain->locations[worker->leg.edge->source].groups[read - slots]);
}

static void remember(struct local_fixpoint *worker, struct seen_values *seen) {
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

/* The current visit reads a shared slot, or a group after slot_count. */
static bool note_read(struct local_fixpoint *worker, uint32_t read) {
    struct edge_visit *visit = worker->visit;
    if (worker->noted[read] == visit->clock) return false;
    worker->noted[read] = visit->clock;
    if (visit->read_count == visit->read_capacity)
        visit->reads = vec_grow(worker->analysis->arena, visit->reads, visit->read_count,
                                &visit->read_capacity, sizeof *visit->reads);
    struct seen_values *seen = &visit->reads[visit->read_count++];
    seen->read = read;
    remember(worker, seen);
    return true;
}

struct cell_domain local_slot_domain(void *context, uint32_t slot) {
    struct local_fixpoint *worker = context;
    const struct analysis *analysis = worker->analysis;
    if (!analysis->is_tracked[slot]) return (struct cell_domain){.set = &analysis->shared[slot]};
    bool is_shared = slot_is_shared(worker->network, slot);
    uint32_t read = is_shared ? slot : worker->network->slot_count + analysis->group_of[slot];
    assert(is_shared || worker->network->slots[slot].process == worker->leg.process);
    if (!worker->is_peeking && note_read(worker, read) && is_shared) local_depend(worker, slot);
    const struct grown *grown = &worker->grown;
    if (grown->is_restricted && grown->read == read)
        return grown->tuples.dimension ? (struct cell_domain){.tuples = &grown->tuples}
                                       : (struct cell_domain){.set = &grown->set};
    return domain_of_read(worker, read);
}

static bool has_grown(const struct local_fixpoint *worker, uint32_t read) {
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
static enum again find_grown(struct local_fixpoint *worker) {
    const struct edge_visit *visit = worker->visit;
    const struct edge_plan *plan = worker->leg.plan;
    enum again again = AGAIN_NOTHING;
    if (!visit->is_complete || visit->budget != local_allowance(worker->analysis) ||
        plan->spent / VISITS_PER_BUDGET > visit->budget)
        return AGAIN_ALL;
    for (uint32_t i = 0; i < visit->read_count; i++) {
        const struct seen_values *seen = &visit->reads[i];
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
static void repeat_visit(struct local_fixpoint *worker, struct edge_plan *plan) {
    const struct edge_visit *visit = worker->visit;
    const struct edge *edge = worker->leg.edge;
    assert(visit->is_complete);
    worker->analysis->evaluation_count += visit->runs;
    plan->spent += visit->runs;
    if (!visit->is_passed || edge->target == edge->source) return;
    uint64_t now = ++worker->clock;
    for (uint32_t i = 0; i < visit->read_count; i++) worker->noted[visit->reads[i].read] = now;
    for (uint32_t g = 0; g < worker->domain->group_count; g++)
        if (worker->noted[worker->network->slot_count + g] != now)
            local_join(worker, edge->target, g, &worker->domain->locations[edge->source].groups[g]);
}

/* The values of a list that were not seen. */
static struct value_set unseen(struct local_fixpoint *worker, const struct value_set *all,
                               const struct seen_values *seen) {
    int32_t *values = ARENA_ARRAY(&worker->run.scratch, int32_t, all->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0, old = 0; i < all->count; i++) {
        while (old < seen->count && seen->values[old] < all->values[i]) old++;
        if (old == seen->count || seen->values[old] != all->values[i])
            values[count++] = all->values[i];
    }
    assert(!all->is_interval && count <= all->count);
    if (!count) return value_set_empty();
    return (struct value_set){.values = values,
                              .count = count,
                              .capacity = count,
                              .lower = values[0],
                              .upper = values[count - 1]};
}

/* Where the guard narrows what has grown; NULL if it does not. */
static struct value_set *narrowed_of(struct local_fixpoint *worker, uint32_t read) {
    struct label_run *run = &worker->run;
    uint32_t slots = worker->network->slot_count;
    uint32_t address = read < slots ? worker->network->slots[read].address
                                    : worker->domain->groups[read - slots].addresses[0];
    label_run_begin(run);
    const struct narrowed *cell = label_run_narrowed(run, address);
    return cell ? &run->narrowed[cell - run->narrowing.cells] : NULL;
}

/* All runs that choose a new value, which are counted; and those that do not look at it, again. */
static bool enumerate_new(struct local_fixpoint *worker, const void *new_values) {
    struct enumerator *enumerator = &worker->run.enumerator;
    struct edge_visit *visit = worker->visit;
    enumerator->budget = visit->budget;
    enumerator->watched = new_values;
    enumerator_start(enumerator);
    uint64_t most_work = enumerator->work_left;
    do {
        uint64_t before = enumerator->work_left;
        if (local_run_once(worker)) label_run_collect(&worker->run, &worker->delta);
        visit->runs += enumerator->has_watched;
        visit->work += enumerator->has_watched ? before - enumerator->work_left : 0;
        visit->runs += local_sweep(worker);
    } while (enumerator_next(enumerator));
    enumerator->watched = NULL;
    return !enumerator_failed(enumerator) && visit->runs <= visit->budget &&
           visit->work < most_work;
}

/* False past the budget. */
static bool try_new(struct local_fixpoint *worker) {
    struct grown *grown = &worker->grown;
    const struct seen_values *seen = &worker->visit->reads[grown->index];
    struct cell_domain all = domain_of_read(worker, grown->read);
    assert(!grown->is_restricted && seen->read == grown->read && seen->is_known);
    grown->is_restricted = true;
    bool ok = true;
    if (all.tuples) {
        assert(seen->count <= all.tuples->count); /* rows are added, never taken away */
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
static bool visit_again(struct local_fixpoint *worker, struct edge_plan *plan) {
    struct edge_visit *visit = worker->visit;
    uint64_t before = worker->analysis->evaluation_count;
    visit->clock = ++worker->clock;
    for (uint32_t i = 0; i < visit->read_count; i++)
        worker->noted[visit->reads[i].read] = visit->clock;
    narrow_nothing(&worker->run);
    bool ok = label_run_bind(&worker->run, &worker->leg, 0) &&
              (!plan->narrows || local_narrow(worker)) && try_new(worker);
    worker->analysis->evaluation_count = before;
    if (!ok) {
        local_clear(worker);
        return false;
    }
    worker->analysis->evaluation_count += visit->runs;
    plan->spent += visit->runs;
    visit->is_passed |= worker->delta.runs > 0;
    remember(worker, &visit->reads[worker->grown.index]);
    if (worker->grown.read < worker->network->slot_count) local_depend(worker, worker->grown.read);
    return true;
}

/* Tries all. False if the edge is never taken. */
bool local_visit_all(struct local_fixpoint *worker, struct edge_plan *plan) {
    const struct analysis *analysis = worker->analysis;
    struct edge_visit *visit = worker->visit;
    uint32_t groups = worker->domain->group_count;
    uint64_t wasted = analysis->wasted_count, before = analysis->evaluation_count;
    if (!visit->keeps) visit->keeps = ARENA_ARRAY(analysis->arena, bool, groups + 1);
    memset(visit->keeps, 0, groups * sizeof *visit->keeps);
    visit->read_count = 0;
    visit->clock = ++worker->clock;
    visit->budget = local_allowance(analysis);
    visit->work = 0;
    visit->is_complete = visit->is_passed = false;
    if (!label_run_bind(&worker->run, &worker->leg, 0)) return false;
    bool is_possible = local_evaluate(worker, plan);
    visit->runs = analysis->evaluation_count - before;
    visit->is_passed = is_possible && worker->delta.runs;
    visit->is_complete = analysis->wasted_count == wasted;
    return is_possible;
}

bool local_visit(struct local_fixpoint *worker, struct edge_plan *plan) {
    enum again again = find_grown(worker);
    if (again == AGAIN_NOTHING) {
        repeat_visit(worker, plan);
        return false;
    }
    return (again == AGAIN_NEW && visit_again(worker, plan)) || local_visit_all(worker, plan);
}
