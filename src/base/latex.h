/* LATEX - text for LaTeX, such that it shows the text and does nothing else. */
#pragma once

#include "base/str.h"

/* Adds the text (UTF-8). Line ends become blanks; characters that its first fonts do not have are
 * written as U+4E2D. */
void latex_escape(struct buffer *out, struct str text);
