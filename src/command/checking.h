/* CHECKING - what `varabs check` is made of, between its options and its output.
 *
 * The session is built for the queries (session/queries.h). In order: checking_begin, verify,
 * checking_warn and checking_judge in either order.
 *
 * Errors: go to the session's diag.
 */
#ifndef VARABS_COMMAND_CHECKING_H
#define VARABS_COMMAND_CHECKING_H

#include "explore/verdict/verify.h"
#include "session/session.h"

/* Leaves out what is no query but declares something, and completes the options: everything is
 * explored where there is no query. False (reported) if a formula is asked for under semantics of
 * runs that it does not have; is_uppaal: these were named. */
bool checking_begin(struct session *session, struct verify_options *options, bool is_uppaal);
/* Whether the model has runtime errors, and whether a trace is missing. */
void checking_warn(struct session *session, const struct verification *verification);
/* The exit status, once everything is explored: what could not be decided comes first. */
enum status checking_judge(struct session *session, const struct verification *verification,
                           bool is_full);

#endif
