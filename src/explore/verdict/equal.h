/* EQUAL - states that differ in persistent meta variables only (model/persistent.h) are one to
 * Uppaal.
 *
 * A complete search has told them apart. Uppaal goes on from the one that it finds first, and which
 * that is its documentation does not say. If equal states have the same successors, as far as they
 * are not equal themselves, that makes no difference: then what was found is what Uppaal finds.
 * If not, Uppaal finds some of these states, and none besides.
 *
 * Lifetime: nothing is kept.
 */
#pragma once

#include "explore/space/search.h"
#include "explore/successor/limit.h"

struct equal_states {
    enum search_limit limit; /* that was met: nothing else is known then */
    bool are_none;           /* no two states are equal */
    bool have_same_ends;     /* equal states go on to equal ones, and end alike */
    bool have_same_steps;    /* by the same edges, besides */
    uint64_t states, transitions, deadlocks, errors; /* where equal ones are one: the first */
};

/* Of a complete search; the expander is of its program, with nothing in its list. False at a
 * limit; memory is counted beside the states of the search. */
bool equal_find(struct equal_states *equal, const struct search *search, struct expander *expander);
