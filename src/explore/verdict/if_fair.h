/* IF FAIR - verdicts that would be the opposite if every process were fair, each for itself.
 *
 * Most runs that violate A<> and --> by going on for ever do so because they never let some process
 * move. So where a run decides a query, it is answered again for runs that are strongly fair to
 * every process, and then for those that are weakly fair (rules R5.1 and R5.7).
 *
 * The states are explored anew, breadth first and up to a number of them and of steps, so that what
 * is said depends neither on the engine nor on how far the search went.
 *
 * Errors: past a limit it is said that this is not known.
 */
#pragma once

#include "explore/verdict/verify.h"

/* Completes the answers of a verification without fairness, with the options it was given. */
void if_fair_find(struct verification *verification, const struct network *network,
                  const struct verify_options *options);
