/* TAKEN OUT - processes that were taken out of the model because nothing else depends on them (X9).
 *
 * Lifetime: in the arena that it was made in.
 */
#pragma once

#include "base/vec.h"

#include <stdbool.h>

struct taken_out {
    VEC(const char *) processes; /* names on the system line */
    /* Global variables that they write, and no kept process reads: they are removed, or a later
     * query would find values that stand still. */
    VEC(const char *) variables;
    bool has_steps;   /* over: of their own, so that a state may have one where it is stuck now */
    bool may_diverge; /* over: they may step for ever while nobody else does */
};
