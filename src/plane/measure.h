/* MEASURE - how wide a line of text is, in a font without serifs. */
#pragma once

#include "base/str.h"

/* Of a line in UTF-8, in a font of that size: as in Arial. */
double text_width(struct str line, double font_size);
/* The same in the widest font that may stand in for it. */
double text_most_width(struct str line, double font_size);
