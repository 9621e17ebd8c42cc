/* STYLE - the colours of Uppaal's editor and of comparisons, for all forms of drawings.
 * Lifetime: texts are static, or borrowed from the document. Colours have the form #rrggbb. */
#pragma once

#include "draw/diagram.h"

/* "guard" */
const char *note_name(enum note_kind kind);
const char *note_colour(enum note_kind kind);
const char *mark_colour(enum draw_mark mark);

/* Colours of the document count, but not for an edge with a mark. */
const char *node_colour(const struct draw_node *node);
const char *edge_colour(const struct draw_edge *edge);

enum draw_dashes { DASHES_NONE, DASHES_SHORT, DASHES_LONG };
/* Long where the edge is removed, short where it is of a branchpoint or the environment. */
enum draw_dashes edge_dashes(const struct diagram *diagram, const struct draw_edge *edge);
