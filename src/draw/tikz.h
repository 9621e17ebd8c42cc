/* TIKZ - an arranged diagram as a picture of TikZ, where SVG has it and in the same colours
 * (draw/paint.h).
 *
 * A document has one picture for each template, each on a page of its own: pdflatex makes a PDF of
 * it that papers include. Colours and styles are defined once, at its head.
 */
#pragma once

#include "draw/diagram.h"

/* What stands before all pictures, and after them. */
void tikz_begin(struct buffer *out, bool is_comparison);
void tikz_end(struct buffer *out);

/* A picture with its title. False if the text would get longer than most bytes. */
bool tikz_add(struct buffer *out, const struct diagram *diagram, struct str title, size_t most);
