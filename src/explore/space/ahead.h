/* AHEAD - whether there are surely more states than a limit, which is less work than to store them.
 *
 * Where states are large and have many successors, what takes time is to store them. Here only the
 * states of the first look are expanded, and of their successors a number of 64 bits each is kept.
 * Equal states have the same number, so that there are at least as many states as numbers.
 *
 * Lifetime: nothing stays.
 */
#pragma once

#include "explore/space/space.h"

/* Under: whether there are more states, as the rows of a first look show that has filled its store;
 * no error is met by then, nor half of the work that is allowed. */
bool ahead_are_more(struct search *search, uint64_t states);
