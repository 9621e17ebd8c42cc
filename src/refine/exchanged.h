/* EXCHANGED - values that were exchanged (normal/normal.h), for the comparison of two models.
 *
 * Lifetime: in the arena given; the points are borrowed.
 */
#pragma once

#include "explore/visible/exchange.h"
#include "normal/normal.h"

/* The exchanges of a point in the form that a comparison takes. */
struct exchange exchange_of_point(struct arena *arena, const struct normal_point *point);

/* Whether the second exchange puts each value and what the first exchange has made of it into one
 * class, for all variables of the network. Then the second one alone says what became of the
 * original's values. */
bool exchange_absorbs(struct arena *arena, const struct normal *first, const struct normal *second,
                      const struct network *network);
