/* DECIDING - what `varabs decide` is made of, between its options and its output.
 *
 * The session is built for observed queries (session/queries.h); each is decided after the other,
 * and goes to a report.
 *
 * Lifetime: in the arena of the session.
 * Errors:   go to the session's diag.
 */
#ifndef VARABS_WORK_DECIDING_H
#define VARABS_WORK_DECIDING_H

#include "report/decide_report.h"
#include "session/queries.h"

struct deciding {
    /* asked for */
    struct session *session;
    struct observed observed;
    const char *input; /* the name of the model's file, or NULL */
    const struct abstract_options *abstract;
    struct verify_options verify; /* its time is that of all queries together */
    bool has_no_looks;            /* at the model without removals */
    uint64_t look;                /* states of the first; 0 = as it suits */
    /* called if they are there: before a query, which is the last of the report; before a round of
     * it; after one; and after a query */
    void (*begin_query)(void *context, const struct decide_report *report);
    void (*begin_round)(void *context, const struct decide_report *report, uint32_t number);
    void (*end_round)(void *context, const struct decide_report *report);
    void (*end_query)(void *context, const struct decide_report *report);
    void *context;
    /* made */
    struct decide_report report;
    struct looks looks;
    struct learnt learnt;
    double deadline; /* 0 = none */
};

/* The exit status, apart from that of the diagnostics: the gravest of the queries'. */
enum status deciding_run(struct deciding *deciding);

#endif
