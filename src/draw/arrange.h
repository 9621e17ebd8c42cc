/* ARRANGE - gives a place to everything in a diagram that has none, and lines to its edges. */
#pragma once

#include "draw/diagram.h"

/* Places nodes, lines (route.h) and notes (notes.h), and improves a small diagram. Everything has a
 * place then; what the file places stays. */
void diagram_arrange(struct diagram *diagram, struct arena *arena);
