/* SUGGESTING - what `varabs suggest` is made of, between its options and its output.
 *
 * The session is built for observed queries (session/queries.h).
 *
 * Lifetime: in the arena of the session.
 * Errors:   none; what was not tried is not exact.
 */
#ifndef VARABS_COMMAND_SUGGESTING_H
#define VARABS_COMMAND_SUGGESTING_H

#include "refine/original.h"
#include "report/abstraction/suggest_report.h"
#include "session/queries.h"

struct suggesting {
    /* asked for */
    struct session *session;
    struct observed observed;
    const struct query_source *queries; /* that observed was made of */
    uint32_t query_count;
    const struct abstract_options *abstract;
    struct verify_options verify;                /* of measuring; limits that are 0 are chosen */
    bool is_long;                                /* measures for longer (--measure) */
    void (*tell)(uint32_t trial, uint32_t most); /* before each trial; or NULL */
    /* made */
    struct suggestion suggestion;
    struct exchanges exchanges;
    struct suggest_report report;
    /* private */
    struct abstract_options options;
    struct original original;
};

/* The exit status: STATUS_LIMIT if it was interrupted. */
enum status suggesting_run(struct suggesting *suggesting);
/* In any case; the report is gone. */
void suggesting_close(struct suggesting *suggesting);

#endif
