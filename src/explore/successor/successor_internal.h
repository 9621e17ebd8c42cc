/* SUCCESSOR INTERNAL - what the parts of the expansion share.
 *
 * successor.c       the expansion as a whole, limits, errors, actions one by one
 * successor_quick.c actions by rows and by what the memo knows
 * successor_loose.c steps that are put together while the search runs
 * successor_orders.c broadcasts in other orders of their receivers
 * idle.c            whether time may pass
 */
#pragma once

#include "base/inline.h"
#include "explore/successor/successor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Steps, or as many rounds of loops, until limits are looked at again. */
enum {
    MAX_EFFORT = 1 << 12,
    ROUNDS_OF_STEP = 1 << 8,
    PARTS_OF_STEP = 1 << 6,
    MAX_ROUNDS = 1 << 20
};

/* Room for more states, and after them for the scratch words of the one under construction. */
void grow_list(struct expander *expander, uint32_t more);

static inline void reserve(struct expander *expander, uint32_t more) {
    if (expander->capacity - expander->count < more) grow_list(expander, more);
}

/* The next state in the list starts as the one that is expanded, with scratch words as at the start
 * of a step. */
static inline void load_work(struct expander *expander) {
    const struct layout *layout = expander->program->layout;
    reserve(expander, 1);
    uint64_t *work = expander->states + (size_t)expander->count * expander->word_count;
    for (uint32_t i = 0; i < expander->word_count; i++) work[i] = expander->from[i];
    for (uint32_t i = layout->stored_words; i < layout->word_count; i++)
        work[i] = layout->initial[i];
    expander->work = work;
}

static inline uint32_t location_of(const struct expander *expander, uint32_t process) {
    const struct layout *layout = expander->program->layout;
    return (uint32_t)field_get(&layout->fields[layout_location(layout, process)], expander->from);
}

/* Looks at the limits; false at one. */
bool look_at_limits(struct expander *expander);

/* Called at each step; false at a limit. */
static inline bool goes_on(struct expander *expander) {
    expander->effort += 1 + expander->machine.rounds / ROUNDS_OF_STEP;
    expander->machine.rounds = 0;
    return expander->effort < MAX_EFFORT || look_at_limits(expander);
}

void count_error(struct expander *expander, const uint32_t *parts, uint32_t count);
void add_successor(struct expander *expander, const uint32_t *parts, uint32_t count, int64_t rank);
/* Invariants of all processes in the state under construction; scratch fields are reset. */
enum outcome check_invariants(struct expander *expander);
/* Actions; false after an overflow or at a limit. run_tested: the tests hold. */
bool run_tested(struct expander *expander, const struct action *action);
bool run_action(struct expander *expander, const struct action *action);

bool run_quick_actions(struct expander *expander);

struct loose *loose_new(struct arena *arena, const struct program *program);
void loose_close(struct loose *loose);
bool run_loose(struct expander *expander);
/* Makes a state of a sender and receivers in this order; false: an invariant. */
enum outcome run_parts(struct expander *expander, const uint32_t *parts, uint32_t count);

struct order_trial *order_trial_new(struct arena *arena, const struct program *program);
/* After run_parts: RUN_OVERFLOW, and orders_differ, if its outcome or state depends on the order;
 * else as before. */
enum outcome try_orders(struct expander *expander, const uint32_t *parts, uint32_t count,
                        enum outcome outcome);
bool run_loose_part(struct expander *expander, const struct step_part *part);
/* Looks at the guard and the channel of an instance. */
enum outcome look_at(struct expander *expander, uint32_t index, uint32_t *channel);

struct urgency *urgency_new(struct arena *arena, const struct program *program);
/* Whether some process is at a committed, or else an urgent, location. */
bool has_location(const struct expander *expander, bool committed);
