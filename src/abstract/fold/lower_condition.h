/* LOWER_CONDITION - what the lower construction (lower.h) keeps of an edge, as a guard. */
#pragma once

#include "abstract/fold/lower.h"

/* Whether an edge leaves a location in which some variable of its template is removed. */
bool lower_concerns(const struct lower *lower, const struct template *template,
                    const struct edge *edge);

/* When the current tuple is among those for which the edge of an open edge stays; NULL = always. */
const struct expr *lower_condition(struct context *context, const struct lower *lower,
                                   const struct open_edge *open, const struct joint_values *joint);
