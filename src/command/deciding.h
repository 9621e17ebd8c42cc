/* DECIDING - what `varabs decide` is made of, between its options and its output.
 *
 * Runs of rounds come with drawings of the abstractions that have them until these fill
 * DECIDING_DRAWN bytes: a page stays small.
 *
 * The session is built for observed queries (session/queries.h); they are decided side by side, and
 * go to a report.
 *
 * Lifetime: in the arena of the session.
 * Errors:   go to the session's diag.
 */
#ifndef VARABS_COMMAND_DECIDING_H
#define VARABS_COMMAND_DECIDING_H

#include "page/page.h"
#include "refine/original.h"
#include "report/check/decide_report.h"
#include "session/queries.h"

enum { DECIDING_DRAWN = 384 * 1024 };

struct deciding {
    /* asked for */
    struct session *session;
    struct observed observed;
    const char *input; /* the name of the model's file, or NULL */
    const struct abstract_options *abstract;
    struct verify_options verify; /* its time is that of all queries together */
    bool has_no_looks;            /* at the model without removals */
    uint64_t look;                /* states of the first; 0 = as it suits */
    bool keeps_runs;              /* of rounds, which were looked for in the original */
    bool draws_runs;              /* and the abstractions that have them, for a page */
    /* called if they are there: before a round of a query of the report; and when there is news */
    void (*begin_round)(void *context, uint32_t query, uint32_t round);
    void (*tell)(void *context, const struct decide_report *report);
    void *context;
    /* made */
    struct decide_report report;
    struct refine_result *results; /* by query of the session */
    struct looks looks;
    struct learnt learnt;
    size_t drawn_size; /* bytes of drawings */
    struct original original;
    /* private */
    struct abstract_options strict;
    struct original_errors errors;
};

/* Close it behind the report. The exit status, apart from that of the diagnostics: the gravest of
 * the queries'. */
enum status deciding_run(struct deciding *deciding);
void deciding_close(struct deciding *deciding);
/* What was drawn, for its page; it lives in the arena of the session. */
const struct page_round *deciding_rounds(const struct deciding *deciding, uint32_t *count);

#endif
