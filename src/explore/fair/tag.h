/* TAG - names that edges are given in their comments, for actions (rule R2.2).
 *
 * A comments label may hold `@name` and `@name(expression, ...)` among free text. Nothing else of
 * an edge has a name that survives editing, and Uppaal keeps comments as they are.
 *
 * Lifetime: tags point into the text.
 */
#pragma once

#include "lang/syntax/ast.h"

struct tag {
    struct str name;       /* without the @ */
    struct text arguments; /* between the parentheses */
    bool has_arguments;
    bool is_open; /* its parenthesis is never closed */
};

/* The next tag from a place in the comments of an edge on, which moves after it; false if there is
 * none. Start with 0. */
bool tag_next(const struct edge *edge, size_t *at, struct tag *tag);

/* Reads the arguments in the scope of the tag's edge; false (reported) if some cannot be used. */
bool tag_read_values(const struct tag *tag, struct arena *arena, struct model *model,
                     struct template *template, struct edge *edge, struct expr_list *values);

/* Whether an edge has a tag of the name. */
bool edge_has_tag(const struct edge *edge, struct str name);
/* Whether two edges have the same tags with the same arguments, in the same order. */
bool edge_tags_are_same(const struct edge *one, const struct edge *other);
/* Whether the arguments of a tag of the edge have the name in them. */
bool edge_tags_mention(const struct edge *edge, struct str name);
