/* SESSION - what all commands start with: reads, parses, checks and instantiates a model.
 *
 * Lifetime: everything lives in the arena of the session, until session_close.
 * Errors:   go to the session's diag, which session_close prints. The arena and diag can be used
 *           after a failed session_load or session_open; close the session in any case.
 */
#pragma once

#include "model/network.h"
#include "xml/document.h"
#include "xml/splice.h"

struct session {
    struct arena arena;
    bool is_stdin; /* the model comes from standard input */
    struct interner names;
    struct document document;
    struct xml_query *queries; /* of the document, each with those in its comment after it */
    uint32_t query_count;
    struct diag diag;
    struct model *model;
    struct network *network;
    double start, read;   /* clock_seconds */
    double check_seconds; /* of all models that were built */
    uint32_t mark;        /* diag_mark: messages about the document as it is */
};
bool session_open(struct session *session, const char *path);
/* Opens a session in two parts, for commands that change the document in between. */
bool session_load(struct session *session, const char *path);
bool session_build(struct session *session);
/* Between both parts: queries of the document that share a formula become elements of their own.
 * False (reported) if the result cannot be read. */
bool session_part_queries(struct session *session);
/* The second part with other queries than those of the document. */
bool session_build_with(struct session *session, const struct xml_query *queries, uint32_t count);
/* The first part for bytes in memory (borrowed); the name is for messages. */
bool session_load_bytes(struct session *session, const char *name, struct str bytes);
/* Goes on with what the document becomes by some splices, as if it had been read so: document,
 * model and network are new, what pointed into them (a request, say) has to be made again.
 * Diagnostics keep naming lines and columns of the file (xml/byte_map.h), and those that were
 * reported since the last building stay. The splices are on session->document, in its arena; texts
 * that are copied with splice_copy keep their places, other insertions have that of the insertion.
 * False (reported) if the result cannot be used. May be done several times. */
bool session_rewrite(struct session *session, struct splices *splices);
/* Prints the diagnostics, frees everything, returns the exit status. */
int session_close(struct session *session);
/* Closes a session without printing its messages. */
void session_drop(struct session *session);
