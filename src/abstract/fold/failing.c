#include "abstract/fold/failing.h"

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"
#include "abstract/facts/names.h"
#include "abstract/prepare/ghost.h"
#include "approx/labels/label_run.h"
#include "approx/labels/narrow.h"
#include "approx/labels/never_fails.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "model/hindrance.h"

#include <assert.h>

/* What a value of an unknown meets. */
struct partner {
    const struct symbol *symbol;   /* select, visible variable of one cell, or placeholder */
    const struct unknown *unknown; /* NULL if it is none, */
    uint32_t select;               /* NO_SLOT if it is none; else its number */
    struct value_set values;       /* while the edge is run, the one that it has */
};

struct failures {
    struct label_run run;
    struct arena scratch; /* of one question */
    struct context *context;
    struct open_edge *open;
    const struct joint_values *joint;
    const struct partner *partner; /* NULL: anything */
    struct value_set *values;      /* by column */
    bool is_after_guard, was_enabled;
    bool is_within_step;             /* the update finds shared slots as others have left them */
    uint64_t work;                   /* done for the open edge */
    const struct open_edge *safe_of; /* the open edge of which the next is known, */
    bool is_safe;                    /* under: its update never fails where its guard holds */
    bool by_ranges;                  /* slots have all values of their ranges, for that question */
    struct value_set range;          /* of the last one */
};

/* Whether the partner has the value of a slot, before anything is written. */
static bool is_partner(const struct failures *failures, const struct slot *slot) {
    const struct partner *partner = failures->partner;
    bool is_changed = failures->is_after_guard && !slot->process &&
                      (failures->is_within_step || failures->run.is_hooked);
    return partner && partner->select == NO_SLOT && !partner->unknown &&
           partner->symbol == slot->symbol && !is_changed;
}

/* The value that the tuple gives a slot, or all that it may have. */
static struct cell_domain slot_domain(void *context, uint32_t number) {
    struct failures *failures = context;
    const struct open_edge *open = failures->open;
    const struct slot *slot = &failures->context->network->slots[number];
    assert(!slot->process || slot->process == failures->run.process);
    if (failures->by_ranges) {
        failures->range = value_set_range(slot->lower, slot->upper);
        return (struct cell_domain){.set = &failures->range};
    }
    bool is_within_step = failures->is_after_guard && failures->is_within_step;
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
    if (is_partner(failures, slot)) return (struct cell_domain){.set = &failures->partner->values};
    is_within_step = is_within_step || (failures->is_after_guard && failures->run.is_hooked);
    failures->context->asks_values = true;
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

/* Under: whether no update of a leg fails where the guard holds, by the ranges of variables. */
static bool leg_is_safe(struct failures *failures, const struct leg *leg) {
    struct label_run *run = &failures->run;
    struct hull hull = {.run = run, .leg = leg};
    bool is_safe = true;
    if (!label_run_bind(run, leg, 0) || !narrow_by_guard(run, leg, 0)) return true; /* never */
    label_run_forget(run, leg->plan->is_within_step ? FORGET_SHARED : FORGET_HOOKED);
    for (; hull.item < leg->edge->updates.count && is_safe; hull.item++) {
        const struct expr *item = leg->edge->updates.items[hull.item];
        is_safe = is_ghost_update(item) || never_fails(&hull, item);
    }
    return is_safe;
}

static bool edge_is_safe(struct failures *failures) {
    const struct context *context = failures->context;
    const struct open_edge *open = failures->open;
    const struct process_range range = context->network->processes_of[open->template->index];
    const struct edge_plan plan = {.ignores_guard = open->edge->leaves_branchpoint,
                                   .is_within_step = failures->is_within_step};
    bool is_safe = true;
    failures->by_ranges = true;
    for (uint32_t p = range.first; p < range.end && is_safe; p++) {
        const struct process *process = &context->network->processes[p];
        const struct leg leg = {.process = process,
                                .edge = open->edge,
                                .guard =
                                    guard_of_edge(context->network, open->template, open->edge),
                                .plan = &plan};
        if (process->template == open->template) is_safe = leg_is_safe(failures, &leg);
        label_run_clear(&failures->run);
    }
    failures->by_ranges = false;
    narrow_nothing(&failures->run);
    label_run_begin(&failures->run);
    return is_safe;
}

/* Binds the selects, one of them to the value of the partner. */
static bool bind(struct failures *failures, const struct leg *leg) {
    struct label_run *run = &failures->run;
    const struct partner *partner = failures->partner;
    if (!label_run_bind(run, leg, 0)) return false;
    if (!partner || partner->select == NO_SLOT) return true;
    if (!value_set_covers(&run->selects[partner->select], &partner->values)) return false;
    run->selects[partner->select] = partner->values;
    return true;
}

/* Whether some run of a process comes to its end; true as well if that is too much to find out. */
static bool can_run(struct failures *failures, const struct leg *leg) {
    struct label_run *run = &failures->run;
    struct enumerator *enumerator = &run->enumerator;
    bool found = false;
    if (!bind(failures, leg)) return false;
    enumerator_start(enumerator);
    uint64_t before = enumerator->runs_left + enumerator->work_left;
    do {
        failures->is_after_guard = false;
        if (!label_run_guard(run, leg, 0)) continue;
        failures->is_after_guard = failures->was_enabled = true;
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
    failures->was_enabled = false;
    if (failures->safe_of != open) {
        failures->is_within_step =
            label_run_is_within_step(context->analysis, open->template, open->edge);
        failures->is_safe = edge_is_safe(failures);
    }
    failures->safe_of = open;
    /* How much work there was says something of mixed abstractions. */
    if (failures->is_safe && !context->rules->is_mixed) return false;
    bool can = can_succeed(failures);
    open->may_fail = failures->work < FAILURE_MAX_WORK;
    bool fails = failures->was_enabled && !can;
    if (!fails) return false;
    open->folded.lacks_failing = true;
    if (open_edge_is_of_receiver(context, open))
        open->has_condition_of_receiver = true;
    else
        open->has_condition_of_urgent |= sync_may_be_urgent(open->edge->sync);
    return true;
}

/* Whether the step certainly fails with a value of one unknown, and that of the partner, whatever
 * the others are. */
static bool fails_with(struct context *context, struct open_edge *open,
                       const struct unknown *unknown, int32_t value) {
    const struct partner *partner = context->failures ? context->failures->partner : NULL;
    const struct unknown *list[] = {unknown, partner ? partner->unknown : NULL};
    int32_t values[] = {value, partner ? partner->values.lower : 0};
    struct joint_values joint = {.list = {.items = list, .count = list[1] ? 2 : 1},
                                 .values = values};
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

/* ---- pairs ---- */

static const struct expr *name_is(struct arena *arena, enum op op, const struct symbol *symbol,
                                  int32_t value) {
    return build_binary(arena, op, build_name(arena, symbol), build_int(arena, value));
}

/* Values of an unknown with which the step fails: those below and above, and those that are
 * marked. */
struct failing_values {
    uint64_t count; /* of all its values */
    uint64_t first,
        end; /* by number of the value: below the first one and from the end on it fails */
    const bool *between; /* by number; NULL where nothing is known between */
};

static bool fails_at(const struct failing_values *fails, uint64_t number) {
    return number < fails->first || number >= fails->end ||
           (fails->between && fails->between[number]);
}

/* Where it does with the current partner; what is in known is not tried again. If it does with all
 * values, the first one is the end. */
static struct failing_values values_that_fail(struct context *context, struct open_edge *open,
                                              const struct unknown *unknown,
                                              const struct failing_values *known) {
    const struct value_set *set = &unknown->values;
    struct failing_values fails = {.count = value_set_size(set)};
    fails.end = fails.count;
    if (known) fails = *known;
    while (fails.first < fails.end &&
           ((known && fails_at(known, fails.first)) ||
            fails_with(context, open, unknown, value_set_at(set, fails.first))))
        fails.first++;
    while (fails.end > fails.first &&
           ((known && fails_at(known, fails.end - 1)) ||
            fails_with(context, open, unknown, value_set_at(set, fails.end - 1))))
        fails.end--;
    assert(fails.first <= fails.end && fails.end <= fails.count);
    if (fails.count > PAIR_MAX_BETWEEN) return fails;
    bool *between = ARENA_ARRAY(context->arena, bool, fails.count + 1);
    for (uint64_t k = fails.first; k < fails.end; k++)
        between[k] = (known && fails_at(known, k)) ||
                     fails_with(context, open, unknown, value_set_at(set, k));
    fails.between = between;
    return fails;
}

/* That an unknown has none of these values. */
static const struct expr *none_of(struct arena *arena, const struct unknown *unknown,
                                  const struct failing_values *fails) {
    const struct symbol *name = unknown->placeholder;
    const struct value_set *set = &unknown->values;
    const struct expr *condition = NULL;
    assert(fails->first < fails->end);
    if (fails->first) condition = name_is(arena, OP_GE, name, value_set_at(set, fails->first));
    if (fails->end < fails->count)
        condition = build_and(arena, condition,
                              name_is(arena, OP_LE, name, value_set_at(set, fails->end - 1)));
    for (uint64_t k = fails->first; k < fails->end && fails->between; k++)
        if (fails->between[k])
            condition =
                build_and(arena, condition, name_is(arena, OP_NE, name, value_set_at(set, k)));
    return condition;
}

/* Whether there are more of them than are known. */
static bool has_more(const struct failing_values *fails, const struct failing_values *known) {
    bool has = fails->first > known->first || fails->end < known->end;
    for (uint64_t k = fails->first; k < fails->end && fails->between && !has; k++)
        has = fails->between[k] && !fails_at(known, k);
    return has;
}

/* That the unknown does not meet the current value of the partner where the step then fails. Where
 * it fails whatever the unknown is, the original does so as well. */
static void find_pair(struct context *context, struct open_edge *open,
                      const struct unknown *unknown, const struct failing_values *alone) {
    struct arena *arena = context->arena;
    const struct partner *partner = context->failures->partner;
    const struct failing_values fails = values_that_fail(context, open, unknown, alone);
    if (fails.first == fails.end || !has_more(&fails, alone)) return;
    const struct expr *other = name_is(arena, OP_NE, partner->symbol, partner->values.lower);
    const struct expr *condition = build_or(arena, other, none_of(arena, unknown, &fails));
    struct failing_pair pair = {unknown, partner->unknown, condition};
    if (!names_hidden(open->template, open->edge, condition))
        VEC_PUSH(arena, &open->folded.failing_pairs, pair);
}

/* With the unknowns from one on. */
static void find_pairs(struct context *context, struct open_edge *open, struct partner *partner,
                       const struct failing_values *alone, uint32_t first) {
    struct failures *failures = context->failures;
    assert(!failures->partner); /* what meets is one of two */
    const struct value_set all = partner->values;
    uint64_t size = value_set_size(&all);
    failures->partner = partner;
    for (uint64_t k = 0; k < size && size <= PAIR_MAX_VALUES; k++) {
        int32_t value = value_set_at(&all, k);
        partner->values = value_set_range(value, value);
        for (uint32_t i = first; i < open->unknowns.count && open->may_fail; i++)
            if (!open->unknowns.items[i]->access)
                find_pair(context, open, open->unknowns.items[i], &alone[i]);
    }
    failures->partner = NULL;
}

/* What a select may be in some process. */
static struct value_set select_values(struct context *context, struct open_edge *open,
                                      uint32_t select) {
    struct label_run *run = &context->failures->run;
    const struct network *network = context->network;
    const struct process_range range = network->processes_of[open->template->index];
    struct value_set all = value_set_empty();
    for (uint32_t p = range.first; p < range.end; p++) {
        const struct process *process = &network->processes[p];
        const struct leg leg = {.process = process, .edge = open->edge};
        if (process->template != open->template || !label_run_bind(run, &leg, 0)) continue;
        const struct value_set *of = &run->selects[select];
        if (value_set_is_empty(of)) continue;
        bool is_first = value_set_is_empty(&all);
        all = value_set_range(is_first || of->lower < all.lower ? of->lower : all.lower,
                              is_first || of->upper > all.upper ? of->upper : all.upper);
    }
    label_run_clear(run);
    return all;
}

static bool is_number(const struct symbol *symbol) {
    const struct type *type = type_strip(symbol->type);
    return type && (type->kind == TYPE_INT || type->kind == TYPE_BOOL);
}

static bool is_visible(const struct context *context, const struct effect *effect) {
    const struct symbol *symbol = effect->symbol;
    return effect->reads && symbol->kind == SYMBOL_VARIABLE && !symbol_is_const(symbol) &&
           !(type_prefixes(symbol->type) & PREFIX_META) && is_number(symbol) &&
           !removed_ever(context->request, symbol);
}

static void find_all_pairs(struct context *context, struct open_edge *open) {
    const struct effects *effects = open_edge_effects(context, open);
    struct failing_values *alone =
        ARENA_ARRAY(context->arena, struct failing_values, open->unknowns.count + 1);
    for (uint32_t i = 0; i < open->unknowns.count; i++)
        if (!open->unknowns.items[i]->access)
            alone[i] = values_that_fail(context, open, open->unknowns.items[i], NULL);
    for (uint32_t i = 0; i < open->edge->select_count; i++) {
        struct partner partner = {.symbol = open->edge->selects[i], .select = i};
        if (!is_number(partner.symbol)) continue;
        partner.values = select_values(context, open, i);
        find_pairs(context, open, &partner, alone, 0);
    }
    for (uint32_t i = 0; i < open->unknowns.count; i++) {
        const struct unknown *unknown = open->unknowns.items[i];
        struct partner partner = {unknown->placeholder, unknown, NO_SLOT, unknown->values};
        if (!unknown->access) find_pairs(context, open, &partner, alone, i + 1);
    }
    for (uint32_t i = 0; i < effects->list.count; i++) {
        struct partner partner = {.symbol = effects->list.items[i].symbol, .select = NO_SLOT};
        if (!is_visible(context, &effects->list.items[i])) continue;
        context->asks_values = true;
        partner.values = *analysis_values(context->analysis, open->template, open->location,
                                          partner.symbol, 0, false);
        find_pairs(context, open, &partner, alone, 0);
    }
}

void find_failing_pairs(struct context *context, struct open_edge *open) {
    const struct edge *edge = open->edge;
    bool is_urgent = edge->sync && type_prefixes(edge->sync->type) & PREFIX_URGENT;
    if (context->rules->is_mixed || !open->may_fail || !open->is_function || is_urgent ||
        open_edge_is_branch(open) || open_edge_receives_broadcast(context, open))
        return;
    struct failures *failures = failures_of(context);
    uint64_t before = failures->open == open ? failures->work : 0;
    uint64_t begin = FAILURE_MAX_WORK - PAIR_MAX_WORK;
    failures->open = open;
    failures->work = before > begin ? before : begin;
    find_all_pairs(context, open);
    failures->work = before;
    open->may_fail = true;
}
