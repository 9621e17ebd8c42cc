/* PREPARED - what a search needs before it has any state: layout, program, units of its watches.
 *
 * Lifetime: layout and program are there until leave_prepared of the last search that has them;
 *           the rest is in the arena of the search.
 * Errors:   what cannot be compiled is reported, and a limit is noted in the search.
 */
#pragma once

#include "explore/space/space.h"

/* Layout, program and watches by the guesses, the first two from another search if it has them.
 * waits: actions are compiled as they are needed. False if there is no program. */
bool compile_all(struct search *search, bool waits, const struct search *other);
void leave_prepared(struct search *search);
