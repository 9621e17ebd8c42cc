/* LABEL - labels and comments of elements of the document. */
#pragma once

#include "abstract/emit/generator.h"

/* Sets, adds or removes the label of an element; NULL or empty text removes. */
void generate_label(struct generator *generator, const struct element *parent,
                    const struct element *before, const char *kind, const char *text, int x, int y);
/* The label of a kind that counts, or NULL. */
const struct element *find_label(const struct element *parent, const char *kind);
/* The markup of a new label, after an indent. */
struct str label_markup(struct generator *generator, struct str indent, const char *kind,
                        const char *text, int x, int y);
/* The blanks in front of an element on its line, with the line end. */
struct str indent_of(const struct generator *generator, const struct element *element);
/* The comment that an element has, with another one below. */
const char *join_comments(struct generator *generator, const struct element *parent,
                          const char *comment);
/* Adds a comment after another element of the parent, below one that is there, if that is asked
 * for (--comments). */
void generate_comment(struct generator *generator, const struct element *parent,
                      const struct element *before, const char *comment, int x, int y);
