/* ERROR - when evaluating does not fail: the "no error" conditions of residual guards (F2). */
#ifndef VARABS_ABSTRACT_EDGE_ERROR_H
#define VARABS_ABSTRACT_EDGE_ERROR_H

#include "abstract/facts/context.h"

/* What is asked about an evaluation, and the answer where no condition says it. */
struct error_query {
    struct where where;          /* it is evaluated */
    const struct expr *fact;     /* holds where it is evaluated (facts/range.h), or NULL */
    bool needs_unknown;          /* only failures that an unknown takes part in */
    const char *why_not;         /* set where the condition cannot be said */
    const char *why_not_visible; /* set where that of visible variables, behind a test that an
                                    unknown takes part in, cannot be said */
};

/* When evaluating does not fail; NULL = never fails. Over, and too weak, only where query->why_not
 * or query->why_not_visible is set. */
const struct expr *no_error_condition(struct context *context, struct error_query *query,
                                      const struct expr *expr);
/* The same of indices of removed arrays: what stands for such a read has the values of cells that are
 * there. */
const struct expr *access_condition(struct context *context, struct error_query *query,
                                    const struct expr *expr);
/* The guard with these conditions in the places where they protect. is_behind: a conjunct before it
 * that kept its failures away may no longer do so. *why_not is set if they cannot be said. */
const struct expr *protected_guard(struct context *context, struct where where,
                                   const struct expr *guard, bool is_behind, const char **why_not);

#endif
