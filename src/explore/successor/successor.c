/* The expansion as a whole, limits, errors, and actions run one by one. */
#include "explore/successor/successor_internal.h"

#include "explore/successor/assemble.h"

#include <assert.h>

enum {
    FIRST_CAPACITY = 64,
    SPARE_STATES = 64 /* until limits are looked at */
};

static size_t state_size(const struct expander *expander) {
    return (expander->word_count + 2) * sizeof(uint64_t);
}

void grow_list(struct expander *expander, uint32_t more) {
    uint32_t needed = expander->count + more;
    if (!expander->capacity) expander->capacity = FIRST_CAPACITY;
    while (expander->capacity < needed) expander->capacity *= 2;
    size_t fitting = expander->max_size / state_size(expander);
    if (expander->max_size && expander->capacity > fitting)
        expander->capacity = needed < fitting ? (uint32_t)fitting : needed + SPARE_STATES;
    if (expander->max_size && needed > fitting) expander->effort = MAX_EFFORT;
    size_t words = (size_t)expander->capacity * expander->word_count;
    expander->states = heap_resize(expander->states, words + expander->program->layout->word_count,
                                   sizeof(uint64_t));
    expander->ranks = heap_resize(expander->ranks, expander->capacity, sizeof *expander->ranks);
}

/* Borrows the program; close it. Units must have been compiled. */
void expander_init(struct expander *expander, const struct program *program) {
    *expander = (struct expander){
        .program = program, .word_count = program->layout->stored_words, .rows_first = UINT64_MAX};
    machine_init(&expander->machine, &program->code);
    arena_init(&expander->arena);
    reserve(expander, 1);
    if (program->canon) canon_work_init(&expander->canon, program->canon);
    if (program->canon && program->canon->symmetry->orders)
        expander->trial = order_trial_new(&expander->arena, program);
    if (program->has_loose) expander->loose = loose_new(&expander->arena, program);
    if (program->urgent.count) expander->urgency = urgency_new(&expander->arena, program);
}

/* Frees heap memory; found states go with it. */
void expander_close(struct expander *expander) {
    machine_close(&expander->machine);
    for (int k = 0; k < 2; k++) memo_close(&expander->memos[k]);
    if (expander->loose) loose_close(expander->loose);
    if (expander->program->canon) canon_work_close(&expander->canon);
    free(expander->states);
    free(expander->ranks);
    arena_close(&expander->arena);
}

/* Limits, which long expansions have to look at on their way. */

static size_t list_size(const struct expander *expander) {
    return expander->capacity * state_size(expander) +
           expander->parts.capacity * sizeof(uint32_t) * 2 +
           expander->records.capacity * sizeof(struct step_record) * 2;
}

bool look_at_limits(struct expander *expander) {
    expander->spent += expander->effort;
    expander->effort = 0;
    expander->is_too_large = (expander->max_size && list_size(expander) > expander->max_size) ||
                             (expander->max_work && expander->spent > expander->max_work);
    return machine_has_time(&expander->machine) && !expander->is_too_large;
}

/* Records */

static void record(struct expander *expander, const uint32_t *parts, uint32_t count,
                   bool is_error) {
    assert(count); /* the process that moves */
    struct step_record record = {expander->parts.count, count};
    for (uint32_t i = 0; i < count; i++) VEC_PUSH(&expander->arena, &expander->parts, parts[i]);
    if (!is_error) {
        VEC_PUSH(&expander->arena, &expander->records, record);
    } else {
        VEC_PUSH(&expander->arena, &expander->errors, record);
        VEC_PUSH(&expander->arena, &expander->faults, expander->machine.fault);
    }
}

/* A step of these parts has failed, as the machine says. */
void count_error(struct expander *expander, const uint32_t *parts, uint32_t count) {
    if (!expander->error_count++) expander->first_error = expander->machine.fault;
    if (expander->is_recording) record(expander, parts, count, true);
}

/* The state under construction is one; there is room for it. rank: by priorities. */
void add_successor(struct expander *expander, const uint32_t *parts, uint32_t count, int64_t rank) {
    assert(expander->count < expander->capacity);
    if (expander->program->has_priorities) expander->ranks[expander->count] = rank;
    if (expander->is_recording) record(expander, parts, count, false);
    expander->count++;
}

enum outcome check_invariants(struct expander *expander) {
    const struct program *program = expander->program;
    const struct layout *layout = program->layout;
    for (uint32_t i = layout->stored_words; i < layout->word_count; i++)
        expander->work[i] = layout->initial[i];
    for (uint32_t i = 0; i < program->invariant_processes.count; i++) {
        uint32_t p = program->invariant_processes.items[i];
        const struct packed *field = &layout->fields[layout_location(layout, p)];
        const struct unit *unit = &program->invariants[p][field_get(field, expander->work)];
        if (unit_is_trivial(unit)) continue;
        enum outcome outcome = machine_unit(&expander->machine, unit, expander->work);
        if (outcome != RUN_TRUE) return outcome;
    }
    return RUN_TRUE;
}

/* Actions */

/* Whether there is such an action after all; compiles it if it waits for that. Another expander may
 * have done so, too. */
static bool make_ready(struct expander *expander, const struct action *action) {
    const struct program *program = expander->program;
    if (action->state == ACTION_WAITS)
        action_compile(program, &program->actions.items[action - program->actions.items]);
    machine_fit(&expander->machine);
    return action->state == ACTION_READY;
}

bool run_tested(struct expander *expander, const struct action *action) {
    const struct code *code = &expander->program->code;
    uint32_t parts[] = {action->first, action->second};
    uint32_t count = action->second == NO_INSTANCE ? 1 : 2;
    if (expander->program->has_waiting && !make_ready(expander, action)) return true;
    if (!goes_on(expander)) return false;
    load_work(expander);
    enum outcome outcome = RUN_TRUE;
    if (action->unit.entry != NO_CODE)
        outcome = machine_run(&expander->machine, action->unit.entry, expander->work);
    if (outcome == RUN_TRUE) {
        unit_puts(code, &action->unit, expander->work);
        if (action->rechecks) outcome = check_invariants(expander);
    }
    if (outcome == RUN_TRUE) {
        add_successor(expander, parts, count, action->rank);
    } else if (outcome == RUN_FAULT) {
        count_error(expander, parts, count);
    }
    return !is_broken_off(outcome);
}

/* Tests the packed state first, which decides most actions. */
bool run_action(struct expander *expander, const struct action *action) {
    if (!unit_tests(&expander->program->code, &action->unit, expander->from)) return true;
    return run_tested(expander, action);
}

static bool run_slow_actions(struct expander *expander) {
    const struct program *program = expander->program;
    for (uint32_t d = 0; d < program->slow_dispatch.count; d++) {
        const struct dispatch *at = &program->slow_dispatch.items[d];
        const struct row_range *range = dispatch_range(at, expander->from);
        const uint32_t *slow = &program->slow.items[range->first];
        for (uint32_t i = 0; i < range->count; i++) {
            const struct action *action = &program->actions.items[slow[i]];
            if (expander->is_committed && !action->is_committed) continue;
            if (!run_action(expander, action)) return false;
        }
    }
    return true;
}

/* The whole */

bool has_location(const struct expander *expander, bool committed) {
    const struct network *network = expander->program->network;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct location *location =
            &network->processes[p].template->locations[location_of(expander, p)];
        if (committed ? location->is_committed : location->is_urgent) return true;
    }
    return false;
}

/* Steps of less than the highest priority are none. */
static void keep_best(struct expander *expander) {
    int64_t best = INT64_MIN;
    uint32_t first = expander->first, kept = first;
    for (uint32_t i = first; i < expander->count; i++)
        if (expander->ranks[i] > best) best = expander->ranks[i];
    for (uint32_t i = first; i < expander->count; i++) {
        if (expander->ranks[i] != best) continue;
        memmove(expander->states + (size_t)kept * expander->word_count, expander_state(expander, i),
                expander->word_count * sizeof(uint64_t));
        if (expander->is_recording)
            expander->records.items[kept - first] = expander->records.items[i - first];
        kept++;
    }
    assert(kept > first || expander->count == first); /* the best one stays */
    expander->count = kept;
    if (expander->is_recording) expander->records.count = kept - first;
}

void expander_begin(struct expander *expander, const uint64_t *state, bool is_committed) {
    assert(expander->program->layout->stored_words == expander->word_count);
    expander->from = state;
    expander->first = expander->count;
    expander->error_count = 0;
    expander->machine.is_late = expander->is_too_large = false;
    expander->parts.count = expander->records.count = 0;
    expander->errors.count = expander->faults.count = 0;
    expander->is_committed = is_committed;
}

/* False after an overflow or at a limit; networks with priorities have no parts. */
bool expander_run_part(struct expander *expander, const struct step_part *part) {
    assert(!expander->program->has_priorities);
    assert(part->kind != PART_ACTION || part->first < expander->program->actions.count);
    if (part->kind != PART_ACTION) return run_loose_part(expander, part);
    const struct action *action = &expander->program->actions.items[part->first];
    return (expander->is_committed && !action->is_committed) || run_action(expander, action);
}

/* False if it is late. */
static bool make_canonical(struct expander *expander) {
    canon_base(&expander->canon, expander->from);
    for (uint32_t i = expander->first; i < expander->count; i++) {
        canon_apply(&expander->canon, expander->states + (size_t)i * expander->word_count);
        bool is_look = (i - expander->first) % CANON_TICK == CANON_TICK - 1;
        if (is_look && !machine_has_time(&expander->machine)) return false;
    }
    return true;
}

bool expander_run(struct expander *expander, const uint64_t *state) {
    const struct program *program = expander->program;
    expander_begin(expander, state, false);
    expander->is_committed = program->has_committed && has_location(expander, true);
    if (program->quick.count && !run_quick_actions(expander)) return false;
    if (!run_slow_actions(expander)) return false;
    if (program->has_loose && !run_loose(expander)) return false;
    if (program->has_priorities) keep_best(expander);
    bool is_canonical = program->canon && !expander->is_plain && !expander->leaves_canon;
    if (is_canonical && !make_canonical(expander)) return false;
    assert(!expander->is_recording || expander->records.count == expander_degree(expander));
    return true;
}
