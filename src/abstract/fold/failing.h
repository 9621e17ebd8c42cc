/* FAILING - removed values with which a step certainly ends in an error (F2).
 *
 * No-error conditions speak of the source state, before any update of the step. Where the update
 * has become a function, or starts with what another process has just written, they cannot say
 * everything. There the edge is run as it was: if with the values of a tuple every run fails,
 * whatever visible variables hold, the original has no such step, and the residual goes. Where the
 * ranges of variables show that no update fails while the guard holds, nothing is run.
 *
 * Lifetime: made by the first question; failures_close frees what is not in the context's arena.
 * Errors:   none; past a budget nothing is certain.
 */
#pragma once

#include "abstract/fold/joint.h"

/* Runs with one tuple, of one process; runs and loop rounds for one open edge; values of one
 * unknown. */
enum { FAILURE_MAX_RUNS = 1000, FAILURE_MAX_WORK = 1 << 18, FAILURE_MAX_VALUES = 1 << 14 };
/* For pairs of values: how many values the other one of a pair may have; how many an unknown may
 * have, or only the ends of its range are looked at; and work for one open edge. */
enum { PAIR_MAX_VALUES = 16, PAIR_MAX_BETWEEN = 64, PAIR_MAX_WORK = 1 << 16 };

/* Under: whether the edge fails wherever it is enabled with the values of the current tuple. The
 * open edge may_fail. */
bool step_certainly_fails(struct context *context, struct open_edge *open,
                          const struct joint_values *joint);

/* Takes from the chosen unknowns the values with which the step certainly fails; over: others stay
 * that do, too. */
void drop_failing_choices(struct context *context, struct open_edge *open);

/* Where the update has become a function: finds values of an unknown that must not meet one of a
 * select, of a visible variable or of another unknown, as the step then certainly fails. Under:
 * nothing is said of three that meet, nor past a budget; nor where the edge is urgent, receives a
 * broadcast or leaves a branchpoint, as a guard does more there than to keep steps out. */
void find_failing_pairs(struct context *context, struct open_edge *open);

void failures_close(struct context *context);
