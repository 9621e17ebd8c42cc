/* QUERY TEXT - queries as text: from the document, the command line or a query file.
 *
 * A line end closes a query, as in Uppaal, unless a backslash stands before it or it lies within a
 * comment. Many a formula in the wild has line ends inside: one where a query cannot end (a
 * parenthesis is open, an operand is to come), or after which none can begin, is left out.
 *
 * Errors: a problem of a query is an error only if the query was given on the command line; one
 *         in the document is a warning, because Uppaal opens the model all the same.
 * Source: Uppaal's help, Requirement Specification.
 */
#pragma once

#include "lang/syntax/ast.h"

struct query_texts {
    struct arena *arena;
    VEC(struct xml_query) list;
};

/* Adds the queries that a text holds; comments alone are none. */
void query_texts_add(struct query_texts *texts, const struct text *text, bool is_given);

/* A formula without comments and on one line, as reports show it. */
char *query_formula(struct arena *arena, struct str text);

/* Whether a line of a comment begins with "varabs:": it is a query while its element has no
 * formula. */
bool is_query_line(struct str line, struct str *rest);

/* The text of a comment without such lines: "// " stands before each. */
struct str comment_without_queries(struct arena *arena, struct str text);

/* Notes and reports why a query cannot be used. */
void query_reject(struct query *query, enum status status, position at, const char *message,
                  struct diag *diag);
