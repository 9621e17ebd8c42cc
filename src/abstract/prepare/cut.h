/* CUT - edits that take declarations and statements out of a text, with their lines. */
#pragma once

#include "lang/syntax/ast.h"
#include "xml/splice.h"

struct text_cuts {
    struct arena *arena;
    VEC(struct text_edit) list;
};

/* Puts something else (borrowed) in place of what is there. */
void cut_replace(struct text_cuts *cuts, position begin, position end, const char *text);

/* Takes out a whole declaration or statements, with their line if nothing else is on it. */
void cut_whole(struct text_cuts *cuts, const struct text *text, struct span span);

/* Takes out those declarators of a list, not all of them, that are gone. */
typedef bool (*cut_test)(const void *context, const struct symbol *symbol);
void cut_declarators(struct text_cuts *cuts, const struct declaration *declaration,
                     cut_test is_gone, const void *context);

/* Where a declaration ends with the comment after it that is its own: on the same line, which
 * holds nothing else. */
position cut_end_with_comment(const struct text *text, struct span span);
