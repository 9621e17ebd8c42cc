/* ROW SET - a set of rows of numbers of one width, numbered as they come.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "base/map.h"
#include "base/vec.h"

struct row_set {
    struct arena *arena;
    struct map first;
    VEC(int32_t *) rows;
    VEC(uint32_t) next; /* with equal hashes, from 1 */
    uint32_t width;
};

void row_set_init(struct row_set *set, struct arena *arena, uint32_t width);
/* The number of a row, which is added if it is new. */
uint32_t row_set_add(struct row_set *set, const int32_t *row);
