#include "approx/shared_relation.h"

#include <assert.h>

/* Tuples of what only a merge reads together; and the part of the budget of one edge that all runs
 * together have. */
enum { MOST_TOGETHER = 512, BUDGET_PART = 4 };

struct fixpoint {
    struct label_run run;
    struct analysis *analysis;
    const struct network *network;
    struct shared_groups *groups;
    struct delta delta;
    struct leg leg;
    struct edge_plan **plans; /* by process, when needed */
    struct edge_fact unheard; /* what fails has been noted before */
    bool *is_lost;            /* by group: its slots are on their own */
    uint64_t work_left;
};

/* Groups */

static bool can_be_related(const struct analysis *analysis, uint32_t slot) {
    const struct network *network = analysis->network;
    return slot_is_shared(network, slot) && analysis->is_removed[slot] &&
           analysis->is_tracked[slot] && !network->slots[slot].is_meta &&
           !slot_is_hooked(network, slot);
}

/* What a merge reads is together if it does not have many values together, else what guards read
 * together. */
static void find_classes(struct relation *relation, uint32_t *class_of) {
    const struct analysis *analysis = relation->analysis;
    uint32_t count = analysis->network->slot_count;
    uint32_t *size = ARENA_ARRAY(analysis->arena, uint32_t, count + 1);
    uint64_t *tuples = ARENA_ARRAY(analysis->arena, uint64_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t root = relation_root(relation->parent, i);
        if (!can_be_related(analysis, i) || tuples[root] > MOST_TOGETHER) continue;
        uint64_t values = value_set_size(&analysis->shared[i]);
        tuples[root] = size[root]++ ? tuples[root] * values : values;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t root = relation_root(relation->parent, i);
        bool fits = size[root] <= GROUP_MAX_DIMENSION && tuples[root] <= MOST_TOGETHER;
        class_of[i] = fits ? root : relation_root(relation->by_guards, i);
    }
}

/* Classes of two slots or more; those that are too large are none. */
static void make_groups(struct analysis *analysis, struct relation *relation) {
    const struct network *network = analysis->network;
    struct arena *arena = analysis->arena;
    struct shared_groups *groups = ARENA_NEW(arena, struct shared_groups);
    uint32_t *class_of = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    uint32_t *size = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    uint32_t *number = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    find_classes(relation, class_of);
    groups->group_of = ARENA_ARRAY(arena, uint32_t, network->slot_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        groups->group_of[i] = NO_SLOT;
        if (can_be_related(analysis, i)) groups->count += ++size[class_of[i]] == 2;
    }
    groups->list = ARENA_ARRAY(arena, struct group, groups->count + 1);
    groups->domains = ARENA_ARRAY(arena, struct group_domain, groups->count + 1);
    groups->count = 0;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        uint32_t class = class_of[i];
        if (!can_be_related(analysis, i) || size[class] < 2 || size[class] > GROUP_MAX_DIMENSION)
            continue;
        if (!number[class]) number[class] = ++groups->count;
        struct group *group = &groups->list[number[class] - 1];
        if (!group->addresses) group->addresses = ARENA_ARRAY(arena, uint32_t, size[class]);
        group->addresses[group->dimension++] = network->slots[i].address;
        groups->group_of[i] = number[class] - 1;
    }
    if (groups->count) analysis->shared_groups = groups;
}

/* The fixpoint */

static struct cell_domain slot_domain(void *context, uint32_t slot) {
    const struct fixpoint *worker = context;
    const struct analysis *analysis = worker->analysis;
    const struct leg *leg = &worker->leg;
    uint32_t group = worker->groups->group_of[slot];
    if (group != NO_SLOT && !worker->is_lost[group])
        return group_cell(&worker->groups->list[group], &worker->groups->domains[group]);
    if (!analysis->is_tracked[slot] || slot_is_shared(worker->network, slot))
        return (struct cell_domain){.set = &analysis->shared[slot]};
    const struct process_domain *domain = &analysis->processes[leg->process->index];
    group = analysis->group_of[slot];
    assert(worker->network->slots[slot].process == leg->process && group < domain->group_count);
    return group_cell(&domain->groups[group], &domain->locations[leg->edge->source].groups[group]);
}

static void found_write(struct label_run *run, uint32_t slot, void *context) {
    struct fixpoint *worker = run->context;
    bool *is_written = context;
    uint32_t group = worker->groups->group_of[slot];
    if (group != NO_SLOT && !worker->is_lost[group]) *is_written = true;
}

static void lose_written(struct label_run *run, uint32_t slot, void *context) {
    (void)context;
    struct fixpoint *worker = run->context;
    uint32_t group = worker->groups->group_of[slot];
    if (group != NO_SLOT) worker->groups->list[group].has_overflowed = true;
}

/* Before the update of a receiver others may have written slots of the tuple, also such as the
 * update does not name: then the plan says nothing of it. */
static bool run_once(struct fixpoint *worker) {
    struct label_run *run = &worker->run;
    const struct leg *leg = &worker->leg;
    bool receives = leg->edge->sync && !leg->edge->is_send;
    label_run_begin(run);
    if (!label_run_guard(run, leg, 0)) return false;
    label_run_forget(run, receives || leg->plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
    return label_run_updates(run, leg, 0);
}

/* Past the budget, what the edge writes has no relation. */
static void run_edge(struct fixpoint *worker) {
    struct label_run *run = &worker->run;
    struct enumerator *enumerator = &run->enumerator;
    if (!label_run_bind(run, &worker->leg, 0)) return;
    enumerator->budget = worker->work_left;
    enumerator_start(enumerator);
    do {
        if (run_once(worker)) label_run_collect(run, &worker->delta);
    } while (enumerator_next(enumerator));
    worker->work_left = enumerator->runs_left;
    if (enumerator_failed(enumerator)) label_run_writes(run, &worker->leg, lose_written, NULL);
}

/* True if some group has grown. What has read tuples of a group that is lost now is to be run
 * again, with all values. */
static bool commit(struct fixpoint *worker) {
    struct shared_groups *groups = worker->groups;
    bool has_grown = false;
    for (uint32_t g = 0; g < groups->count; g++) {
        struct group *group = &groups->list[g];
        if (worker->delta.added[g])
            has_grown |= group_join(worker->analysis, worker->analysis->arena, group,
                                    &groups->domains[g], worker->delta.added[g]);
        has_grown |= group->has_overflowed && !worker->is_lost[g];
        worker->is_lost[g] = group->has_overflowed;
    }
    delta_clear(&worker->delta);
    label_run_clear(&worker->run);
    return has_grown;
}

static bool run_process(struct fixpoint *worker, const struct process *process) {
    struct analysis *analysis = worker->analysis;
    const struct template *template = process->template;
    const struct process_domain *domain = &analysis->processes[process->index];
    struct edge_plan **plans = &worker->plans[process->index];
    bool has_grown = false;
    if (!*plans) *plans = label_run_plans(analysis, process, true);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        bool writes = false;
        if (!domain->locations[edge->source].is_reached || domain->is_alone[i] ||
            edge_is_off(worker->network, template, edge))
            continue;
        worker->leg = (struct leg){process, edge, guard_of_edge(worker->network, template, edge),
                                   &(*plans)[i], &worker->unheard};
        label_run_writes(&worker->run, &worker->leg, found_write, &writes);
        if (!writes) continue;
        run_edge(worker);
        has_grown |= commit(worker);
    }
    return has_grown;
}

static void init_worker(struct fixpoint *worker) {
    struct analysis *analysis = worker->analysis;
    const struct model *model = analysis->network->model;
    struct arena *arena = analysis->arena;
    uint32_t items = 0;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            if (model->templates[t]->edges[i].updates.count > items)
                items = model->templates[t]->edges[i].updates.count;
    worker->unheard.item_faults = ARENA_ARRAY(arena, bool, items + 1);
    worker->plans = ARENA_ARRAY(arena, struct edge_plan *, worker->network->process_count + 1);
    worker->work_left = analysis->options.budget / BUDGET_PART + 1;
    worker->is_lost = ARENA_ARRAY(arena, bool, worker->groups->count);
    label_run_init(&worker->run, analysis, 1);
    worker->run.domain = slot_domain;
    worker->run.context = worker;
    worker->run.item_of = worker->groups->group_of;
    worker->run.groups = worker->groups->list;
    delta_init(&worker->delta, arena, worker->groups->count);
    for (uint32_t g = 0; g < worker->groups->count; g++) {
        group_domain_init(arena, &worker->groups->list[g], &worker->groups->domains[g]);
        group_add_cells(analysis, arena, &worker->groups->list[g], &worker->groups->domains[g],
                        worker->network->cells);
    }
}

/* Adds, in order, the rows that the tuples have, of all that agree with the row up to a column. */
static void add_in_order(const struct analysis *analysis, const struct tuple_set *tuples,
                         uint32_t column, int32_t *row, struct tuple_set *sorted) {
    if (column == tuples->dimension) {
        if (tuple_set_has(tuples, row)) tuple_set_add(analysis->arena, sorted, row);
        return;
    }
    uint32_t slot = analysis->network->slot_of[tuples->addresses[column]];
    uint64_t count = value_set_size(&analysis->shared[slot]);
    for (uint64_t i = 0; i < count; i++) {
        row[column] = value_set_at(&analysis->shared[slot], i);
        add_in_order(analysis, tuples, column + 1, row, sorted);
    }
}

/* Tuples come in the order in which those of slots on their own would; all of them say nothing. A
 * slot on its own may have fewer values, as receivers are run from more here: tuples with others
 * go. */
static void finish(const struct analysis *analysis, struct group *group, struct tuple_set *tuples) {
    uint64_t product = 1;
    int32_t row[GROUP_MAX_DIMENSION];
    for (uint32_t i = 0; i < group->dimension && product <= ANALYSIS_MAX_TUPLES; i++)
        product *=
            value_set_size(&analysis->shared[analysis->network->slot_of[group->addresses[i]]]);
    if (product > ANALYSIS_MAX_TUPLES || group->has_overflowed) return;
    struct tuple_set sorted = {.addresses = tuples->addresses, .dimension = tuples->dimension};
    add_in_order(analysis, tuples, 0, row, &sorted);
    assert(sorted.count <= tuples->count);
    group->has_overflowed = sorted.count == product;
    *tuples = sorted;
}

void shared_relation_compute(struct analysis *analysis, struct relation *relation) {
    if (relation->candidate_count > 1) make_groups(analysis, relation);
    if (!analysis->shared_groups) return;
    struct fixpoint worker = {
        .analysis = analysis, .network = analysis->network, .groups = analysis->shared_groups};
    init_worker(&worker);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < worker.network->process_count; p++)
            more |= run_process(&worker, &worker.network->processes[p]);
    }
    label_run_close(&worker.run);
    for (uint32_t g = 0; g < worker.groups->count; g++)
        finish(analysis, &worker.groups->list[g], worker.groups->domains[g].tuples);
}

void shared_relation_copy(struct analysis *analysis) {
    const struct shared_groups *groups = analysis->shared_groups;
    struct arena *arena = analysis->arena;
    if (!groups) return;
    analysis->shared_groups = ARENA_NEW(arena, struct shared_groups);
    *analysis->shared_groups = *groups;
    analysis->shared_groups->domains = ARENA_ARRAY(arena, struct group_domain, groups->count);
    memcpy(analysis->shared_groups->domains, groups->domains,
           groups->count * sizeof *groups->domains);
}

struct tuple_set **shared_relation_of(const struct analysis *analysis, uint32_t slot) {
    const struct shared_groups *groups = analysis->shared_groups;
    uint32_t group = groups ? groups->group_of[slot] : NO_SLOT;
    if (group == NO_SLOT || groups->list[group].has_overflowed) return NULL;
    assert(groups->domains[group].tuples->count);
    return &groups->domains[group].tuples;
}
