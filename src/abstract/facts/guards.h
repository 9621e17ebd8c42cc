/* GUARDS - whether a network's guards and invariants are stronger than those that were written, as
 * in a search for more steps (must/search.h), and what was added. */
#pragma once

#include "abstract/facts/context.h"

bool edge_is_restricted(const struct context *context, const struct template *template,
                        uint32_t index);
bool invariant_is_restricted(const struct context *context, const struct template *template,
                             uint32_t location);

/* The restricted guard of an edge in two parts: what removed values matter for, and after it what
 * was added and reads none. The second is NULL if there is none. */
const struct expr *restricted_guard(const struct context *context, const struct template *template,
                                    uint32_t index, const struct expr **fixed);
