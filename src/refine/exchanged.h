/* EXCHANGED - values that were exchanged (normal/normal.h), for the comparison of two models.
 *
 * Lifetime: in the arena given; the points are borrowed.
 */
#pragma once

#include "explore/visible/exchange.h"
#include "normal/normal.h"

/* The exchanges of a point in the form that a comparison takes. */
struct exchange exchange_of_point(struct arena *arena, const struct normal_point *point);

/* Whether a second exchange, of a model with these variables, takes what the first one has made of
 * each value for the same as the value: then it alone says what became of the original's values. */
bool exchange_absorbs(struct arena *arena, const struct normal *first, const struct normal *second,
                      const struct network *network);
