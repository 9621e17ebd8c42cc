/* IMAGES - certification where no two states of the abstract model look the same.
 *
 * Then a state of the concrete model makes a pair with one abstract state at most, its image, which
 * is found by what is visible. A set of pairs in which every state that can be reached has its image
 * is a simulation if every step leads to the image of a state from an image that has such a step,
 * and, for exact, no image has other steps. So states are looked at one by one, and neither their
 * steps nor pairs are stored.
 *
 * Time is compared as well: whether it may pass for ever in an image where it may in the state, for
 * exact in no others.
 *
 * Lifetime: all is borrowed.
 * Errors:   a limit makes images_hold give false; the ledger says which.
 */
#pragma once

#include "explore/visible/graph.h"

struct images {
    struct graph *graphs; /* by side, with classes; the abstract one with its steps */
    struct classifier *classifier;
    bool is_exact, is_stuttering;
    void (*progress)(void *context, uint64_t pairs); /* about once a second; may be NULL */
    void *context;
    /* private */
    uint32_t *nodes; /* of the abstract model, by class */
    struct expander expander;
    uint64_t *state;          /* of the concrete model */
    uint64_t *visible, *keys; /* heap: of its successors: visible parts, and classes */
    uint32_t capacity;
    double next_progress;
};

/* Whether all concrete states and their images are such a set. If not, nothing is known. */
bool images_hold(struct images *images);
