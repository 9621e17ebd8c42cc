/* STATES - how many states a model has, as far as a short exploration gets.
 *
 * Lifetime: texts of numbers live in the arena given.
 * Errors:   without a figure if it cannot be explored.
 */
#pragma once

#include "explore/verdict/verify.h"
#include "suggest/suggest.h"

struct measured measure_network(struct arena *arena, const struct network *network,
                                const struct verify_options *limits);
/* Measures a model given as bytes. */
struct measured measure_model(struct arena *arena, struct str model,
                              const struct verify_options *limits);
