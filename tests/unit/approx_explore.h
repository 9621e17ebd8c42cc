/* APPROX EXPLORE - a naive exploration of small networks, to hold the value analysis against.
 *
 * Takes no short cuts and shares nothing with the analysis but the network and the evaluator.
 * Every state, every value written within a step and every location passed is reported by
 * callbacks. Branchpoints are passed within a step, guards and channels are read before it, meta
 * variables start each step at their initial values, errors of the model end a step.
 */
#pragma once

#include "model/network.h"

enum { PATH_MAX_EDGES = 4, SELECT_MAX = 8, PARTS_MAX = 8, WRITES_MAX = 4096 };

/* An edge with the branchpoints behind it, and the values of its selects. */
struct part {
    const struct process *process;
    const struct edge *edges[PATH_MAX_EDGES];
    int32_t selects[PATH_MAX_EDGES][SELECT_MAX];
    uint32_t count;          /* of edges */
    const struct edge *sync; /* the one that synchronises, or NULL */
    uint32_t channel;        /* address */
};

struct explorer {
    const struct network *network;
    struct arena *arena;
    struct environment environment;
    struct binding *frames[PATH_MAX_EDGES];
    bool *is_broadcast; /* by address */
    uint32_t width;     /* of a state: a location for each process, then a value for each slot */
    int32_t *states;
    uint32_t state_count, state_capacity, *table, table_size, step_count;
    int32_t *state; /* the current one */
    const struct process *current;
    struct {
        uint32_t slot;
        int32_t value;
    } writes[WRITES_MAX];
    uint32_t write_count;
    VEC(struct part) parts; /* enabled in the current state */
    /* Callbacks; a step is reported only if it is one. */
    void *context;
    void (*on_state)(void *context, const int32_t *locations, const int32_t *values);
    void (*on_edge)(void *context, const struct process *process, const struct edge *edge);
    void (*on_write)(void *context, uint32_t slot, int32_t value);
    /* The slots of a process while it is at a branchpoint. */
    void (*on_branchpoint)(void *context, const struct process *process, uint32_t location,
                           const int32_t *values);
    void (*on_fault)(void *context, const struct process *process, const struct edge *edge,
                     int item); /* item -1: the guard */
};

/* Explores up to limit states; false if there are more. */
bool explore(struct explorer *explorer, uint32_t limit);
