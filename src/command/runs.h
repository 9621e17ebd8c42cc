/* RUNS - what becomes of the runs that answer the queries of a check.
 *
 * Lifetime: in the arena of the session.
 */
#pragma once

#include "command/request.h"
#include "command/sink.h"
#include "report/check/check_report.h"

/* Looks for them in the original (explore/compare/concretize.h), which is loaded, and adds to the
 * report of the session what came of that. False (reported to the original) if it cannot be done;
 * *status becomes that of a limit where one is met. */
bool runs_concretize(struct session *session, struct session *original,
                     const struct command_request *request, const struct verify_options *options,
                     struct check_report *report, enum status *status);

/* The charts of all runs, for a page; count becomes how many there are. */
const struct page_chart *runs_charts(struct session *session,
                                     const struct verification *verification, uint32_t *count);

/* Leaves the charts and models of runs that are asked for; a run that has none is reported. */
void runs_leave(struct session *session, const struct command_request *request, struct sink *sink,
                const struct verification *verification);
