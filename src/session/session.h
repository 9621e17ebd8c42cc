/* SESSION - what all commands start with: reads, parses, checks and instantiates a model.
 *
 * Lifetime: everything lives in the arena of the session, until session_close.
 * Errors:   go to the session's diag, which session_close prints. The arena and diag can be used
 *           after a failed session_load or session_open; close the session in any case.
 */
#ifndef VARABS_SESSION_SESSION_H
#define VARABS_SESSION_SESSION_H

#include "model/network.h"
#include "xml/document.h"
#include "xml/splice.h"

struct query_source {
    const char *text; /* a query, or the name of a file with queries */
    bool is_file;
    const char *name; /* for messages; then problems of the query are warnings. NULL = its own */
};

struct session {
    struct arena arena;
    bool is_stdin; /* the model comes from standard input */
    struct interner names;
    struct document document;
    struct diag diag;
    struct model *model;
    struct network *network;
    double start, read, checked; /* clock_seconds */
    uint32_t mark;               /* diag_mark: messages about the document as it is */
};
bool session_open(struct session *session, const char *path);
/* The same in two parts, for commands that change the document in between. */
bool session_load(struct session *session, const char *path);
bool session_build(struct session *session);
/* The first part for bytes in memory (borrowed); the name is for messages. */
bool session_load_bytes(struct session *session, const char *name, struct str bytes);
/* Between the two: puts the queries given, or else the single ones of the document, in place of
 * those of the document. False after an error. */
bool session_choose_queries(struct session *session, const struct query_source *queries,
                            uint32_t count);
/* Opens a model for choosing removals: the single queries that the variables are kept for (given,
 * or else those of the document) are apart, those of the model are the document's. */
bool session_open_observed(struct session *session, const char *path,
                           const struct query_source *given, uint32_t given_count,
                           const struct query **queries, uint32_t *query_count);
/* Goes on with what the document becomes by some splices, as if it had been read so: document,
 * model and network are new, what pointed into them (a request, say) has to be made again.
 * Diagnostics keep naming lines and columns of the file (xml/byte_map.h), and those that were
 * reported since the last building stay. The splices are on session->document, in its arena; texts
 * that are copied with splice_copy keep their places, other insertions have that of the insertion.
 * False (reported) if the result cannot be used. May be done several times. */
bool session_rewrite(struct session *session, struct splices *splices);
/* Prints the diagnostics, frees everything, returns the exit status. */
int session_close(struct session *session);
/* The same without printing. */
void session_drop(struct session *session);

#endif
