/* SOLVE - the fixpoint over all functions of a network, until no point leaves its class (V5).
 *
 * Lifetime: what is found lives in the arena given, and in that of the points.
 * Errors:   none. Past the budget, or interrupted, what is left matters (classes.h).
 */
#pragma once

#include "classes/key_search.h"
#include "classes/needed_assignments.h"

struct solve_request {
    struct arena *arena;
    struct analysis *analysis;
    const struct query *queries; /* what is asked of states (V1) */
    uint32_t query_count;
    bool is_all_or_nothing; /* nothing is left once one point that was asked about matters */
    bool is_strict;         /* nothing relies on there being no runtime errors */
    struct needed_assignments *needed; /* where it is noted what is to be exchanged; or NULL */
    struct key_search **key_search;    /* set to a search that knows which cells are read together;
                                          or NULL */
};

/* Splits the classes that the points have, until all functions agree on them. Gives a text: what
 * may fail although the classes rely on its not failing (V14, model/errors.h); NULL: they rely on
 * nothing. */
const char *solve_points(struct points *points, const struct solve_request *request);
