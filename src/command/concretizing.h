/* CONCRETIZING - looks for the runs of the answers in the original (explore/compare/concretize.h).
 *
 * Lifetime: in the arena of the session.
 * Errors:   go to the diag of the original.
 */
#ifndef VARABS_COMMAND_CONCRETIZING_H
#define VARABS_COMMAND_CONCRETIZING_H

#include "report/check/check_report.h"
#include "session/session.h"

struct concretizing {
    struct session *session;             /* of the model that was checked */
    struct session *original;            /* loaded; it is built for the queries that have runs */
    const struct verify_options *verify; /* semantics and limits */
    const char **ignored;                /* names as for --ignore */
    uint32_t ignored_count;
};

/* Adds to a report what came of the runs of its verification. False (reported) if it cannot be
 * done; *status becomes that of a limit where one is met. */
bool concretizing_run(const struct concretizing *concretizing, struct check_report *report,
                      enum status *status);

#endif
