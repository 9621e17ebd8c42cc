/* NARROWED - selects that need fewer values than their types have, as the merged data are alike
 * (D1).
 *
 * If all variables of a class of data are removed, the model with narrowed selects has the same
 * steps on what is left. So it is the one that is abstracted, whatever the number of data.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/facts/context.h"

/* So many values of a select are enumerated. */
enum { NARROWED_MIN_VALUES = 64 };

/* Fills the data of the context: none where queries are about moves of agents, each of which is a
 * value (ST8). */
void narrow_selects(struct context *context);

/* Whether narrowed selects lose what a query asks for, so that it is not kept. */
bool narrowing_loses(const struct context *context, uint32_t query);
/* D3 is about queries that are kept: sizes go if one of them asks more. */
void settle_sizes(struct context *context, const uint32_t *dropped, uint32_t count);
