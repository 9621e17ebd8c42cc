/* QUANTIFIERS - those that have no values to go over.
 *
 * What Uppaal makes of `forall (i : int[1,0])` is not documented. It would be an error of the
 * evaluation that no analysis expects, so a model that has one is refused.
 */
#pragma once

#include "lang/eval/eval.h"

/* One of the functions and hooks, or NULL. */
const struct expr *empty_quantifier_of_model(struct environment *environment,
                                             const struct model *model);
/* One of the labels and functions of a process, which has these locals, or NULL. */
const struct expr *empty_quantifier(struct environment *environment,
                                    const struct template *template, const struct binding *locals);
