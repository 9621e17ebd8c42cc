/* NAMED - expressions that are what a ghost follows, word for word: no values are enumerated
 * (S2). */
#pragma once

#include "abstract/facts/context.h"

/* The name of the ghost that follows the very expression, in a process of the template; NULL if
 * none does. Bound variables may have other names. */
const struct expr *named_ghost(struct context *context, const struct template *template,
                               const struct expr *expr);
