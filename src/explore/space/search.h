/* SEARCH - explores a network breadth first and looks for states on the way.
 *
 * A watch is a predicate that is looked at in every state: WATCH_FIND wants the first level in
 * which some state satisfies it (E<> p, and A[] p by its negation), WATCH_BOUNDS the least and
 * greatest values of expressions over all states that do (sup, inf, bounds). WATCH_LATER is only
 * compiled, for what goes over the states afterwards (explore/verdict/liveness.h); where nothing
 * else is asked and it does not need all states, only the initial state is stored.
 *
 * Levels are finished before anything is decided, and among the candidates of a level the least
 * packed state is taken, so that results do not depend on the number of jobs.
 *
 * Lifetime: heap memory and arenas of the search, freed by search_close. Layout and program are
 *           made anew when a field turns out to be too narrow.
 * Errors:   a limit ends the search with figures of what was explored; search_run gives false only
 *           if the model cannot be prepared (reported).
 */
#pragma once

#include "explore/space/space.h"

/* Watches are borrowed and get their results. */
bool search_run(struct search *search, const struct network *network,
                const struct search_options *options, struct watch *watches, uint32_t count);
/* Starts over, because the slot had the value in a state that was expanded afterwards. */
bool search_restart(struct search *search, uint32_t slot, int32_t value);
/* Only what comes before: a first look at the states, the layout, the program and the units of the
 * watches, for those who explore in another way; the store is not there. Again, after
 * slots had values that are not in their fields. */
bool search_prepare(struct search *search, const struct network *network,
                    const struct search_options *options, struct watch *watches, uint32_t count);
/* A search without a first look, because another search of the network has had one. */
bool search_prepare_like(struct search *search, const struct network *network,
                         const struct search_options *options, struct watch *watches,
                         uint32_t count, const struct search *other);
void search_widen(struct search *search, uint32_t slot, int32_t value);
bool search_prepare_again(struct search *search);
void search_close(struct search *search);

/* The level of a row. */
uint32_t search_level(const struct search *search, uint32_t row);
/* A comparison of states that does not depend on the layout. */
bool search_is_before(const struct search *search, uint32_t row, uint32_t than);
