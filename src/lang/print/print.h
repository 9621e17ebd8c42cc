/* PRINT - from trees back to text, with the fewest parentheses.
 *
 * Parsing what was printed gives the same tree (parse o print o parse is the identity): words
 * stay words, := stays :=. Generated nodes may hold negative numbers; they print as -n.
 */
#pragma once

#include "base/str.h"
#include "lang/syntax/ast.h"

void print_expr(struct buffer *out, const struct expr *expr);

/* The base type as it stands before a declared name: "const int[0,3]", "T", "struct { ... }". */
void print_base_type(struct buffer *out, const struct type *type);
char *expr_text(const struct expr *expr, struct arena *arena);
/* A declared name with its array brackets: "a[2][T]". */
void print_declarator(struct buffer *out, const char *name, const struct type *type);
/* "int[0,2]", "bool", "T[3]": a type as it is declared, without a name. */
char *type_text(const struct type *type, struct arena *arena);
/* The base below all array dimensions. */
const struct type *type_base(const struct type *type);

/* The operator as text: "&&", "+=", ...; words where is_word. */
const char *op_text(enum op op, bool is_word);
