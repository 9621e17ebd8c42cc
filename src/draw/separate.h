/* SEPARATE - moves labels that the file places off each other, as little as possible. Names and
 * nodes stay where they are. */
#ifndef VARABS_DRAW_SEPARATE_H
#define VARABS_DRAW_SEPARATE_H

#include "draw/diagram.h"

/* Whether there is so little that trying many places takes no time worth mentioning. */
bool diagram_is_small(const struct diagram *diagram);
void separate_notes(struct diagram *diagram, struct arena *arena);

#endif
