/* FIGURES - how much was explored, in numbers that may be larger than 64 bits hold, and how many
 * orbits that is: states that permutations map to each other.
 *
 * Lifetime: texts in the arena given.
 */
#pragma once

#include "explore/space/space.h"

struct exact {
    bool is_known;
    uint64_t value;   /* UINT64_MAX if it is larger */
    const char *text; /* in decimal digits */
};

struct figures {
    struct exact states, transitions, deadlocks, errors;
    bool has_orbits;       /* states were stored as one that permutations map to each other: */
    uint64_t orbits;       /* so many, */
    bool are_orbits_exact; /* or fewer */
};

struct exact exact_number(uint64_t value, struct arena *arena);
struct figures figures_of(const struct search *search, struct arena *arena);

/* Of a search without a canon: how many orbits of this symmetry its states belong to, or 0 if that
 * is not known. Fields of its layout have their declared ranges, as in a first look. */
uint64_t orbits_among(struct search *search, const struct symmetry *symmetry);
