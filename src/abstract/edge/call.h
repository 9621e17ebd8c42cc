/* CALL - what a function returns, as an expression over its parameters.
 *
 * A call can then be said without the function: what it reads of removed variables is known cell by
 * cell, and where it does not fail is known as well (error.h, of which this is one half: when a
 * call fails depends on what it returns, and what it returns on where that fails).
 */
#pragma once

#include "abstract/facts/context.h"

/* The one expression that a function consists of; NULL if there is more to it. */
const struct expr *function_value(const struct function *function);
/* The value that a function returns, as an expression over its parameters; NULL if the function has
 * side effects or takes too many steps. *steps, unless NULL, is how many it may take, and then how
 * many are left. */
const struct expr *unrolled_value(struct context *context, const struct function *function,
                                  uint32_t *steps);
/* The value that any function returns, as the type of its result holds it; NULL and *steps as
 * above. */
const struct expr *function_result(struct context *context, const struct function *function,
                                   uint32_t *steps);
/* A result with the arguments of a call, which the fact (facts/range.h) is known of; NULL if one of
 * them may fail or not fit. */
const struct expr *with_arguments(struct context *context, const struct expr *fact,
                                  const struct expr *result, const struct expr *call);
/* A value as a variable, parameter or result of this type holds it; NULL if it may not fit. */
const struct expr *value_fitted(struct context *context, const struct expr *fact,
                                const struct expr *value, const struct type *type);
