/* MDOC - texts as mdoc, the language of manual pages.
 *
 * Texts are what Markdown calls a paragraph; `code` in them becomes bold, and of [a](link) its
 * first part, which has no blanks, stays. Documents know besides: ## and ### headings, "- " and "1.
 * " lists whose items have no blank lines between, tables, and code that is indented by four
 * blanks. Their title (#) is left out, as manual pages have one of their own.
 *
 * Lifetime: nothing is kept.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Words after a macro, such as .It, on its line. */
void mdoc_arguments(FILE *file, const char *text, size_t size);
/* A paragraph: wrapped, each sentence on a line of its own. */
void mdoc_text(FILE *file, const char *text);
/* Lines as they are. */
void mdoc_literal(FILE *file, const char *text);
/* Of a document what stands before its first section; is_after: another paragraph. */
void mdoc_introduction(FILE *file, const char *markdown, bool is_after);
/* The rest of it: sections. */
void mdoc_sections(FILE *file, const char *markdown);
