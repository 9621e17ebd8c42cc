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
/* How many fields do not have their initial value in all states that were found. Each of them will
 * have bits by whatever ranges are chosen. */
uint64_t count_changed(const struct search *search);
/* How many fields of states have bits by the guesses. */
uint64_t count_chosen(const struct search *search);
