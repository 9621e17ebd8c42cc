/* See arrange.h. */
#include "draw/arrange.h"

#include "base/debug.h"
#include "draw/layout.h"
#include "draw/notes.h"
#include "draw/route.h"
#include "draw/separate.h"
#include "draw/settle.h"

#include <assert.h>

/* That lines go from end to end. */
static void diagram_check(const struct diagram *diagram) {
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        assert(edge->point_count > 1);
        assert(edge->source < diagram->node_count && edge->target < diagram->node_count);
    }
}

void diagram_arrange(struct diagram *diagram, struct arena *arena) {
    measure_notes(diagram, arena);
    layout_nodes(diagram, arena);
    route_edges(diagram, arena);
    place_notes(diagram);
    DEBUG_CHECK(diagram_check(diagram));
    if (!diagram_is_small(diagram)) return;
    separate_notes(diagram, arena);
    settle_notes(diagram, arena);
}
