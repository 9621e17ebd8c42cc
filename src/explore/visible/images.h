/* IMAGES - certification where no two states of the abstract model look the same.
 *
 * Then a state of the concrete model makes a pair with one abstract state at most, its image, which
 * is found by what is visible. So pairs are concrete states, which are looked at one by one, and
 * neither steps of the concrete model nor pairs are stored.
 *
 * May: all states have images, and every step of a state leads to a state whose image its image can
 * step to. Exact: no image has other steps. Must: for every step of an image, the state has one to
 * a state with that image; such states are chosen, as few as may be, and looked at. What is looked
 * at is a simulation.
 *
 * Time is compared as well: whether it may pass for ever in the other where it may in a state or an
 * image that moves.
 *
 * Lifetime: all is borrowed.
 * Errors:   a limit makes images_hold give false; the ledger says which.
 */
#pragma once

#include "explore/visible/graph.h"

struct images {
    struct graph *graphs; /* by side, with classes; the abstract one with its steps */
    struct classifier *classifier;
    bool moves[SIDE_COUNT]; /* may: the concrete side; must: the abstract one; exact: both */
    bool is_stuttering;
    void (*progress)(void *context, uint64_t pairs); /* about once a second; may be NULL */
    void *context;
    uint32_t pair_count; /* result */
    /* private */
    uint32_t *nodes; /* of the abstract model, by class */
    struct expander expander;
    uint64_t *state;          /* of the concrete model */
    uint64_t *visible, *keys; /* heap: of its successors: visible parts, and classes with rows */
    uint32_t capacity;
    uint64_t *met;  /* must: bits of the rows that are looked at, */
    uint32_t *rows; /* and these in order */
    double next_progress;
};

/* Whether there is such a simulation of states and their images. If not, nothing is known. */
bool images_hold(struct images *images);
