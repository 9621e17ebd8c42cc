/* COMPARE - whether what a function does depends on points that are one class (V2, V7).
 *
 * Wherever the tree of runs picks the value of such a point, what follows for each value has to be
 * alike to what follows for the representative, for all values of everything else: an error for
 * both (V7), or, if that is relied on, one that the representative has not (V14), or the same
 * channel and the same values in what is not one class behind the edge. That is checked by walking
 * both subtrees at once.
 *
 * Lifetime: borrows the runs of the last function; these are compared.
 */
#pragma once

#include "classes/edge_function.h"

struct comparison {
    const struct function_runs *runs;
    struct points *points;
    uint32_t *bound; /* by address: index of the value that is assumed, plus 1 */
    uint64_t *work, most_work;
    bool is_strict;             /* an update that fails is unlike one that does not (V7) */
    const struct expr *failing; /* set to an item that fails on one side of what is alike (V14) */
};

void comparison_init(struct comparison *comparison, struct arena *arena,
                     const struct function_runs *runs, struct points *points, uint64_t *work,
                     uint64_t most_work);

/* Tells apart all points that the runs of the function depend on. False past the work: not all was
 * compared. */
bool comparison_run(struct comparison *comparison);

/* Whether every run that comes to an end writes the slot. */
bool function_runs_always_write(const struct function_runs *runs, uint32_t slot);
