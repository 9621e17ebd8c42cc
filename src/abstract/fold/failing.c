/* See failing.h. */
#include "abstract/fold/failing.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/prepare/ghost.h"
#include "approx/labels/label_run.h"

#include <assert.h>

struct failures {
    struct label_run run;
    struct arena scratch; /* of one question */
    const struct context *context;
    struct open_edge *open;
    const struct joint_values *joint;
    struct value_set *values; /* by column */
    bool is_behind_guard, was_enabled;
    bool is_within_step; /* the update finds shared slots as others have left them */
    uint64_t work;       /* done for the open edge */
};

/* The value that the tuple gives a slot, or all that it may have. */
static struct cell_domain slot_domain(void *context, uint32_t number) {
    struct failures *failures = context;
    const struct open_edge *open = failures->open;
    const struct slot *slot = &failures->context->network->slots[number];
    assert(!slot->process || slot->process == failures->run.process);
    bool is_within_step = failures->is_behind_guard && failures->is_within_step;
    for (uint32_t i = 0; i < failures->joint->list.count; i++) {
        const struct unknown *unknown = failures->joint->list.items[i];
        if (unknown->access || unknown->removal->symbol != slot->symbol ||
            unknown->offset != slot->offset ||
            unknown->is_within_step != (is_within_step && !slot->process))
            continue;
        int32_t value = failures->joint->values[i];
        failures->values[i] = value_set_range(value, value);
        return (struct cell_domain){.set = &failures->values[i]};
    }
    is_within_step = is_within_step || (failures->is_behind_guard && failures->run.is_hooked);
    return (struct cell_domain){.set = analysis_values(failures->context->analysis, open->template,
                                                       open->location, slot->symbol, slot->offset,
                                                       is_within_step)};
}

static struct failures *failures_of(struct context *context) {
    if (context->failures) return context->failures;
    struct failures *failures = ARENA_NEW(context->arena, struct failures);
    label_run_init(&failures->run, context->analysis, 1);
    failures->run.enumerator.budget = FAILURE_MAX_RUNS;
    failures->run.domain = slot_domain;
    failures->run.context = failures;
    failures->context = context;
    arena_init(&failures->scratch);
    return context->failures = failures;
}

/* Forgets what was computed; may be called where nothing was. */
void failures_close(struct context *context) {
    if (context->failures) {
        label_run_close(&context->failures->run);
        arena_close(&context->failures->scratch);
    }
    context->failures = NULL;
}

/* Whether some run of a process comes to its end; true as well if that is too much to find out. */
static bool can_run(struct failures *failures, const struct leg *leg) {
    struct label_run *run = &failures->run;
    struct enumerator *enumerator = &run->enumerator;
    bool found = false;
    if (!label_run_bind(run, leg, 0)) return false;
    enumerator_start(enumerator);
    uint64_t before = enumerator->runs_left + enumerator->work_left;
    do {
        failures->is_behind_guard = false;
        if (!label_run_guard(run, leg, 0)) continue;
        failures->is_behind_guard = failures->was_enabled = true;
        label_run_forget(run, leg->plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
        found = label_run_updates(run, leg, 0);
    } while (!found && enumerator_next(enumerator));
    failures->work += before - enumerator->runs_left - enumerator->work_left + 1;
    return found || enumerator_failed(enumerator);
}

static bool can_succeed(struct failures *failures) {
    const struct context *context = failures->context;
    const struct network *network = context->network;
    const struct open_edge *open = failures->open;
    const struct edge *edge = open->edge;
    struct arena *scratch = &failures->scratch;
    struct edge_fact fact = {.item_faults = ARENA_ARRAY(scratch, bool, edge->updates.count + 1)};
    struct edge_plan plan = {.is_relevant = ARENA_ARRAY(scratch, bool, edge->updates.count + 1),
                             .ignores_guard = edge->leaves_branchpoint,
                             .is_within_step = failures->is_within_step};
    for (uint32_t i = 0; i < edge->updates.count; i++)
        plan.is_relevant[i] = !is_ghost_update(edge->updates.items[i]);
    failures->values = ARENA_ARRAY(scratch, struct value_set, failures->joint->list.count + 1);
    bool can = false;
    for (uint32_t p = 0; p < network->process_count && !can; p++) {
        const struct process *process = &network->processes[p];
        if (process->template != open->template ||
            !context->analysis->processes[p].locations[open->location].is_reached)
            continue;
        struct leg leg = {process, edge, guard_of_edge(context->network, process->template, edge),
                          &plan, &fact};
        can = can_run(failures, &leg);
    }
    label_run_clear(&failures->run);
    arena_reset(scratch);
    return can;
}

bool step_certainly_fails(struct context *context, struct open_edge *open,
                          const struct joint_values *joint) {
    if (!open->may_fail || context->network->has_priorities) return false;
    struct failures *failures = failures_of(context);
    if (failures->open != open) failures->work = 0;
    failures->open = open;
    failures->joint = joint;
    failures->is_within_step =
        label_run_is_within_step(context->analysis, open->template, open->edge);
    failures->was_enabled = false;
    bool can = can_succeed(failures);
    open->may_fail = failures->work < FAILURE_MAX_WORK;
    bool fails = failures->was_enabled && !can;
    open->has_condition_of_receiver |= fails && open_edge_receives_broadcast(context, open);
    return fails;
}

/* Whether the step certainly fails with a value of one unknown, whatever the others are. */
static bool fails_with(struct context *context, struct open_edge *open,
                       const struct unknown *unknown, int32_t value) {
    const struct unknown *list[] = {unknown};
    struct joint_values joint = {.list = {.items = list, .count = 1}, .values = &value};
    return step_certainly_fails(context, open, &joint);
}

/* Too many values to try all: those at either end of their range that fail one after the other. */
static void trim_ends(struct context *context, struct open_edge *open, struct unknown *unknown) {
    struct value_set *set = &unknown->values;
    int64_t lower = set->lower, upper = set->upper;
    while (lower < upper && fails_with(context, open, unknown, (int32_t)lower)) lower++;
    while (lower < upper && fails_with(context, open, unknown, (int32_t)upper)) upper--;
    if (lower < upper) *set = value_set_range((int32_t)lower, (int32_t)upper);
}

static void try_all(struct context *context, struct open_edge *open, struct unknown *unknown) {
    struct bounds bounds = {
        .lower = unknown->values.lower, .upper = unknown->values.upper, .limit = 256};
    struct value_set kept = value_set_empty();
    uint64_t size = value_set_size(&unknown->values);
    for (uint64_t k = 0; k < size; k++) {
        int32_t value = value_set_at(&unknown->values, k);
        if (!fails_with(context, open, unknown, value))
            value_set_add(context->arena, &kept, value, &bounds);
    }
    if (!value_set_is_empty(&kept)) unknown->values = kept;
}

void drop_failing_choices(struct context *context, struct open_edge *open) {
    for (uint32_t i = 0; i < open->unknowns.count && open->may_fail; i++) {
        struct unknown *unknown = open->unknowns.items[i];
        if (!unknown->is_chosen || unknown->access) continue;
        if (value_set_size(&unknown->values) <= FAILURE_MAX_VALUES)
            try_all(context, open, unknown);
        else if (unknown->values.is_interval)
            trim_ends(context, open, unknown);
    }
}
