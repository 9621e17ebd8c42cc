/* COMMAND - the commands, for program and library alike.
 *
 * A command takes a request and leaves what comes of it in a sink: a row of COMMANDS and a file of
 * its word, with a function of that name.
 *
 * Lifetime: what is made lives in the arenas of the sessions, which the end of the sink closes.
 * Errors:   go to the diags of the sessions.
 */
#ifndef VARABS_COMMAND_COMMAND_H
#define VARABS_COMMAND_COMMAND_H

#include "command/request.h"
#include "command/sink.h"

/* name, letter in the column of OPTIONS (cli/table.h), word. The first one has no word on the
 * command line. */
#define COMMANDS(X)                                                                                \
    X(ABSTRACT, 'A', abstract)                                                                     \
    X(INFO, 'I', info)                                                                             \
    X(SUGGEST, 'S', suggest)                                                                       \
    X(DECIDE, 'Q', decide)                                                                         \
    X(CHECK, 'C', check)                                                                           \
    X(CERTIFY, 'E', certify)                                                                       \
    X(REFINES, 'R', refines)                                                                       \
    X(GRID, 'G', grid)                                                                             \
    X(DRAW, 'D', draw)                                                                             \
    X(EXPORT, 'X', export)

enum command {
#define X(name, letter, word) COMMAND_##name,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
};

/* What the end of the sink makes of the status; unless messages have one of their own, it is that
 * of the result. */
#define X(name, letter, word)                                                                      \
    enum status command_##word(const struct command_request *request, struct sink *sink);
COMMANDS(X)
#undef X

/* Any of them. */
enum status command_run(enum command command, const struct command_request *request,
                        struct sink *sink);

/* ---- what they share ---- */

/* Reads a model. False (reported). */
bool command_load(struct session *session, const struct model_source *source);
/* A page of the kind about the models of a request; second: NULL if that is not shown. */
struct result_page command_page(const char *kind, const struct command_request *request,
                                const struct session *first, const struct session *second);

#endif
