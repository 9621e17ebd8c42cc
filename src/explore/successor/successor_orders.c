/* Receivers of a broadcast in all orders that permutations make of them (Y9). */
#include "explore/successor/successor_internal.h"

#include <assert.h>

enum { MAX_ORDERS = 120 }; /* of one step; with more, nothing is tried */

/* Receivers of a step that have places in an order, and those that have not. */
struct order_trial {
    uint32_t *parts;    /* the sender, and receivers in the order that is being made */
    bool *is_placed;    /* by place in the step */
    bool *is_exchanged; /* some permutation may change places with another receiver of the step */
    uint64_t *result;   /* words of the state after the step */
    uint32_t tried;
};

struct order_trial *order_trial_new(struct arena *arena, const struct program *program) {
    struct order_trial *trial = ARENA_NEW(arena, struct order_trial);
    uint32_t count = program->network->process_count + 1;
    trial->parts = ARENA_ARRAY(arena, uint32_t, count);
    trial->is_placed = ARENA_ARRAY(arena, bool, count);
    trial->is_exchanged = ARENA_ARRAY(arena, bool, count);
    trial->result = layout_state(program->layout, arena);
    return trial;
}

/* A step, as the system line orders it, and what comes of that. */
struct tried_step {
    struct expander *expander;
    const uint32_t *parts;
    uint32_t count;
    enum outcome outcome;
};

static enum receiver_order order_of(const struct tried_step *step, uint32_t left, uint32_t right) {
    const struct program *program = step->expander->program;
    const struct edge_instance *instances = program->instances.items;
    uint32_t p = instances[step->parts[left]].process->index;
    uint32_t q = instances[step->parts[right]].process->index;
    assert(p < q); /* in the order of the system line */
    return program->canon->symmetry->orders[(size_t)p * program->network->process_count + q];
}

/* Whether one may come next: those before it that it does not change places with are there. */
static bool is_next(const struct tried_step *step, uint32_t part) {
    const struct order_trial *trial = step->expander->trial;
    if (trial->is_placed[part]) return false;
    for (uint32_t i = 1; i < part; i++)
        if (!trial->is_placed[i] && order_of(step, i, part) == RECEIVERS_KEPT) return false;
    return true;
}

/* Whether the order that was made leads where that of the system line does. */
static enum outcome run_order(const struct tried_step *step) {
    struct expander *expander = step->expander;
    struct order_trial *trial = expander->trial;
    expander->effort += step->count / PARTS_OF_STEP;
    if (!goes_on(expander)) return RUN_LATE;
    enum outcome outcome = run_parts(expander, trial->parts, step->count);
    if (is_broken_off(outcome)) return outcome;
    bool is_same = outcome == step->outcome && trial->tried++ < MAX_ORDERS &&
                   (outcome != RUN_TRUE || !memcmp(trial->result, expander->work,
                                                   expander->word_count * sizeof(uint64_t)));
    expander->orders_differ |= !is_same;
    return is_same ? RUN_TRUE : RUN_OVERFLOW;
}

/* All orders that begin like the one that is being made; ends with the first one that differs. */
static enum outcome run_orders(const struct tried_step *step, uint32_t placed) {
    struct order_trial *trial = step->expander->trial;
    enum outcome outcome = RUN_TRUE;
    assert(placed <= step->count);
    if (placed == step->count) return run_order(step);
    uint32_t only = 0; /* one that changes places with nobody comes as soon as it may */
    for (uint32_t i = 1; i < step->count && !only; i++)
        if (!trial->is_exchanged[i] && is_next(step, i)) only = i;
    for (uint32_t i = only ? only : 1; i < step->count && outcome == RUN_TRUE; i++) {
        if (!is_next(step, i)) continue;
        trial->is_placed[i] = true;
        trial->parts[placed] = step->parts[i];
        outcome = run_orders(step, placed + 1);
        trial->is_placed[i] = false;
        if (only) break;
    }
    return outcome;
}

static bool has_orders(const struct tried_step *step) {
    struct order_trial *trial = step->expander->trial;
    bool has = false;
    for (uint32_t i = 1; i < step->count; i++) trial->is_placed[i] = trial->is_exchanged[i] = false;
    for (uint32_t i = 1; i < step->count; i++)
        for (uint32_t k = i + 1; k < step->count; k++)
            if (order_of(step, i, k) == RECEIVERS_TRIED)
                has = trial->is_exchanged[i] = trial->is_exchanged[k] = true;
    return has;
}

enum outcome try_orders(struct expander *expander, const uint32_t *parts, uint32_t count,
                        enum outcome outcome) {
    struct order_trial *trial = expander->trial;
    const struct tried_step step = {expander, parts, count, outcome};
    size_t size = expander->word_count * sizeof *trial->result;
    struct fault fault = expander->machine.fault;
    assert(trial && !is_broken_off(outcome) && count <= expander->program->network->process_count);
    if (!has_orders(&step)) return outcome;
    memcpy(trial->result, expander->work, size);
    trial->parts[0] = parts[0];
    trial->tried = 0;
    enum outcome of_orders = run_orders(&step, 1);
    memcpy(expander->work, trial->result, size);
    expander->machine.fault = fault;
    return of_orders == RUN_TRUE ? outcome : of_orders;
}
