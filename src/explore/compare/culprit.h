/* CULPRIT - which removed slots keep the original from a step of an abstract run. */
#pragma once

#include "explore/verdict/trace.h"
#include "explore/visible/visible.h"

enum { CULPRIT_MAX_STATES = 1 << 12 };

/* A step, and states of the original from which it is not possible; all borrowed. */
struct missing_step {
    const struct visible *visible;
    const struct search *search; /* of the original */
    const struct trace_step *step;
    const uint32_t *rows;
    uint32_t count;
    double deadline; /* by clock_seconds; 0 = none */
    double grace;    /* as in struct machine */
};

/* A guard of the original that is false in the first of the states, and what it reads there. */
struct false_guard {
    const struct process *process;
    const struct edge *edge;
    uint32_t source, target; /* locations */
    uint32_t *slots;         /* ascending */
    int32_t *values;         /* of these */
    uint32_t slot_count;
};

/* The slots and guards that keep the original from the step. */
struct culprits {
    uint32_t *slots; /* removed ones, ascending */
    uint32_t count;
    struct false_guard *guards; /* of each participant that cannot take part: one */
    uint32_t guard_count;
};

/* Over-approximates: the guards of the step read every slot found, or else its updates and
 * invariants name its variable. False if there is no time for it. */
bool find_culprits(const struct missing_step *missing, struct arena *arena,
                   struct culprits *culprits);
