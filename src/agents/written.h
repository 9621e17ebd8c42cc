/* WRITTEN - what an agent observes, as an `observe` says it.
 *
 * Observations are part of the question (O1), so an abstraction is given them in full: what agents
 * would observe of it by default is something else, as its guards and variables are others.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "agents/agents.h"
#include "base/str.h"

/* Adds an item as expressions of a query. False if it has no such form: it depends on names that
 * only the process itself has. What was added then is to be left out. */
bool observed_write(struct buffer *out, const struct network *network,
                    const struct observed_item *item, struct arena *arena);
