/* ORBITS - states that permutations map to each other, counted in the store of a search.
 *
 * Errors: counting ends at a limit of time; is_known says so.
 */
#pragma once

#include "explore/space/space.h"

struct orbits {
    uint64_t count, states; /* that are stored, and all states of these */
    bool is_known; /* else some orbit may be stored more than once, or there are too many */
};

/* Of a search with a canon; its store is there. */
struct orbits orbits_of(const struct search *search);

/* Of a search without one: how many orbits of this symmetry its states belong to, or 0 if that is
 * not known. Fields of its layout have their declared ranges, as in a first look. */
uint64_t orbits_among(struct search *search, const struct symmetry *symmetry);
