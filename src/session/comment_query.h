/* COMMENT QUERY - queries that Uppaal does not know, in comments of queries without a formula.
 *
 * Each stands behind "varabs:" at the beginning of a line, and goes on up to an empty line or the
 * next of them. It is an element of its own, with the comment as its host, so that it is changed
 * like any other query; one whose comment is written with CDATA or entities ends at byte 0, until
 * a session has written the comment as plain text.
 *
 * Lifetime: in the arena of the texts.
 */
#ifndef VARABS_SESSION_COMMENT_QUERY_H
#define VARABS_SESSION_COMMENT_QUERY_H

#include "lang/syntax/query_text.h"
#include "xml/document.h"

/* All queries of the document, each followed by those in its comment. */
void document_queries(struct query_texts *texts, const struct document *document);

static inline bool is_fixed_query(const struct xml_query *query) {
    return query->host && !query->formula->end;
}

#endif
