/* LIVENESS INTERNAL - what the searches for runs share: limits, states and figures.
 *
 * liveness.c      any run: a depth-first search
 * liveness_fair.c fair runs: components of a graph
 */
#pragma once

#include "explore/verdict/liveness.h"

#define NO_ROW STORE_FULL

/* Something is missing because of a limit; stop: and the search ends. */
void liveness_cut(struct liveness *live, enum search_limit limit);
void liveness_stop(struct liveness *live, enum search_limit limit);

/* Stops if the ledger met a limit. What comes then begins anew, with what is left. */
void liveness_note(struct liveness *live);
/* Room for so many items of a size; new ones are zero. */
bool liveness_reserve(struct liveness *live, struct block *block, size_t need, size_t size);

/* Starts a query: nothing is known of any row. False if there is no memory. */
bool liveness_begin(struct liveness *live, const struct watch *inside);
enum liveness_outcome liveness_outcome_of(const struct liveness *live, bool is_found);

/* Whether a predicate holds in a state of stored words. */
bool liveness_holds(struct liveness *live, const struct watch *watch, const uint64_t *state);
/* The row of a new state; NO_ROW at a limit. */
uint32_t liveness_add(struct liveness *live, const uint64_t *state, uint64_t hash);
/* False if a limit or an overflow ends the search. */
bool liveness_expand(struct liveness *live, uint32_t row);
/* Whether a run may end in the state that was expanded last. */
bool liveness_is_end(struct liveness *live, enum trace_end *end);
/* Counts a state that was expanded last and that the search did not get to in the figures. */
void liveness_count(struct liveness *live, uint32_t row);

/* Fair runs inside the predicate of a watch: from the initial state, or from reachable states where
 * another predicate holds (NULL: from the initial one). */
enum liveness_outcome liveness_find_fair(struct liveness *live, const struct watch *from,
                                         const struct watch *inside);
