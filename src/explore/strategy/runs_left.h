/* RUNS LEFT - the runs that a strategy leaves, and whether all of them do what it is for.
 *
 * States are numbered as they are reached. A state that stays as it is leads to itself.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { RUNS_BASE = 1, RUNS_STAY = 2 }; /* where the parts of a goal hold (enforce.h) */

struct runs_left {
    struct arena *arena;
    VEC(uint32_t) targets; /* of all states that were played */
    VEC(uint32_t) ends;    /* by state that was played, in order: after its targets */
    VEC(uint8_t) flags;    /* by state */
};

/* Whether all runs from the states that were played first have the base next; or reach it
 * (is_least), or never leave where they may stay before they do. go_on: asked now and then; false
 * ends it, without success. */
bool runs_left_win(const struct runs_left *left, bool is_next, bool is_least,
                   bool (*go_on)(void *context), void *context);
