/* SETTLE - finds places for what the file does not place: names, loops with their labels, and
 * labels. */
#ifndef VARABS_DRAW_SETTLE_H
#define VARABS_DRAW_SETTLE_H

#include "draw/diagram.h"

void settle_notes(struct diagram *diagram, struct arena *arena);

#endif
