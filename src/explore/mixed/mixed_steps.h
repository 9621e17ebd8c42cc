/* MIXED STEPS - what the steps of a mixed model say of those of the original (MX2).
 *
 * Over: every step of the original has one here; a state stays for ever if the original may have no
 * step in a state that looks like it. Under: every step here is one of the original, in each of its
 * states that look like this one; a state stays for ever if the original has no step there for
 * certain. A row of `under` may have no step at all: then nothing is certain.
 *
 * Lifetime: memory of the states, given back by mixed_steps_close.
 * Errors:   limits of the states.
 */
#pragma once

#include "explore/mixed/strength.h"
#include "explore/states/steps.h"

struct mixed_steps {
    struct steps over, under;
    uint64_t *is_moving; /* bits: rows that have a step in `under` */
    uint64_t *is_real;   /* bits: rows that stand for a reachable state of the original for certain:
                            those that `under` reaches */
    /* The first step from a real row that is not certain, by the instance that makes it so. */
    bool has_doubt;
    const struct edge_instance *doubt;
};

/* False past a limit. Close it either way. */
bool mixed_steps_find(struct mixed_steps *mixed, struct all_states *states);
void mixed_steps_close(struct mixed_steps *mixed);
