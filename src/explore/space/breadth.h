/* BREADTH - the breadth-first search itself: level by level, until a limit, a pause or an answer. */
#pragma once

#include "explore/space/space.h"

enum {
    SHARED_LEVEL = 1 << 13, /* rows of a level from which on it is worth sharing */
    MAX_JOBS = 64
};

/* Explores from the initial state on, with workers that have been started and an empty store. */
void run_levels(struct search *search);

/* Asks whether to go on after so many states. */
bool search_goes_on(struct search *search, uint64_t states);
/* After so many states, how many with few steps would have taken as long. */
uint64_t search_effort(const struct search *search, uint64_t states);
