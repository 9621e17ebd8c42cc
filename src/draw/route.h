/* ROUTE - the lines of edges: through their nails; without such as bends and loops that keep apart.
 */
#pragma once

#include "draw/diagram.h"

/* Gives every edge a line; nodes have places, notes have sizes. */
void route_edges(struct diagram *diagram, struct arena *arena);
/* Cuts the ends of an edge off at the rims of its nodes, and finds its middle. */
void finish_edge(const struct diagram *diagram, struct draw_edge *edge);
