/* CHOOSE MERGES - which of the merges that may be worth it are exact, and which others there are
 * (P4).
 *
 * One is taken beside all that is removed exactly, and all merges before it, if the abstraction
 * says that it is exact, every query is kept, and the result has fewer states, with values
 * exchanged, than without it. Where they are not counted, no value of what it merges may be one
 * that is exchanged. Queries about agents ask what these observe, so there none is taken. Queries
 * that are given must not name what is merged: they would have to be asked in other words.
 *
 * With takes_inexact, one that is not exact is taken, too, beside all before it, if some query is
 * kept and the result has fewer states.
 *
 * Lifetime: everything lives in the arena of the suggestion.
 * Errors:   none; what is not tried is not taken.
 */
#pragma once

#include "session/queries.h"
#include "suggest/suggest.h"

/* After suggestion_make; the queries are those that variables are kept for, and those given. */
void suggestion_choose_merges(struct suggestion *suggestion, const struct observed *observed,
                              const struct query_source *given, uint32_t given_count);
