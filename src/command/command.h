/* COMMAND - the commands, for program and library alike.
 *
 * A command takes a request and leaves what comes of it in a sink: a row of COMMANDS and a file of
 * its word, with a function of that name.
 *
 * Lifetime: what is made lives in the arenas of the sessions, which the end of the sink closes.
 * Errors:   go to the diags of the sessions.
 */
#pragma once

#include "command/request.h"
#include "command/sink.h"

/* name, letter in the column of OPTIONS (cli/table.h), word, and what its function of the library
 * takes (api/runs.c): one job (ALONE), two (BOTH), or something of its own (OWN). The first one has
 * no word on the command line. */
#define COMMANDS(X)                                                                                \
    X(ABSTRACT, 'A', abstract, OWN)                                                                \
    X(INFO, 'I', info, ALONE)                                                                      \
    X(SUGGEST, 'S', suggest, ALONE)                                                                \
    X(DECIDE, 'Q', decide, ALONE)                                                                  \
    X(CHECK, 'C', check, ALONE)                                                                    \
    X(CERTIFY, 'E', certify, OWN)                                                                  \
    X(REFINES, 'R', refines, BOTH)                                                                 \
    X(GRID, 'G', grid, OWN)                                                                        \
    X(DRAW, 'D', draw, OWN)                                                                        \
    X(EXPORT, 'X', export, OWN)
enum command {
#define X(name, letter, word, library) COMMAND_##name,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
};

/* What the end of the sink makes of the status; unless messages have one of their own, it is that
 * of the result. */
#define X(name, letter, word, library)                                                             \
    enum status command_##word(const struct command_request *request, struct sink *sink);
COMMANDS(X)
#undef X

/* Any of them. */
enum status command_run(enum command command, const struct command_request *request,
                        struct sink *sink);

/* ---- what they share ---- */

/* What a search may take where nobody said: most of the memory that is left, and all processors.
 * Both get their values if they are 0; memory never more than is left. */
void limits_complete(struct search_options *search);
/* Memory alone, for what works on one processor. */
void limits_complete_memory(struct search_options *search);
/* After the reading, which has taken some of the time; from now on the search looks at the
 * clock. */
void limits_take_time(struct search_options *search);

/* Reads a model as it stands. False (reported). */
bool command_read(struct session *session, const struct model_source *source);
/* The same, and each query becomes an element of its own. */
bool command_load(struct session *session, const struct model_source *source);
/* A page of the kind about the models of a request; second: NULL if that is not shown. */
struct result_page command_page(const char *kind, const struct command_request *request,
                                const struct session *first, const struct session *second);
