/* GONE - processes that were taken out of the model because nothing else depends on them (X9).
 *
 * Lifetime: in the arena that it was made in.
 */
#pragma once

#include "base/vec.h"

#include <stdbool.h>

struct gone {
    VEC(const char *) processes; /* names on the system line */
    VEC(const char *)
    variables;        /* global ones that they write, and no kept process reads: they are
                                  * removed, or a later query would find values that stand still */
    bool has_steps;   /* over: of their own, so that a state may have one where it is stuck now */
    bool may_diverge; /* over: they may step for ever while nobody else does */
};
