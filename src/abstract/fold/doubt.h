/* DOUBT - of which edges no step is certain in a mixed abstraction, as an invariant may forbid it
 * (MX4).
 *
 * Where an invariant is not folded exactly, whether it holds depends on what was removed: for each
 * step that enters its location, and for each that writes what it reads, while some process stays
 * there.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/facts/context.h"

struct doubts;

/* Folds all invariants by the rules of the context. Call it before a round of folding: what is
 * known of reasons is forgotten. */
const struct doubts *doubts_find(struct context *context);
/* Over; false where the context has no doubts. */
bool edge_is_doubted(const struct context *context, const struct template *template,
                     const struct edge *edge);
/* Whether an edge that is enabled makes a step whatever it writes: no invariant reads it, and
 * nothing that fails is computed with it by who takes part. Under; the context has doubts. */
bool effects_are_free(const struct context *context, const struct template *template,
                      const struct edge *edge);
/* Whether update hooks write what an invariant reads that is not folded exactly: then no step is
 * certain. */
bool hooks_are_doubted(const struct context *context);
