/* COMPARE - whether a function does the same with all values of a class (V2, V7).
 *
 * Wherever the tree of runs picks the value of a point, the runs with that value have to be like
 * the runs with the one that stands for it, whatever the function reads besides. Two runs are alike
 * if both fail (V7); or if both use the same channel and leave values of the same classes after
 * the edge; or, where the model is taken to have no runtime errors, if the run of the value alone
 * fails in its update (V14). Both subtrees are walked at once.
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
    bool is_strict; /* an update that fails is unlike one that does not (V7) */
    /* set to an item that fails in one of two runs that are alike (V14) */
    const struct expr *failing;
};

void comparison_init(struct comparison *comparison, struct arena *arena,
                     const struct function_runs *runs, struct points *points, uint64_t *work,
                     uint64_t most_work);

/* Tells apart all points that the runs of the function depend on. False past the work: not all was
 * compared. */
bool comparison_run(struct comparison *comparison);

/* Whether every run that comes to an end writes the slot. */
bool function_runs_always_write(const struct function_runs *runs, uint32_t slot);
