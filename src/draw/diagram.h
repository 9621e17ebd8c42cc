/* DIAGRAM - a template as something to draw: nodes and edges with points, notes and marks.
 *
 * A diagram is filled in steps: diagram_read takes what the file says, compare_diagrams
 * (draw/compare.h) merges two, diagram_arrange (draw/arrange.h) gives a place to whatever has none
 * and turns edges into lines. Then paint_diagram (draw/paint.h) only looks at it.
 *
 * Units:     those of Uppaal's editor, y grows downwards; a note stands with its top left corner
 *            at its coordinates.
 * Lifetime:  everything lives in the arena given; texts of the document are borrowed.
 * Bounds:    coordinates beyond COORDINATE_MAX count as absent, so sums stay exact.
 */
#pragma once

#include "plane/scene.h"
#include "xml/document.h"

enum { NODE_RADIUS = 10, BRANCHPOINT_RADIUS = 4, LINE_HEIGHT = 16, FONT_SIZE = 12 };
enum { OLD_LINE_HEIGHT = 14, OLD_FONT_SIZE = 10 };

/* What a comparison says about an element; without one everything is the same. */
enum draw_mark { MARK_SAME, MARK_CHANGED, MARK_NEW, MARK_REMOVED };

/* In the order in which they stand beneath each other where the file has no coordinates. */
enum note_kind {
    NOTE_NAME,
    NOTE_INVARIANT,
    NOTE_RATE,
    NOTE_SELECT,
    NOTE_GUARD,
    NOTE_SYNC,
    NOTE_UPDATE,
    NOTE_PROBABILITY,
    NOTE_COMMENTS,
    NOTE_KINDS
};

/* Text cut into lines, with estimates of the space it takes. */
struct lines {
    struct str *items;
    uint32_t count, text_count;       /* text_count: without those that wrapping adds */
    double width, most_width, height; /* most_width: in the widest font that may be used */
    bool is_right; /* they end at the right side of their box, however wide they are */
};

/* A name or label. */
struct note {
    enum note_kind kind;
    enum draw_mark mark;
    struct str text, old; /* old: the text before, where the mark is MARK_CHANGED */
    struct lines lines, old_lines;
    bool is_placed; /* at is set */
    struct point at;
};

struct notes {
    struct note *items;
    uint32_t count;
};

struct draw_node {
    const struct xml_location *xml;
    enum draw_mark mark;
    bool is_initial, is_placed;
    struct point at;
    struct notes notes;
};

struct draw_edge {
    const struct xml_transition *xml;
    enum draw_mark mark;
    uint32_t source, target;
    uint32_t number, old_number; /* in its template, from 1; in a comparison in the second model's
                                    and in the first's; 0 = it is not there */
    struct notes notes;
    struct point *points; /* from the file: its nails; arranged: the line from end to end */
    uint32_t point_count;
    bool is_free;         /* arranged: the file has no nails */
    bool is_curve;        /* arranged: the line is not where the editor has it */
    struct point middle;  /* of the line */
    int bulge_x, bulge_y; /* to which side labels go: -1, 0, 1 */
};

struct diagram {
    struct draw_node *nodes;
    struct draw_edge *edges;
    uint32_t node_count, edge_count;
    uint32_t initial;
};

void diagram_read(struct diagram *diagram, const struct xml_template *template,
                  struct arena *arena);

double node_radius(const struct draw_node *node);
