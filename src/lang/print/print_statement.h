/* PRINT STATEMENT - declarations and functions back to text, as print.h does expressions. */
#ifndef VARABS_LANG_PRINT_PRINT_STATEMENT_H
#define VARABS_LANG_PRINT_PRINT_STATEMENT_H

#include "lang/print/print.h"

/* With a line end; indent is in steps of four blanks. */
void print_declaration(struct buffer *out, const struct declaration *declaration, int indent);
/* As between parentheses: "const int a, bool &b". */
void print_parameters(struct buffer *out, struct symbol *const *parameters, uint32_t count);

#endif
