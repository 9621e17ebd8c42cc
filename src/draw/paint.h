/* PAINT - an arranged diagram in the colours of Uppaal's editor.
 *
 * In comparisons what is new is green, what is gone red and dashed, an edge with changed labels
 * orange; changed labels stand on yellow, with the text before struck through beneath them.
 */
#pragma once

#include "draw/svg.h"

/* False if the text would get longer than most bytes. */
bool paint_diagram(struct svg *svg, const struct diagram *diagram, size_t most);

/* What the marks mean, with its top left corner at the point given. */
void paint_legend(struct svg *svg, struct point at, struct arena *arena);
