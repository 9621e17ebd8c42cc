/* PARSE - from the texts of a document to a model tree with every name resolved.
 *
 * Each label and declaration is parsed on its own and recovers alone, so one run reports several
 * errors. Names are resolved while parsing; types are not looked at (check.h does).
 *
 * Errors: invalid text is STATUS_INVALID, a construct outside the timed-free language
 *         STATUS_UNSUPPORTED. Nesting is bounded by PARSE_MAX_DEPTH.
 * Source: UPPAAL.md sections 2 and 3.
 */
#ifndef VARABS_LANG_PARSE_H
#define VARABS_LANG_PARSE_H

#include "lang/ast.h"

enum { PARSE_MAX_DEPTH = 200 };

/* The model of a document; the tree is complete even if there were errors (see diag). */
struct model *model_parse(struct arena *arena, struct interner *names, struct document *document,
                          struct diag *diag);

#endif
