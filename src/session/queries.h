/* QUERIES - which queries a command looks at: those given, or else those of the document. */
#ifndef VARABS_SESSION_QUERIES_H
#define VARABS_SESSION_QUERIES_H

#include "session/session.h"

struct query_source {
    const char *text; /* a query, or the name of a file with queries */
    bool is_file;
    const char *name; /* for messages; then problems of the query are warnings. NULL = its own */
};

/* Between session_load and session_build: puts the queries given, or else the single ones of the
 * document, in place of those of the document. False after an error. */
bool session_choose_queries(struct session *session, const struct query_source *queries,
                            uint32_t count);
/* Opens a model for choosing removals: the single queries that the variables are kept for (given,
 * or else those of the document) are apart, those of the model are the document's. */
bool session_open_observed(struct session *session, const char *path,
                           const struct query_source *given, uint32_t given_count,
                           const struct query **queries, uint32_t *query_count);

#endif
