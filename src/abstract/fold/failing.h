/* FAILING - removed values with which a step certainly ends in an error (F2).
 *
 * No-error conditions speak of the source state, before any update of the step. Where the update
 * has become a function, or starts with what another process has just written, they cannot say
 * everything. There the edge is run as it was: if with the values of a tuple every run fails,
 * whatever visible variables hold, the original has no such step, and the residual goes.
 *
 * Lifetime: made by the first question; failures_close frees what is not in the context's arena.
 * Errors:   none; past a budget nothing is certain.
 */
#ifndef VARABS_ABSTRACT_FOLD_FAILING_H
#define VARABS_ABSTRACT_FOLD_FAILING_H

#include "abstract/fold/joint.h"

/* Runs with one tuple, of one process; runs and loop rounds for one open edge; values of one
 * unknown. */
enum { FAILURE_MAX_RUNS = 1000, FAILURE_MAX_WORK = 1 << 18, FAILURE_MAX_VALUES = 1 << 14 };

/* Under: whether the edge of an open edge that may_fail does so wherever it is enabled with the
 * values of the current tuple. */
bool step_certainly_fails(struct context *context, struct open_edge *open,
                          const struct joint_values *joint);

/* Takes from the unknowns that are chosen the values with which it does so; over, what is left. */
void drop_failing_choices(struct context *context, struct open_edge *open);

void failures_close(struct context *context);

#endif
