/* PARSE - from the texts of a document to a model tree with every name resolved.
 *
 * Each label and declaration is parsed on its own and recovers alone, so one run reports several
 * errors. Names are resolved while parsing; types are not looked at (check.h does).
 *
 * Errors: invalid text is STATUS_INVALID, a construct outside the language of untimed models
 *         STATUS_UNSUPPORTED. Nesting is bounded by PARSE_MAX_DEPTH.
 * Source: the grammar of Uppaal's Language Reference, as its parser has it.
 */
#pragma once

#include "lang/syntax/ast.h"

enum { PARSE_MAX_DEPTH = 200 };

/* The model of a document; the tree is complete even if there were errors (see diag). */
struct model *model_parse(struct arena *arena, struct interner *names, struct document *document,
                          struct diag *diag);
/* The same with other queries than those of the document. */
struct model *model_parse_with(struct arena *arena, struct interner *names,
                               struct document *document, const struct xml_query *queries,
                               uint32_t query_count, struct diag *diag);

/* For what joins a model that is parsed already: a type or an expression with the names that a
 * template (NULL: none, the global ones) declares, and a variable among them. Quantifiers count on
 * from *frame_size, which grows. NULL after an error. */
struct type *model_parse_type(struct model *model, struct template *template,
                              const struct text *text);
struct expr *model_parse_expr(struct model *model, struct template *template,
                              const struct text *text, uint32_t *frame_size);
/* The expressions in a list, such as "x, y + 1", with the names that an edge of the template has,
 * its selects among them. False after an error. */
bool model_parse_edge_values(struct model *model, struct template *template, struct edge *edge,
                             const struct text *text, struct expr_list *values);
/* The name must be free there. The declaration has no place in the document. */
struct symbol *model_add_variable(struct model *model, struct template *template, const char *name,
                                  struct type *type);
