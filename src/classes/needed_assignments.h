/* NEEDED ASSIGNMENTS - after which edges a slot may hold a value that another one stands for (V6).
 *
 * Such an edge has to exchange it at the end of its update: no sooner, as what follows in the same
 * update may read the value as it is (C6). What a sender hands over is exchanged by the receiver,
 * where that sees more of it than what is left after the step.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "classes/edge_function.h"

/* Whether an assignment is needed for one value of a select of the edge only. */
struct select_use {
    bool is_only;
    int32_t value;
};

struct needed_assignment {
    const struct class_point *point; /* after it */
    struct select_use *selects;      /* by select of the edge; NULL: nothing is known */
    struct needed_assignment *next;  /* of the edge */
};

struct needed_assignments {
    struct arena *arena;
    struct function_runs *runs;
    struct map by_edge; /* unsettled, of one process of the template or another, perhaps several */
};

/* Notes the assignments that an edge needs for one of its functions. An update that cannot be run
 * in the budget may write anything. */
void needed_add_function(struct needed_assignments *needed, const struct function_part *function);
