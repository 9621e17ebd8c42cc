/* STEPS OF THE ABSTRACT MODEL - what its groups do, as actions on vectors that show states
 * (state_map.h).
 *
 * Groups are run on all short vectors of mapped states, one by one. Where one fits no abstract
 * state, there is none, and no step. Likewise, guards on urgent channels are looked at for all
 * short vectors of what they read.
 *
 * Lifetime: rows are heap memory, freed by action_close; the rest in the arena of the reach. The
 *           vectors that have no step, or are lost, are not held.
 * Errors:   false at a limit, which the machine or the diagram of the concrete model knows of.
 */
#pragma once

#include "explore/compare/sets/follow.h"
#include "explore/compare/sets/state_map.h"

struct abstract_steps {
    struct state_map *map;
    struct expander *expander; /* of the abstract model */
    uint32_t states;           /* held: that are mapped to */
    bool seeks_stuck;
    /* result */
    uint32_t stuck; /* those that have no step, if they are sought; else LDD_NONE */
    uint32_t lost;  /* those that show no state, or have steps that lead to none; */
    bool has_lost;  /* there are some */
    /* private */
    struct level_state point; /* concrete */
    uint64_t *state;          /* abstract */
    uint32_t *codes, *after;  /* of what is derived, and of what comes of it */
    struct set_rows enabled;  /* vectors of the current action that have a step, or offer, */
    struct set_rows unshown;  /* and that are lost */
    uint32_t *vector;
    unsigned char *kinds;
};

/* The parts above the result are set by the caller. Also of use after false: actions are to be
 * closed. */
bool steps_abstract(struct vector_system *system, struct abstract_steps *steps);
/* Then: those of the states in which time may pass for ever in the abstract model; not held. Of
 * those that fit none it says nothing. False if a guard on an urgent channel is interpreted, or at
 * a limit. */
bool steps_abstract_idle(struct abstract_steps *steps, uint32_t *states);
/* Frees what waits. */
void steps_abstract_close(struct abstract_steps *steps);
