/* SINK - where a command leaves what comes of it: files and a terminal (cli/output.h), or parts of
 * the result of a job (api/job_internal.h).
 *
 * Invariants: one process, one command at a time; what it is at may be told in any thread.
 */
#pragma once

#include "abstract/facts/rules.h"
#include "explore/space/space.h"
#include "page/page.h"
#include "session/session.h"

enum made_part {
    PART_OUTPUT, /* a model or drawing */
    PART_JSON,
    PART_MESSAGES,
    PART_SECOND_MESSAGES,
    PART_EXACT,
    PART_PAGE,
    PART_CHARTS, /* of runs, each by the number of its query from 0 */
    PART_RUN_MODELS,
    PART_CODE, /* in C, that the output includes */
    PART_CSV,  /* tables */
    PART_LATEX,
    PART_COUNT
};

struct sink {
    /* What is done from now on. */
    void (*say)(const char *text);
    /* For search_options: how far it is, with a context that is a text or NULL. */
    void (*search)(void *context, const struct search_figures *figures);
    /* From here on the command ends early with what it knows by then, if that is asked for. */
    void (*defer)(void);
    /* Whether what is to be written can be, as far as that is known before the work. False
     * (reported). */
    bool (*is_ready)(struct sink *sink, struct session *session);
    /* Text goes here amid the work, between hold and release; or NULL, then the two may be, too. */
    FILE *live;
    void (*hold)(void);
    void (*release)(void);
    /* Leaves a part; number: of one that there are several of. False (reported). */
    bool (*put)(struct sink *sink, enum made_part part, uint32_t number, struct str bytes,
                struct diag *diag);
    /* Leaves the result, which is given up, and a page of it if there is to be one. False
     * (reported). */
    bool wants_result;
    bool (*leave)(struct sink *sink, json_t *result, struct result_page page,
                  struct session *session);
    /* Where the result goes as text after that, or NULL. */
    FILE *(*text)(struct sink *sink, bool is_written);
    /* Leaves the messages, and closes the sessions, of which the second one may be NULL. The status
     * in the end. */
    enum status (*end)(struct sink *sink, struct session *first, struct session *second,
                       enum status status);
    /* What names of files depend on, from the command before is_ready: the kind of an abstraction,
     * the number of queries, and the report that certify takes, if any. */
    enum mode mode;
    bool is_favouring; /* for a coalition alone (--favour) */
    uint32_t query_count;
    const char *report;
    /* And from is_ready: what abstract writes, that file and this report, as they are named; what
     * export calls the code. NULL: there are none. */
    const char *output, *code;
};

/* A sink that is silent and keeps no part, but wants the result: where that goes, leave and end
 * say.
 */
struct sink sink_silent(void);
/* For one command: what follows goes to it. */
void sink_begin(const struct sink *sink);
/* Says what is done from now on. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* That so many parts of equal work are done, and when the others will be, as a guess. */
void tell_part(const char *what, uint32_t done, uint32_t count, double begin);
/* The same, for what calls such functions. */
void tell_stage(const char *stage);
void tell_trial(uint32_t trial, uint32_t most);

/* Leaves a result, NULL if none is wanted. Where it goes as text, or NULL. */
FILE *sink_leave(struct sink *sink, json_t *result, struct result_page page,
                 struct session *session);
/* Whether work that knows nothing until it is done was not asked to end; else an error says so. */
bool sink_is_in_time(struct diag *diag);
