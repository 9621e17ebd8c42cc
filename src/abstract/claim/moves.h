/* MOVES - whether the players of a coalition have the same moves in an abstraction (X2).
 *
 * A strategy chooses between moves, so it is not enough that the same is visible in the end. Two
 * edges of a player that have become one cannot be told apart any more: who took the one on purpose
 * waited where only the other one was possible. And one edge that has become two can now be taken
 * by half. So each edge of a player's template must have become an edge of its own, possible in the
 * same states; selects that only removed variables or labels read may be left out, as what they
 * choose between is possible together and does the same; but not from edges with @action or
 * @nature. What becomes of the edges of others does not matter beyond that the abstraction is
 * exact: nobody in the coalition decides about them.
 *
 * Lifetime: texts in the arena of the abstraction.
 */
#pragma once

#include "abstract/claim/observation.h"

/* Under, of an exact abstraction: what the players, who are agents, have no longer or not in the
 * same way; NULL if they have the same moves. */
const char *moves_lost(const struct abstraction *abstraction, const struct watcher_list *players);
