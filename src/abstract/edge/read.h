/* READ - expressions in which unknowns stand for what is removed. */
#pragma once

#include "abstract/edge/unknown.h"

/* Rewrites an expression that is evaluated, with unknowns for removed variables; sets
 * rewriter->why_not where that cannot be said. */
const struct expr *rewrite_read(struct rewriter *rewriter, const struct expr *expr);
/* The indices of a path rewritten, its variable kept. */
const struct expr *rewrite_indices(struct rewriter *rewriter, const struct expr *expr);
