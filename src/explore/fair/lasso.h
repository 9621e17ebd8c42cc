/* LASSO - a fair run as a way to a loop and the loop (rule R5.6).
 *
 * The way is a shortest one to a good part. The loop is put together from shortest ways inside the
 * part: to an edge that takes each constraint that has to be taken, or for a weak one to a node
 * that does not enable it, and back.
 *
 * Lifetime: in the arena given.
 * Errors:   false at a limit, which the ledger of the graph notes.
 */
#pragma once

#include "explore/fair/emptiness.h"

struct fair_lasso {
    uint32_t *nodes;   /* count of them, from node 0 on; the last one is nodes[loop] */
    uint32_t *choices; /* by node but the last: which of its edges leads on */
    uint32_t count, loop;
    uint32_t met; /* in the loop: enables one of the constraints that have to be met, if any */
};

/* A run of good parts, of which there are some that node 0 leads to. */
bool fair_lasso(const struct fair_graph *graph, const struct fair_question *question,
                const struct fair_parts *parts, struct arena *arena, struct fair_lasso *lasso);
