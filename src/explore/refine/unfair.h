/* UNFAIR - whether what is fair in the concrete model is fair in the abstract one (R5.3 to R5.6).
 *
 * For each constraint of the abstract model: is there a run of the product that is fair to all
 * those of the concrete model and not to this one? The abstract model moves with the visible steps
 * and stays where it is otherwise, so it has to be deterministic (R5.4).
 *
 * What failing evaluations leave open, nodes that are tainted, is not in the graph.
 *
 * Lifetime: the run in the arena given. Errors: false at a limit, which the ledger notes.
 */
#ifndef VARABS_EXPLORE_REFINE_UNFAIR_H
#define VARABS_EXPLORE_REFINE_UNFAIR_H

#include "explore/fair/lasso.h"
#include "explore/refine/product.h"

struct unfair {
    uint64_t violated;       /* by number in the abstract model */
    uint32_t first;          /* of them */
    struct fair_lasso lasso; /* of that one: nodes of the product, choices among the edges of their
                                states; one choice more than there are is idling */
};

/* The product is complete, nothing in it is blocked, and its sides were marked: the abstract one
 * behind the concrete one. */
bool unfair_find(struct unfair *unfair, struct trace_product *product,
                 const struct fair_constraints *constraints, struct arena *arena);

#endif
