#include "draw/style.h"

#include <string.h>

static const struct {
    const char *name, *colour;
} note_styles[NOTE_KINDS] = {
    [NOTE_NAME] = {"name", "#8b0000"},
    [NOTE_INVARIANT] = {"invariant", "#a000a0"},
    [NOTE_RATE] = {"exponential rate", "#a03060"},
    [NOTE_SELECT] = {"select", "#7a6800"},
    [NOTE_GUARD] = {"guard", "#007800"},
    [NOTE_SYNC] = {"synchronisation", "#006f8c"},
    [NOTE_UPDATE] = {"update", "#0000c8"},
    [NOTE_PROBABILITY] = {"probability", "#8b4513"},
    [NOTE_COMMENTS] = {"comments", "#707070"},
};

static const char *const mark_colours[] = {
    [MARK_SAME] = "#000000",
    [MARK_CHANGED] = "#d07000",
    [MARK_NEW] = "#00a030",
    [MARK_REMOVED] = "#d00000",
};

/* The color attribute, if it is one of the form #rrggbb. */
static const char *colour_of(const struct element *element, const char *otherwise) {
    const char *colour = element_attribute(element, "color");
    bool is_colour = colour && colour[0] == '#' && strlen(colour) == 7 &&
                     strspn(colour + 1, "0123456789abcdefABCDEF") == 6;
    return is_colour ? colour : otherwise;
}

const char *note_name(enum note_kind kind) { return note_styles[kind].name; }
const char *note_colour(enum note_kind kind) { return note_styles[kind].colour; }
const char *mark_colour(enum draw_mark mark) { return mark_colours[mark]; }

const char *node_colour(const struct draw_node *node) {
    return colour_of(node->xml->element, node->xml->is_branchpoint ? "#ffffff" : "#dde3f5");
}

const char *edge_colour(const struct draw_edge *edge) {
    const char *colour = mark_colour(edge->mark);
    return edge->mark == MARK_SAME ? colour_of(edge->xml->element, colour) : colour;
}

enum draw_dashes edge_dashes(const struct diagram *diagram, const struct draw_edge *edge) {
    if (edge->mark == MARK_REMOVED) return DASHES_LONG;
    bool is_apart = diagram->nodes[edge->source].xml->is_branchpoint || !edge->xml->is_controllable;
    return is_apart ? DASHES_SHORT : DASHES_NONE;
}
