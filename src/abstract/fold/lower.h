/* LOWER - the paper's lower construction (--must=lower), for reproducing its table 3.
 *
 * The removed variables of a template that have the same scope are a group, and its lower sets are
 * sets of joint values, one by location: the greatest ones such that the initial location has the
 * initial values at most, and the target of an edge at most what each instance of the edge (a
 * process, and a value for every select) makes of the set of its source. What an instance makes of
 * values is taken over all values that visible variables can have by their types; an edge that
 * does not name the group passes on the set of its source.
 *
 * An edge within the scope stays for the values that are in the set of its source and lead into
 * that of its target, one that leaves the scope for those in the set of its source. This is the
 * construction of the authors' own files: edges that enter a scope only reset. Nothing follows
 * for the original from what the result does (U1).
 *
 * The paper has neither broadcast channels nor branchpoints, invariants or priorities, and removes
 * local variables only; models with more than that are refused.
 *
 * Lifetime: in the arena of the context.
 * Errors:   STATUS_UNSUPPORTED; STATUS_LIMIT past the budget of evaluations.
 */
#pragma once

#include "abstract/fold/joint.h"

/* NULL after an error. */
struct lower *lower_make(struct context *context);
/* A copy of the analysis with the lower sets in place of its own. */
struct analysis *lower_analysis(struct context *context, const struct lower *lower);
