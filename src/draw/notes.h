/* NOTES - names and labels: lines, the space they take, and where they go. */
#pragma once

#include "draw/diagram.h"

/* The text in lines of about that width at most, for a font of FONT_SIZE; what is far too long is
 * cut. */
struct lines lines_of(struct arena *arena, struct str text, double width);
/* Cuts all notes into lines; the sizes are known then. */
void measure_notes(struct diagram *diagram, struct arena *arena);
/* With the text before beneath it. */
struct point note_size(const struct note *note);
/* Extent of the block of an edge's notes that have no coordinates; 0 without such. */
struct point block_size(const struct notes *notes);
/* Places the notes that have no coordinates beside their nodes and lines, which have places. */
void place_notes(struct diagram *diagram);
/* Puts the notes that have no coordinates beneath each other. */
void place_block(struct notes *notes, struct text_place place, double width);
