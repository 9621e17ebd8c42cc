/* FAVOUR - a mixed abstraction for one coalition and one operator, without strength marks (ST11).
 *
 * What the coalition may do it must be able to do in the original, and what others may do stays: so
 * its own moves are those that are certain, and who is left none of them takes any, which nature
 * chooses. Receiving is never refused. A coalition that can keep to something there for ever can do
 * so in the original:
 *
 *     <<A>> G p    <<A>> (p W q)    <<A>> (p R q)
 *
 * where p and q are about single states. Nothing else carries over: steps of the coalition are
 * gone, and steps of others are there that may not be in the original.
 *
 * Lifetime: in the arena of the abstraction.
 */
#pragma once

#include "abstract/claim/carry.h"
#include "abstract/claim/observation.h"

/* Whether the abstraction is one for a coalition, and not exact, so that it says of it alone. */
bool favours_some(const struct abstraction *abstraction);
/* Drops moves of the coalition, or leaves them to nature; after the marks. */
void favour_coalition(struct abstraction *abstraction);
/* What carries over of a query that can be read. */
struct carry favoured_carry(const struct abstraction *abstraction, const struct query *query);
