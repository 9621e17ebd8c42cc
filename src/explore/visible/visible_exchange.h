/* VISIBLE EXCHANGE - exchanged values, found in the two models that are compared.
 *
 * Lifetime: in the arena given; the exchange is borrowed.
 * Errors:   false where the abstract model has no such variable, location or key, or another
 *           exchange is about the same place.
 */
#pragma once

#include "explore/visible/visible.h"

/* Compares the values of the exchange's variable by what stands for them. A variable that is not
 * compared stays so; there the exchange helps to guess what it is in the abstract model. */
bool visible_exchange(struct visible *visible, struct arena *arena,
                      const struct exchange *exchange);
