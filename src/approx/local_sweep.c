/* The last choice of a run, for all of its values at once.
 *
 * Runs that differ in the value of their last choice alone do the same but for what depends on it.
 * They go through the labels side by side (lang/eval/eval_lanes.h), as if one after the other had
 * been run: what they add to sets comes in the same order, and they count as runs. So what a sweep
 * leaves is what the runs would have left, and no one can tell it from them.
 *
 * A run that would choose once more, or find no value, is left to the enumerator, with all that
 * follow it. So are edges of which others may have changed what their guard has read, and those
 * whose invariants refine; and all runs where removed slots may be related (A3). */
#include "approx/local_domain_internal.h"

#include <assert.h>

enum { LEAST_SWEPT = 8, SWEEP_MAX_LABELS = 16 };

/* A label of the edge, in the order of a run. */
struct swept_label {
    const struct eval_code *code; /* NULL for an item that changes nothing that is tracked */
    uint32_t item;                /* SWEPT_GUARD for a part of the guard */
};

#define SWEPT_GUARD UINT32_MAX
#define NO_LANE UINT32_MAX

struct sweep {
    struct lanes lanes;
    bool is_watched[LANE_MAX_CELLS]; /* by cell of the lanes */
    struct swept_label labels[SWEEP_MAX_LABELS];
    uint32_t label_count;
    bool is_faulty[SWEEP_MAX_LABELS];             /* by label: some lane is */
    int32_t faulty[SWEEP_MAX_LABELS][LANE_COUNT]; /* masks */
};

/* What lanes find */

static struct cell_domain peek(struct local_fixpoint *worker, uint32_t address) {
    worker->is_peeking = true;
    struct cell_domain domain = label_run_known(&worker->run, address);
    worker->is_peeking = false;
    return domain;
}

/* So many values of a set from one on; the lanes after them are not used. */
static void fill_column(int32_t *column, const struct value_set *set, uint64_t from,
                        uint64_t count) {
    uint32_t used = count < LANE_COUNT ? (uint32_t)count : LANE_COUNT;
    if (set->is_interval)
        for (uint32_t i = 0; i < LANE_COUNT; i++)
            column[i] = (int32_t)((uint32_t)set->lower + (uint32_t)from + i);
    else
        memcpy(column, set->values + from, used * sizeof *column);
}

static enum lane_input first_values(void *context, uint32_t address, int32_t *first) {
    struct local_fixpoint *worker = context;
    struct sweep *sweep = worker->sweep;
    const struct enumerator *enumerator = &worker->run.enumerator;
    struct cell_domain domain = peek(worker, address);
    uint32_t last = enumerator->trail.count - 1, at = 0;
    if (!domain.set) return LANE_IMPOSSIBLE;
    sweep->is_watched[sweep->lanes.cell_count] = domain.set == enumerator->watched;
    uint64_t size = value_set_size(domain.set), index = 0;
    while (at <= last && enumerator->trail.items[at].address != address) at++;
    if (at <= last) {
        assert(enumerator->trail.items[at].count == size);
        index = enumerator->trail.items[at].index;
    }
    if (at > last && size != 1) return LANE_REFUSED;
    int32_t value = value_set_at(domain.set, index);
    if (at == last)
        fill_column(first, domain.set, index + 1, size - index - 1);
    else
        for (uint32_t i = 0; i < LANE_COUNT; i++) first[i] = value;
    return LANE_GIVEN;
}

/* The labels */

static bool add_label(struct local_fixpoint *worker, const struct expr *expr, uint32_t item) {
    struct sweep *sweep = worker->sweep;
    struct swept_label label = {NULL, item};
    if (sweep->label_count == SWEEP_MAX_LABELS) return false;
    if (expr) {
        label.code = eval_straight_code(&worker->run.environment, expr, item != SWEPT_GUARD);
        if (!label.code) return false;
    }
    sweep->labels[sweep->label_count++] = label;
    return true;
}

static bool add_conjuncts(struct local_fixpoint *worker, const struct expr *expr, uint32_t *next) {
    if (expr->kind == EXPR_BINARY && expr->op == OP_AND)
        return add_conjuncts(worker, expr->child[0], next) &&
               add_conjuncts(worker, expr->child[1], next);
    return worker->leg.plan->drops_conjunct[(*next)++] || add_label(worker, expr, SWEPT_GUARD);
}

/* What a run goes through; false if lanes cannot. */
static bool list_labels(struct local_fixpoint *worker) {
    const struct leg *leg = &worker->leg;
    const struct expr_list *updates = &leg->edge->updates;
    uint32_t next = 0;
    worker->sweep->label_count = 0;
    if (leg->guard && !(leg->plan->is_relaxed ? add_conjuncts(worker, leg->guard, &next)
                                              : add_label(worker, leg->guard, SWEPT_GUARD)))
        return false;
    for (uint32_t i = 0; i < updates->count; i++) {
        bool is_relevant = leg->plan->is_relevant[i];
        if (is_relevant && leg->plan->is_relaxed && i >= leg->plan->item_limit) break;
        if (!add_label(worker, is_relevant ? updates->items[i] : NULL, i)) return false;
    }
    return true;
}

/* False if all lanes are to be run alone. */
static bool run_labels(struct sweep *sweep) {
    struct lanes *lanes = &sweep->lanes;
    for (uint32_t i = 0; i < sweep->label_count; i++) {
        const struct swept_label *label = &sweep->labels[i];
        sweep->is_faulty[i] = true;
        if (!label->code) { /* what is not run may fail */
            memcpy(sweep->faulty[i], lanes->alive, sizeof lanes->alive);
            continue;
        }
        if (!lanes_run(lanes, label->code)) return false;
        sweep->is_faulty[i] = lanes->has_faults;
        if (lanes->has_faults) memcpy(sweep->faulty[i], lanes->faulty, sizeof lanes->faulty);
        if (label->item == SWEPT_GUARD) lanes_keep_true(lanes);
    }
    return true;
}

/* What they leave */

static void note_faults(struct local_fixpoint *worker, uint32_t count) {
    const struct sweep *sweep = worker->sweep;
    struct edge_fact *fact = worker->leg.fact;
    for (uint32_t i = 0; i < sweep->label_count; i++) {
        const struct swept_label *label = &sweep->labels[i];
        if (!sweep->is_faulty[i] || !lanes_any(sweep->faulty[i], count)) continue;
        if (label->item == SWEPT_GUARD)
            fact->guard_faults = true;
        else
            fact->item_faults[label->item] = true;
    }
}

/* An interval that has the value stays as it is when the value is added. */
static bool holds(const struct value_set *set, int32_t value) {
    return set && set->is_interval && value >= set->lower && value <= set->upper;
}

static bool is_written_twice(const struct lanes *lanes, const struct lane_write *write) {
    for (uint32_t i = 0; i < lanes->write_count; i++)
        if (&lanes->writes[i] != write && lanes->writes[i].cell == write->cell) return true;
    return false;
}

/* All writes into one cell; those who see one of them after the first again leave nothing new. */
static void note_all_writes(struct local_fixpoint *worker, const struct lane_cell *cell,
                            uint32_t count) {
    const struct lanes *lanes = &worker->sweep->lanes;
    struct enumerator *enumerator = &worker->run.enumerator;
    for (uint32_t l = 0; l < count; l++)
        for (uint32_t i = 0; i < lanes->write_count; i++)
            if (lanes->writes[i].cell == cell && lanes->writes[i].mask[l])
                enumerator->wrote(enumerator->context, cell->address, lanes->writes[i].values[l]);
}

/* Rule A2: the values that were written, lane by lane. Those of one slot count in their order. */
static void note_writes(struct local_fixpoint *worker, uint32_t count) {
    const struct lanes *lanes = &worker->sweep->lanes;
    const struct label_run *run = &worker->run;
    for (uint32_t i = 0; i < lanes->write_count; i++) {
        const struct lane_write *write = &lanes->writes[i];
        uint32_t address = write->cell->address, before = NO_LANE;
        uint32_t slot = run->network->slot_of[address];
        assert(address < run->network->cell_count);
        if (slot == NO_SLOT || !slot_is_shared(run->network, slot)) continue;
        if (is_written_twice(lanes, write)) {
            note_all_writes(worker, write->cell, count);
            continue;
        }
        for (uint32_t l = 0; l < count; l++) {
            int32_t value = write->values[l];
            if (!write->mask[l] || (before != NO_LANE && write->values[before] == value) ||
                holds(run->written[slot], value))
                continue;
            run->enumerator.wrote(run->enumerator.context, address, value);
            before = l;
        }
    }
}

/* Reads count as reads of the visit once a lane that counts has made them. */
static void note_cells(struct local_fixpoint *worker, uint32_t count) {
    const struct lanes *lanes = &worker->sweep->lanes;
    for (uint32_t i = 0; i < lanes->cell_count; i++)
        if (lanes_any(lanes->cells[i].known, count))
            label_run_known(&worker->run, lanes->cells[i].address);
}

static uint64_t count_watched(const struct sweep *sweep, uint32_t count) {
    uint64_t watched = 0;
    for (uint32_t l = 0; l < count; l++) {
        bool is_watched = false;
        for (uint32_t i = 0; i < sweep->lanes.cell_count; i++)
            is_watched |= sweep->is_watched[i] && sweep->lanes.cells[i].read[l];
        watched += is_watched;
    }
    return watched;
}

/* As label_run_collect, for the lanes that came to their end. */
static void collect(struct local_fixpoint *worker, uint32_t count) {
    struct label_run *run = &worker->run;
    struct delta *delta = &worker->delta;
    const struct network *network = run->network;
    const struct lanes *lanes = &worker->sweep->lanes;
    for (uint32_t i = 0; i < lanes->cell_count; i++) {
        const struct lane_cell *cell = &lanes->cells[i];
        bool is_slot = cell->address < network->cell_count;
        uint32_t slot = is_slot ? network->slot_of[cell->address] : NO_SLOT;
        uint32_t item = slot == NO_SLOT ? NO_SLOT : run->item_of[slot], before = NO_LANE;
        if (item == NO_SLOT) continue;
        assert(run->groups[item].dimension == 1);
        struct bounds bounds = slot_bounds(run->analysis, slot);
        for (uint32_t l = 0; l < count; l++) {
            if (!(lanes->alive[l] & cell->known[l])) continue;
            if (!delta->added[item]) delta_of(run, delta, item);
            struct value_set *set = &delta->added[item]->set;
            delta->touched[item]++;
            if ((before != NO_LANE && cell->values[before] == cell->values[l]) ||
                holds(set, cell->values[l]))
                continue;
            value_set_add(&run->scratch, set, cell->values[l], &bounds);
            before = l;
        }
    }
    for (uint32_t l = 0; l < count; l++) delta->runs += lanes->alive[l] != LANE_NEVER;
}

/* The first so many lanes are runs. */
static uint64_t commit(struct local_fixpoint *worker, uint32_t count) {
    struct enumerator *enumerator = &worker->run.enumerator;
    struct choice *last = &enumerator->trail.items[enumerator->trail.count - 1];
    assert(count && last->index + count < last->count && enumerator->runs_left > count);
    note_cells(worker, count);
    note_faults(worker, count);
    note_writes(worker, count);
    collect(worker, count);
    last->index += count;
    enumerator->run += count;
    enumerator->runs_left -= count;
    worker->analysis->evaluation_count += count;
    return enumerator->watched ? count_watched(worker->sweep, count) : 0;
}

/* How many runs are ahead that differ in the last choice alone, before the enumerator looks up. */
static uint64_t runs_ahead(const struct enumerator *enumerator) {
    if (!enumerator->trail.count || enumerator->has_failed) return 0;
    const struct choice *last = &enumerator->trail.items[enumerator->trail.count - 1];
    uint64_t ahead = last->count - 1 - last->index;
    uint64_t runs = enumerator->budget - enumerator->runs_left;
    uint64_t unseen = enumerator->next_look > runs ? enumerator->next_look - runs - 1 : 0;
    assert(enumerator->runs_left);
    if (ahead > unseen) ahead = unseen;
    return ahead < enumerator->runs_left ? ahead : enumerator->runs_left - 1;
}

static bool may_sweep(struct local_fixpoint *worker) {
    const struct enumerator *enumerator = &worker->run.enumerator;
    const struct edge_plan *plan = worker->leg.plan;
    if (plan->is_within_step || plan->ignores_guard || plan->refines || worker->run.is_hooked ||
        enumerator->goes_down || worker->relation->candidate_count > 1 ||
        worker->analysis->options.sweeps_nothing)
        return false;
    for (uint32_t i = 0; i < enumerator->trail.count; i++)
        if (enumerator->trail.items[i].address == CHOICE_FREE) return false;
    return peek(worker, enumerator->trail.items[enumerator->trail.count - 1].address).set != NULL;
}

uint64_t local_sweep(struct local_fixpoint *worker) {
    struct enumerator *enumerator = &worker->run.enumerator;
    uint64_t watched = 0, ahead = runs_ahead(enumerator);
    if (ahead < LEAST_SWEPT || !may_sweep(worker)) return 0;
    if (!worker->sweep) worker->sweep = ARENA_NEW(worker->analysis->arena, struct sweep);
    struct sweep *sweep = worker->sweep;
    worker->run.environment.fault = (struct fault){0}; /* of the run, which is over */
    if (!list_labels(worker)) return 0;
    sweep->lanes.input = first_values;
    sweep->lanes.context = worker;
    for (; ahead >= LEAST_SWEPT; ahead = runs_ahead(enumerator)) {
        uint32_t count = ahead < LANE_COUNT ? (uint32_t)ahead : LANE_COUNT, fine = 0;
        lanes_begin(&sweep->lanes, count);
        if (!run_labels(sweep)) break;
        while (fine < count && !sweep->lanes.refused[fine]) fine++;
        if (fine) watched += commit(worker, fine);
        if (fine < count) break;
    }
    return watched;
}
