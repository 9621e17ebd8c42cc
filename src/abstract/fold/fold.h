/* FOLD - from the open edges of a location to the edges of the abstraction (F3, F4).
 *
 * Residuals that are alike (same target, synchronisation, selects and update) make one class; the
 * may-fold gives each class one edge whose guard is the disjunction over its members, the must-fold
 * one whose guard says that for every joint value of the unknowns some member is enabled (U1). A
 * class is exact if both are the same (X1).
 *
 * Classes of one edge that differ only in a value that the update or synchronisation uses become
 * one edge with a select for that value.
 */
#pragma once

#include "abstract/fold/output.h"

struct lower;

/* Folds all edges that leave one location, by the rules of the context; open edges are in document
 * order. lower may be NULL unless the rules confine steps to lower sets. */
void fold_location(struct context *context, const struct lower *lower,
                   const struct blocked_channels *blocked, struct open_edge *const *open_edges,
                   uint32_t count, struct fold *fold);
