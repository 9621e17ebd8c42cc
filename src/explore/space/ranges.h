/* RANGES - what values slots are taken to have, after a first look at the state space.
 *
 * Slots that nothing writes have one value. Slots that steps have written and no step has changed
 * are transient. The others get what the value analysis knows, or, where that is much, a little
 * more than was seen. All of it may be wrong: then a field overflows (layout.h).
 */
#pragma once

#include "explore/space/space.h"

/* Sets the guesses of a search from the states that its first worker has found so far. */
void choose_ranges(struct search *search);
