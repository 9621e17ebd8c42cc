/* MEANING - whether two conditions are the same wherever they can be asked, though their texts
 * differ: for all values that the analysis knows of what they read (X1).
 *
 * Lifetime: nothing is kept.
 * Errors:   none; past a budget, or with what is not evaluated here, the answer is no.
 */
#pragma once

#include "abstract/edge/open_edge.h"
#include "abstract/facts/context.h"

/* Compares two guards at the location of an open edge, whose selects they may read; NULL = true. An
 * evaluation that fails is the same as one that fails. Under. */
bool conditions_are_same(struct context *context, const struct open_edge *open,
                         const struct expr *left, const struct expr *right);
