/* Runs one function by the enumerator, and keeps what each run read, sent and left behind. */
#include "classes/edge_function.h"

#include "approx/labels/domain.h"
#include "base/debug.h"
#include "model/process_names.h"

#include <assert.h>
#include <stdlib.h>

const struct value_set *tracker_locations(const struct points *points,
                                          const struct function_part *function, uint32_t slot) {
    if (!points->owners || !points->owners->has_trackers || !slot_is_shared(points->network, slot))
        return NULL;
    const struct process *tracker = points_owner(points, slot);
    if (!tracker || !function->process || function->process == tracker) return NULL;
    bool is_late = function->kind == FUNCTION_UPDATE &&
                   (function->edge->leaves_branchpoint || function_receives(function));
    return foreign_find(points->owners->foreign, tracker, function->process->template,
                        function->edge, is_late);
}

bool receivers_overwrite(const struct points *points, const struct function_part *function,
                         uint32_t slot) {
    const struct owners *owners = points->owners;
    if (!owners || !owners->has_trackers || !slot_is_shared(points->network, slot) ||
        !function_sends(function) || function->process != points_owner(points, slot))
        return false;
    const struct symbol *symbol = points->network->slots[slot].symbol;
    return owners->list[slot - points->network->slots[slot].offset].cell_count == 1 &&
           foreign_overwrite(owners->foreign, function->process, function->edge, symbol);
}

static uint32_t point_found(const struct points *points, const struct function_part *function,
                            uint32_t slot, bool is_in_transit) {
    const struct value_set *locations = tracker_locations(points, function, slot);
    assert(function->kind != FUNCTION_OBSERVATION || !points_owner(points, slot));
    if (locations) return (uint32_t)value_set_at(locations, 0);
    if (points_owner(points, slot)) return function->location;
    return is_in_transit ? point_in_transit(points, slot, function->edge) : 0;
}

/* A receiver's update finds in transit what its sender has handed over, unless that is nothing. */
uint32_t point_before(const struct points *points, const struct function_part *function,
                      uint32_t slot) {
    bool is_in_transit = function->kind == FUNCTION_UPDATE && function_receives(function);
    return point_found(points, function, slot, is_in_transit);
}

uint32_t point_carried(const struct points *points, const struct function_part *function,
                       uint32_t slot) {
    return point_found(points, function, slot, function_receives(function));
}

uint32_t point_after(const struct points *points, const struct function_part *function,
                     uint32_t slot) {
    assert(function->edge);
    const struct value_set *locations = tracker_locations(points, function, slot);
    if (locations) return (uint32_t)value_set_at(locations, 0);
    return points_owner(points, slot) ? function->edge->target : 0;
}

uint32_t transit_after(const struct points *points, const struct function_part *function,
                       uint32_t slot) {
    return function_sends(function) ? point_in_transit(points, slot, function->edge) : 0;
}

/* Hooks of the enumerator. */

/* Reads an address that is no cell of the model. */
static int32_t read_own(struct function_runs *runs, uint32_t address) {
    return runs->environment.read(&runs->enumerator, address);
}

/* The point where the function finds a slot. In an observation that depends on where the owner of
 * the slot is, and in a foreign process on where the tracker is: that is picked first. */
static uint32_t point_read(struct function_runs *runs, uint32_t slot) {
    const struct function_part *function = runs->function;
    const struct process *owner = points_owner(runs->points, slot);
    const struct value_set *locations = tracker_locations(runs->points, function, slot);
    assert(!locations || owner);
    if (locations) runs->tracker_locations[owner->index] = locations;
    if (!locations && (!owner || function->kind != FUNCTION_OBSERVATION))
        return point_before(runs->points, function, slot);
    return (uint32_t)read_own(runs, function_runs_location(runs, owner->index));
}

/* The values that an address picks from while the function runs. */
static struct cell_domain cell_domain(void *context, uint32_t address) {
    struct function_runs *runs = context;
    const struct network *network = runs->network;
    if (address >= function_runs_location(runs, 0)) {
        uint32_t process = address - function_runs_location(runs, 0);
        bool is_tracker = runs->function->kind != FUNCTION_OBSERVATION;
        assert(process <= network->process_count);
        return (struct cell_domain){.set = is_tracker ? runs->tracker_locations[process]
                                                      : &runs->locations[process]};
    }
    assert(address < network->cell_count + runs->select_count);
    if (address >= network->cell_count)
        return (struct cell_domain){.set = &runs->selects[address - network->cell_count]};
    uint32_t slot = network->slot_of[address];
    if (slot == NO_SLOT) return (struct cell_domain){.set = NULL};
    uint32_t number = point_read(runs, slot);
    return (struct cell_domain){.set = points_at(runs->points, slot, number)->values};
}

static void wrote(void *context, uint32_t address, int32_t value) {
    struct function_runs *runs = context;
    if (address >= runs->network->cell_count) return;
    uint32_t slot = runs->network->slot_of[address];
    if (slot == NO_SLOT) /* a clock: else it would not be written */
        VEC_PUSH(runs->arena, &runs->uses, (struct clock_use){NULL, {address, NO_CLOCK}, value});
    if (slot == NO_SLOT || runs->written_run[slot] == runs->enumerator.run) return;
    runs->written_run[slot] = runs->enumerator.run;
    VEC_PUSH(runs->arena, &runs->written, slot);
}

static bool is_fixed(void *context, uint32_t address) {
    const struct enumerator *enumerator = context;
    const struct function_runs *runs = enumerator->context;
    return address < runs->network->cell_count && runs->network->slot_of[address] == NO_SLOT;
}

/* For given numbers a label is a conjunction of the comparisons that it comes to where each of them
 * holds (check_clock.c), so these are noted. A query is made of them in other ways. */
static bool clock_holds(void *context, const struct clock_comparison *comparison) {
    struct enumerator *enumerator = context;
    struct function_runs *runs = enumerator->context;
    if (runs->function->kind == FUNCTION_OBSERVATION) enumerator->has_failed = true;
    VEC_PUSH(runs->arena, &runs->uses,
             (struct clock_use){comparison->expr,
                                {comparison->clocks[0], comparison->clocks[1]},
                                comparison->number});
    return true;
}

static bool is_at(void *context, const struct symbol *location) {
    struct enumerator *enumerator = context;
    struct function_runs *runs = enumerator->context;
    const struct function_part *function = runs->function;
    if (!function->process || location->template != function->process->template) return false;
    /* After a branchpoint that is the location before the step, which is not known. */
    if (function->edge && function->edge->leaves_branchpoint) enumerator->has_failed = true;
    return location->location == function->location;
}

/* Hooks of observations. */

static bool is_process_at(void *context, uint32_t process, const struct symbol *location) {
    struct enumerator *enumerator = context;
    struct function_runs *runs = enumerator->context;
    int32_t own = read_own(runs, function_runs_location(runs, process));
    return own == (int32_t)location->location;
}

static bool is_deadlocked(void *context) {
    struct enumerator *enumerator = context;
    struct function_runs *runs = enumerator->context;
    uint32_t after = runs->network->process_count;
    return read_own(runs, function_runs_location(runs, after)) != 0;
}

static bool view_process(void *context, const struct symbol *symbol, const int32_t *arguments,
                         uint32_t count, struct process_view *view) {
    struct enumerator *enumerator = context;
    const struct function_runs *runs = enumerator->context;
    const struct process *process =
        find_process(runs->network, &runs->processes, symbol, arguments, count);
    if (!process) return false;
    *view = (struct process_view){process->locals, process->index};
    return true;
}

static void init_observations(struct function_runs *runs) {
    const struct network *network = runs->network;
    struct environment *environment = &runs->environment;
    runs->locations = ARENA_ARRAY(runs->arena, struct value_set, network->process_count + 1);
    for (uint32_t p = 0; p < network->process_count; p++) {
        uint32_t count = network->processes[p].template->location_count;
        runs->locations[p] = value_set_range(0, (int32_t)count - 1);
    }
    runs->locations[network->process_count] = value_set_range(0, 1);
    runs->tracker_locations =
        ARENA_ARRAY(runs->arena, const struct value_set *, network->process_count + 1);
    map_init(&runs->processes, runs->arena);
    index_processes(&runs->processes, network);
    environment->is_process_at = is_process_at;
    environment->is_deadlocked = is_deadlocked;
    environment->find_process = view_process;
}

/* Borrows points and analysis; close it. */
void function_runs_init(struct function_runs *runs, struct arena *arena,
                        const struct points *points, struct analysis *analysis) {
    const struct network *network = analysis->network;
    struct edge_sizes most = model_edge_sizes(network->model);
    *runs = (struct function_runs){
        .points = points, .analysis = analysis, .network = network, .arena = arena};
    runs->selects = ARENA_ARRAY(arena, struct value_set, most.selects + 1);
    runs->frame = ARENA_ARRAY(arena, struct binding, most.frame + 1);
    runs->written_run = ARENA_ARRAY(arena, uint64_t, network->slot_count + 1);
    network_environment(network, &runs->environment, arena);
    runs->select_count = most.selects;
    uint32_t own = most.selects + network->process_count + 1;
    eval_push(&runs->environment, own);
    enumerator_init(&runs->enumerator, arena, &runs->environment, network->cell_count + own,
                    analysis->options.budget);
    runs->enumerator.domain = cell_domain;
    runs->enumerator.wrote = wrote;
    runs->enumerator.context = runs;
    runs->environment.is_at = is_at;
    runs->environment.clock_holds = clock_holds;
    runs->environment.is_fixed = is_fixed;
    init_observations(runs);
}

/* Frees heap memory; runs stay in the arena. */
void function_runs_close(struct function_runs *runs) { eval_close(&runs->environment); }

/* One run */

/* Whether the last evaluation succeeded. */
static bool is_fine(struct function_runs *runs) {
    enumerator_account(&runs->enumerator);
    return enumerator_is_valid(&runs->enumerator);
}

static bool bind_selects(struct function_runs *runs) {
    struct environment *environment = &runs->environment;
    const struct edge *edge = runs->function->edge;
    environment->fault = (struct fault){0};
    assert(edge->select_count <= runs->select_count);
    for (uint32_t i = 0; i < edge->select_count; i++) {
        const struct shape *shape = eval_shape(environment, edge->selects[i]->type);
        environment->fault = (struct fault){0};
        if (!shape || shape->kind != SHAPE_CELL) return false;
        runs->selects[i] = value_set_range(shape->lower, shape->upper);
        runs->frame[edge->selects[i]->index] =
            (struct binding){runs->network->cell_count + i, shape};
    }
    return true;
}

static enum outcome_kind run_guard(struct function_runs *runs, int64_t *channel) {
    const struct edge *edge = runs->function->edge;
    const struct expr *guard =
        guard_of_edge(runs->network, runs->function->process->template, edge);
    uint32_t address;
    assert(runs->function->kind != FUNCTION_UPDATE); /* its guard is another function's */
    if (guard) {
        bool holds = eval_int(&runs->environment, guard) != 0;
        if (!is_fine(runs)) return OUTCOME_ERROR;
        if (!holds) return OUTCOME_NONE;
    }
    if (edge->sync) {
        bool ok = eval_channel(&runs->environment, edge->sync, &address);
        if (!is_fine(runs) || !ok) return OUTCOME_ERROR;
        *channel = address;
    }
    return OUTCOME_DONE;
}

static enum outcome_kind run_update(struct function_runs *runs) {
    assert(runs->function->edge);
    const struct expr_list *updates = &runs->function->edge->updates;
    for (uint32_t i = 0; i < updates->count; i++) {
        bool ok = eval_effect(&runs->environment, updates->items[i]);
        if (is_fine(runs) && ok) continue;
        runs->failing = updates->items[i];
        return OUTCOME_BROKEN;
    }
    return OUTCOME_DONE;
}

static enum outcome_kind run_function(struct function_runs *runs, int64_t *result) {
    const struct function_part *function = runs->function;
    assert((function->kind == FUNCTION_INVARIANT || function->kind == FUNCTION_OBSERVATION) ==
           !function->edge);
    enum outcome_kind kind = OUTCOME_DONE;
    switch (function->kind) {
    case FUNCTION_INVARIANT:
        *result =
            eval_int(&runs->environment, invariant_at(runs->network, function->process->template,
                                                      function->location)) != 0;
        return is_fine(runs) ? OUTCOME_DONE : OUTCOME_ERROR;
    case FUNCTION_OBSERVATION:
        *result = eval_int(&runs->environment, function->expr);
        return is_fine(runs) ? OUTCOME_DONE : OUTCOME_ERROR;
    case FUNCTION_READINESS: return run_guard(runs, result);
    case FUNCTION_ERRORS:
        kind = run_guard(runs, result);
        *result = -1;
        return kind == OUTCOME_ERROR ? kind : OUTCOME_NONE;
    case FUNCTION_EDGE: kind = run_guard(runs, result); break;
    case FUNCTION_UPDATE: break;
    }
    return kind == OUTCOME_DONE ? run_update(runs) : kind;
}

static int compare_writes(const void *left, const void *right) {
    const struct slot_write *a = left, *b = right;
    return a->slot < b->slot ? -1 : a->slot > b->slot;
}

static void keep_run(struct function_runs *runs, enum outcome_kind kind, int64_t result,
                     uint32_t first_use) {
    const struct enumerator *enumerator = &runs->enumerator;
    struct run run = {.first_step = runs->steps.count,
                      .step_count = enumerator->depth,
                      .kind = kind,
                      .result = result,
                      .first_write = runs->writes.count,
                      .first_use = first_use,
                      .use_count = runs->uses.count - first_use,
                      .failing = runs->failing};
    for (uint32_t i = 0; i < enumerator->depth; i++)
        VEC_PUSH(runs->arena, &runs->steps,
                 (struct step_choice){enumerator->trail.items[i].address,
                                      (uint32_t)enumerator->trail.items[i].index});
    for (uint32_t i = 0; kind == OUTCOME_DONE && i < runs->written.count; i++) {
        uint32_t slot = runs->written.items[i];
        int32_t value = runs->environment.cells[runs->network->slots[slot].address];
        VEC_PUSH(runs->arena, &runs->writes, (struct slot_write){slot, value});
    }
    run.write_count = runs->writes.count - run.first_write;
    if (run.write_count > 1)
        qsort(runs->writes.items + run.first_write, run.write_count, sizeof *runs->writes.items,
              compare_writes);
    assert(kind == OUTCOME_DONE || !run.write_count);
    assert((kind == OUTCOME_BROKEN) == (runs->failing != NULL));
    VEC_PUSH(runs->arena, &runs->list, run);
}

const struct slot_write *run_write(const struct function_runs *runs, const struct run *run,
                                   uint32_t slot) {
    const struct slot_write *writes = runs->writes.items;
    uint32_t i = run->first_write, end = i + run->write_count;
    while (i < end && writes[i].slot < slot) i++;
    return i < end && writes[i].slot == slot ? &writes[i] : NULL;
}

bool run_reads(const struct function_runs *runs, const struct run *run, uint32_t address,
               uint32_t *index) {
    for (uint32_t i = 0; i < run->step_count; i++) {
        const struct step_choice *step = &runs->steps.items[run->first_step + i];
        if (step->address != address) continue;
        *index = step->index;
        return true;
    }
    return false;
}

/* In the order of their choices: each run differs from the one before first in a greater index. */
static void function_runs_check(const struct function_runs *runs) {
    for (uint32_t i = 1; i < runs->list.count; i++) {
        const struct run *before = &runs->list.items[i - 1], *own = &runs->list.items[i];
        const struct step_choice *left = &runs->steps.items[before->first_step];
        const struct step_choice *right = &runs->steps.items[own->first_step];
        uint32_t k = 0;
        while (k < before->step_count && k < own->step_count && left[k].index == right[k].index)
            k++;
        assert(k < before->step_count && k < own->step_count);
        assert(left[k].address == right[k].address && left[k].index < right[k].index);
    }
}

bool function_runs_find(struct function_runs *runs, const struct function_part *function,
                        uint64_t most_runs) {
    struct enumerator *enumerator = &runs->enumerator;
    uint64_t budget = runs->analysis->options.budget;
    assert(!function->edge || template_has_edge(function->process->template, function->edge));
    enumerator->budget = budget < most_runs ? budget : most_runs;
    runs->function = function;
    runs->list.count = runs->steps.count = runs->writes.count = runs->uses.count = 0;
    runs->environment.locals = function->process ? function->process->locals : NULL;
    runs->environment.frame = function->edge ? runs->frame : NULL;
    enumerator_start(enumerator);
    if (function->edge && !bind_selects(runs)) return true; /* an edge that nothing takes */
    if (enumerator->touched.count) return false;            /* ranges that depend on a variable */
    enumerator_start(enumerator);
    do {
        int64_t result = -1;
        uint32_t first_use = runs->uses.count;
        runs->written.count = 0;
        runs->failing = NULL;
        enum outcome_kind kind = run_function(runs, &result);
        keep_run(runs, kind, result, first_use);
    } while (enumerator_next(enumerator));
    DEBUG_CHECK(function_runs_check(runs));
    return !enumerator_failed(enumerator);
}
