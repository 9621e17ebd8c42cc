/* REFUTE - why one graph cannot follow another: a run of both to a step that nothing follows.
 *
 * Lifetime: the run lives in the arena given.
 * Errors:   simulation_refute gives false at a limit; the ledger of the simulation says which.
 */
#pragma once

#include "explore/compare/pairs/simulate.h"

/* A run of both sides along bad pairs, to a step that nothing follows. */
struct duel_step {
    enum side mover;
    bool is_silent;   /* the other side stays */
    uint32_t choices; /* of the other side, all in vain */
};

struct duel {
    /* The pairs, from the initial one on. Of orbits: the steps that lead to them, by their place
     * among all of the state before; then the first of them means nothing, and */
    uint32_t *nodes[SIDE_COUNT];
    const uint64_t *last[SIDE_COUNT]; /* are the states of the last pair; else NULL. */
    uint32_t count;
    struct duel_step *steps; /* between pairs */
    bool is_initial;         /* the initial nodes look different; there is nothing else */
    bool is_timed;   /* the last pair ends it: time may pass in the node of the mover only */
    enum side mover; /* otherwise of the step that nothing follows, */
    uint32_t target; /* and the node it leads to, or its place */
};

/* After SIMULATION_FAILS, with time compared or without; false at a limit. */
bool simulation_refute(struct simulation *simulation, struct duel *duel, struct arena *arena);
