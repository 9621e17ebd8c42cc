/* LEVELS - how the fields of a state become the values of a vector.
 *
 * A field is one level, or, where it has many bits, several, the highest first. The values are
 * those of its bits. One more field is the number of processes in committed locations
 * (footprint.h).
 *
 * Invariants: there is at least one level.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "explore/symbolic/footprint.h"

enum { LEVEL_BITS = 8, LEVELS_MAX = 1 << 11 /* so that recursion is not deep */ };

struct level {
    uint32_t field, shift, mask; /* a part of the field's bits */
};

struct levels {
    const struct layout *layout;
    struct level *items;
    uint32_t count;
    uint32_t
        *first; /* by field, then the number of all: levels of a field; none if it is constant */
    uint32_t *sizes; /* by field: how many levels */
    uint32_t bits;   /* of all values together */
};

/* A state: its words, and the number of processes in committed locations. */
struct level_state {
    uint64_t *words;
    uint32_t committed;
};

/* Fields that have levels, in the order of the layout; as many as are returned. */
uint32_t levels_list_fields(const struct program *program, uint32_t *fields);
/* How many levels they need. */
uint32_t levels_needed(const struct program *program, const uint32_t *fields, uint32_t count);
void levels_init(struct levels *levels, struct arena *arena, const struct program *program,
                 const uint32_t *fields, uint32_t count);

uint32_t level_get(const struct levels *levels, uint32_t level, const struct level_state *point);
void level_set(const struct levels *levels, uint32_t level, struct level_state *point,
               uint32_t value);

/* Of the state that the words show. */
uint32_t count_committed(const struct program *program, const uint64_t *words);
/* Vector of a state, and back; words has room for a state. */
void levels_vector(const struct levels *levels, const struct level_state *point, uint32_t *vector);
void levels_point(const struct levels *levels, const uint32_t *vector, struct level_state *point);
