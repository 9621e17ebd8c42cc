/* VALUE SET - a finite set of int32 values: listed while small, an interval when it grows.
 *
 * Invariants: a listed set is sorted without repetition; an interval holds every value between
 *             lower and upper; lower > upper means empty. Sets only grow, and stop growing after
 *             finitely many steps: a list that passes its limit becomes an interval; an end of an
 *             interval that grows too often moves on to the next threshold, and after the last
 *             one to the end of the declared range (rule A5).
 * Lifetime:   values live in the arena passed to each call.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct value_set {
    int32_t lower, upper;
    uint32_t count, capacity; /* of a list; count is 0 for an interval */
    int32_t *values;          /* NULL for an interval or the empty set */
    bool is_interval;
    uint8_t widenings;
};

/* Where ends of intervals rest: numbers of the model, ascending. */
struct thresholds {
    const int32_t *values;
    uint32_t count;
};

struct bounds { /* of what a set may grow to */
    int32_t lower, upper;
    uint32_t limit;                      /* longest list */
    const struct thresholds *thresholds; /* NULL for none */
};

struct value_set value_set_empty(void);
struct value_set value_set_range(int32_t lower, int32_t upper);

bool value_set_is_empty(const struct value_set *set);
bool value_set_has(const struct value_set *set, int32_t value);
uint64_t value_set_size(const struct value_set *set);
int32_t value_set_at(const struct value_set *set, uint64_t index);
bool value_set_equal(const struct value_set *left, const struct value_set *right);

/* Whether every value of inner is in outer. */
bool value_set_covers(const struct value_set *outer, const struct value_set *inner);

/* Both return whether the set grew. */
bool value_set_add(struct arena *arena, struct value_set *set, int32_t value,
                   const struct bounds *bounds);
bool value_set_join(struct arena *arena, struct value_set *set, const struct value_set *other,
                    const struct bounds *bounds);
