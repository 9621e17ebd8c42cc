/* SEARCH - a must-abstraction with more steps (U1).
 *
 * The must-fold drops a step unless it is possible for all values that removed variables can have.
 * Some of these values come about only by steps that are dropped, too. So the model is restricted
 * (must/kept.h): with fewer steps the value sets are smaller, and the fold may keep other steps.
 *
 * Which restriction is best is searched for. The trials leave out all edges that read one removed
 * variable; then all that the fold drops, but for the edges that leave one location; then all that
 * it drops, but for one edge. A restriction is accepted if the fold then keeps strictly more.
 *
 * The search begins with the model as it is, and then with what is kept of it when one part of the
 * request after the other is removed: so removing several at once is as precise as a chain of
 * single runs. The result with the most reachable states is taken.
 */
#pragma once

#include "abstract/fold/model.h"

enum {
    MUST_MAX_TRIALS = 64, /* in each search */
    MUST_MAX_PARTS = 32,
    MUST_MAX_BUDGETS = 64,    /* of the value analysis, in all searches */
    MUST_MAX_SIZE = 256 << 20 /* bytes, also */
};

/* Called after the first fold of a must-abstraction. False after an error. */
bool must_search(struct abstraction *abstraction, const struct abstract_options *options);
