/* ERROR - when evaluating does not fail: the "no error" conditions of residual guards (F2). */
#pragma once

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"

/* A question when an evaluation fails, and the reason where no condition can answer it. */
struct error_query {
    struct where where;           /* it is evaluated */
    const struct expr *fact;      /* holds where it is evaluated (facts/range.h), or NULL */
    bool needs_unknown;           /* only failures that an unknown takes part in */
    bool only_accesses;           /* only failures of what unknowns stand for */
    const struct open_edge *open; /* what its unknowns stand for may fail, too; or NULL */
    const char *why_not;          /* set where the condition cannot be said */
    const char *why_not_visible;  /* set where that of visible variables, after a test that an
                                    unknown takes part in, cannot be said */
};

/* The condition under which evaluating the expression does not fail; NULL = it never fails. The
 * condition is too weak only where query->why_not or query->why_not_visible is set. */
const struct expr *no_error_condition(struct context *context, struct error_query *query,
                                      const struct expr *expr);
/* The condition under which indices of removed arrays are in bounds, and evaluating them does not
 * fail: an unknown has the values of cells that exist. */
const struct expr *access_condition(struct context *context, struct error_query *query,
                                    const struct expr *expr);
/* The guard with no-error conditions in front of the parts that may fail, what unknowns stand for
 * among them if that may fail. is_after: a conjunct before the guard, which kept failures away
 * from it, may no longer do so. *why_not is set if the conditions cannot be expressed. */
const struct expr *protected_guard(struct context *context, const struct open_edge *open,
                                   const struct expr *guard, bool is_after, bool accesses_fail,
                                   const char **why_not);
