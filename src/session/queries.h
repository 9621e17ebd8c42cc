/* QUERIES - which queries a command looks at: those given, or else those of the document. */
#pragma once

#include "session/session.h"

struct query_source {
    const char *text; /* a query, or the name of a file with queries */
    bool is_file;
    const char *name; /* for messages; then problems of the query are warnings. NULL = its own */
};

/* After session_load: builds the model with the queries given, or else the single ones of the
 * document, for its queries. False after an error. */
bool session_build_for(struct session *session, const struct query_source *queries, uint32_t count);

/* Whether a text says what agents there are, or what they observe. */
bool query_declares_agents(struct session *session, const struct xml_query *query);

/* The same, and besides the queries given what the document says of agents: what an agent observes
 * is part of the model. */
bool session_build_asked(struct session *session, const struct query_source *queries,
                         uint32_t count);

/* The single queries that variables are kept for. */
struct observed {
    struct query *items;
    uint32_t count;
};
/* After session_load, for choosing removals: what is observed (the queries given, or else those of
 * the document) is apart, the queries of the model are the document's. */
bool session_build_observed(struct session *session, const struct query_source *given,
                            uint32_t given_count, struct observed *observed);

/* All of them as one text, one a line. */
const char *queries_as_text(struct arena *arena, const struct query *queries, uint32_t count);

/* Whether something is asked that can be read. */
static inline bool is_asked_query(const struct query *query) {
    return query->quantifier != QUERY_EMPTY && query->quantifier != QUERY_INVALID;
}
/* Writes queries of another model of the same document into the document, after its own, where
 * they follow what is renamed; with them what was said of agents beside the document. False after
 * an error. */
bool session_write_queries(struct session *session, const struct model *from);
/* The elements of what was said of agents beside the document of a model. */
void queries_add_given(struct arena *arena, struct buffer *markup, const struct model *model);
/* Builds the model with the last queries of the document alone, and what it says of agents. */
bool session_build_last(struct session *session, uint32_t count);
