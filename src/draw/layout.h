/* LAYOUT - places for nodes of which the file has none: columns by distance from the initial
 * location, below what has a place. */
#ifndef VARABS_DRAW_LAYOUT_H
#define VARABS_DRAW_LAYOUT_H

#include "draw/diagram.h"

/* Needs the sizes of notes (notes.h). */
void layout_nodes(struct diagram *diagram, struct arena *arena);

#endif
