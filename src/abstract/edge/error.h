/* ERROR - when evaluating does not fail: the "no error" conditions of residual guards (DESIGN
 * section 4). */
#ifndef VARABS_ABSTRACT_EDGE_ERROR_H
#define VARABS_ABSTRACT_EDGE_ERROR_H

#include "abstract/facts/context.h"

/* When evaluating does not fail; NULL = never fails. *lost is set if it cannot be said.
 * needs_unknown: only failures that an unknown takes part in. */
const struct expr *no_error_condition(struct form_context *context, const struct expr *expr,
                                      bool needs_unknown, const char **lost);
/* The guard with these conditions in the places where they protect. is_behind: a conjunct before it
 * that kept its failures away may no longer do so. */
const struct expr *protected_guard(struct form_context *context, const struct expr *guard,
                                   bool is_behind, const char **lost);

#endif
