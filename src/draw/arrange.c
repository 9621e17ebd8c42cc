/* See arrange.h. */
#include "draw/arrange.h"

#include "draw/layout.h"
#include "draw/notes.h"
#include "draw/route.h"
#include "draw/separate.h"
#include "draw/settle.h"

void diagram_arrange(struct diagram *diagram, struct arena *arena) {
    measure_notes(diagram, arena);
    layout_nodes(diagram, arena);
    route_edges(diagram, arena);
    place_notes(diagram);
    if (!diagram_is_small(diagram)) return;
    separate_notes(diagram, arena);
    settle_notes(diagram, arena);
}
