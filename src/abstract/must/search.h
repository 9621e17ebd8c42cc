/* SEARCH - a must-abstraction with more steps (U1).
 *
 * A step goes because it is not there for all values that removed variables can have. Some of
 * them they can have only by steps that go as well. So the model is restricted to what is
 * kept in any case (must/kept.h), where the value sets are smaller and other steps may stay.
 *
 * What it is restricted to matters, and is searched for: without what reads one removed variable,
 * then without all that goes but the edges that leave one location, then but one edge. This is
 * accepted where strictly more is kept.
 *
 * The search begins with the model as it is, and then with what is kept of it when one part of the
 * request after the other is removed: so removing several at once is as precise as a chain of
 * single runs. Of what is found, that with the most reachable states is taken.
 */
#pragma once

#include "abstract/fold/model.h"

enum {
    MUST_MAX_TRIALS = 64, /* in each search */
    MUST_MAX_PARTS = 32,
    MUST_MAX_BUDGETS = 64,    /* of the value analysis, in all searches */
    MUST_MAX_SIZE = 256 << 20 /* bytes, also */
};

/* After the first folding of a must-abstraction. False after an error. */
bool must_search(struct abstraction *abstraction, const struct abstract_options *options);
