/* RUN MODEL - a model in which only one run is possible, for the simulators of other tools.
 *
 * It is the model with an observer: a variable that counts the steps, which whoever sends or moves
 * alone in a step sets, and guards that allow each edge in the steps in which the run has it, with
 * the values of its selects, to the process that takes it, known by its parameters. Where these do
 * not tell processes apart, each instance of a template (A = P(x)) gets a number as a parameter
 * more. All else of the document stays as it is. What was made is explored: there is a model only
 * if its state graph is the run, state by state.
 *
 * Lifetime: the result lives in the arena of the session.
 * Errors:   STATUS_UNSUPPORTED for a run that cannot be forced so, STATUS_LIMIT for one of more
 * than RUN_MODEL_STEPS steps.
 */
#pragma once

#include "explore/verdict/verify.h"
#include "session/session.h"

enum { RUN_MODEL_STEPS = 20000 };

/* The run is one of the session's network; observer: a name that is not in the model. False
 * (reported). */
bool run_model_make(struct str *model, struct session *session, const struct trace *run,
                    const char *observer);
