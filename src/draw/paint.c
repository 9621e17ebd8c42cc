#include "draw/paint.h"

#include "draw/notes.h"
#include "draw/style.h"

#include <math.h>

enum { STYLE_SIZE = 160, ARROW_LENGTH = 9, ARROW_HALF = 4 };

static const char *const mark_names[] = {
    [MARK_SAME] = "",
    [MARK_CHANGED] = "changed: ",
    [MARK_NEW] = "new: ",
    [MARK_REMOVED] = "removed: ",
};

/* What highlights a label. */
static const char *const mark_grounds[] = {
    [MARK_CHANGED] = "fill=\"#fff0a0\" stroke=\"none\"",
    [MARK_NEW] = "fill=\"#dcf5dc\" stroke=\"none\"",
};

/* ---- tooltips ---- */

static void add_cut(struct buffer *text, struct str part) {
    enum { MOST = 2000 };
    size_t size = part.size;
    if (size > MOST) {
        size = MOST;
        while (size && ((unsigned char)part.data[size] & 0xC0) == 0x80) size--;
    }
    buffer_add(text, part.data, size);
    if (size < part.size) buffer_add_text(text, "...");
}

static void add_node_name(struct buffer *text, const struct draw_node *node) {
    for (uint32_t i = 0; i < node->notes.count; i++)
        if (node->notes.items[i].kind == NOTE_NAME) {
            add_cut(text, str_trim(node->notes.items[i].text));
            return;
        }
    buffer_add_text(text, node->xml->is_branchpoint ? "branchpoint" : "location");
    buffer_add_text(text, " ");
    add_cut(text, str_of(node->xml->id));
}

static void add_notes(struct buffer *text, const struct notes *notes) {
    for (uint32_t i = 0; i < notes->count; i++) {
        const struct note *note = &notes->items[i];
        buffer_printf(text, "\n%s%s: ", mark_names[note->mark], note_name(note->kind));
        if (note->mark == MARK_CHANGED) {
            add_cut(text, str_trim(note->old));
            buffer_add_text(text, "  \xE2\x86\x92  ");
        }
        add_cut(text, str_trim(note->text));
    }
}

static void add_title(struct svg *svg, struct buffer *text) {
    buffer_add_text(&svg->text, "<title>");
    svg_escaped(svg, (struct str){text->data, text->size});
    buffer_add_text(&svg->text, "</title>");
    text->size = 0;
}

static void node_title(struct svg *svg, const struct draw_node *node, struct buffer *text) {
    buffer_add_text(text, mark_names[node->mark]);
    add_node_name(text, node);
    if (node->is_initial) buffer_add_text(text, ", initial");
    if (node->xml->is_committed) buffer_add_text(text, ", committed");
    if (node->xml->is_urgent) buffer_add_text(text, ", urgent");
    add_notes(text, &node->notes);
    add_title(svg, text);
}

static void add_ends(struct buffer *text, const struct diagram *diagram,
                     const struct draw_edge *edge) {
    buffer_add_text(text, mark_names[edge->mark]);
    add_node_name(text, &diagram->nodes[edge->source]);
    buffer_add_text(text, " \xE2\x86\x92 ");
    add_node_name(text, &diagram->nodes[edge->target]);
}

/* ---- edges and nodes ---- */

static double distance(struct point a, struct point b) { return hypot(b.x - a.x, b.y - a.y); }

/* Points where the last stretch of the line, as long as the head, ends. */
static void paint_arrow(struct svg *svg, const struct draw_edge *edge, const char *colour) {
    struct point tip = edge->points[edge->point_count - 1], tail = edge->points[0];
    for (uint32_t i = edge->point_count - 1; i-- > 0;)
        if (distance(edge->points[i], tip) >= ARROW_LENGTH) {
            tail = edge->points[i];
            break;
        }
    double size = distance(tail, tip);
    if (size == 0) return;
    struct point v = {(tip.x - tail.x) / size, (tip.y - tail.y) / size};
    struct point base = {tip.x - v.x * ARROW_LENGTH, tip.y - v.y * ARROW_LENGTH};
    struct point head[3] = {tip,
                            {base.x - v.y * ARROW_HALF, base.y + v.x * ARROW_HALF},
                            {base.x + v.y * ARROW_HALF, base.y - v.x * ARROW_HALF}};
    char style[STYLE_SIZE];
    snprintf(style, sizeof style, "fill=\"%s\"", colour);
    svg_path(svg, head, 3, style);
}

static const char *dashes_of(const struct diagram *diagram, const struct draw_edge *edge) {
    static const char *const dashes[] = {[DASHES_NONE] = "",
                                         [DASHES_SHORT] = " stroke-dasharray=\"4 3\"",
                                         [DASHES_LONG] = " stroke-dasharray=\"7 4\""};
    return dashes[edge_dashes(diagram, edge)];
}

static void paint_line(struct svg *svg, const struct diagram *diagram,
                       const struct draw_edge *edge) {
    const char *colour = edge_colour(edge);
    char style[STYLE_SIZE];
    snprintf(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s", colour,
             edge->mark == MARK_SAME ? "1" : "1.5", dashes_of(diagram, edge));
    svg_path(svg, edge->points, edge->point_count, style);
    paint_arrow(svg, edge, colour);
}

/* Which edge of the file it is, for whoever uses the drawing (src/page). */
static void add_numbers(struct svg *svg, const struct draw_edge *edge) {
    if (edge->number) svg_attribute(svg, "data-edge", edge->number);
    if (edge->old_number) svg_attribute(svg, "data-old-edge", edge->old_number);
}

static void paint_edge(struct svg *svg, const struct diagram *diagram, const struct draw_edge *edge,
                       struct buffer *text) {
    buffer_add_text(&svg->text, "<g");
    add_numbers(svg, edge);
    buffer_add_text(&svg->text, ">");
    add_ends(text, diagram, edge);
    add_notes(text, &edge->notes);
    add_title(svg, text);
    paint_line(svg, diagram, edge);
    buffer_add_text(&svg->text, "</g>\n");
}

/* A letter in the middle of a location. */
static void paint_letter(struct svg *svg, const struct draw_node *node) {
    if (!node->xml->is_committed && !node->xml->is_urgent) return;
    buffer_add_text(&svg->text, "<text");
    svg_attribute(svg, "x", node->at.x);
    svg_attribute(svg, "y", node->at.y + 3.5);
    buffer_printf(&svg->text,
                  " text-anchor=\"middle\" font-size=\"10\" font-weight=\"bold\">%s</text>",
                  node->xml->is_committed ? "C" : "U");
}

/* Its name in runs and reports: "_id7" without a name of its own. */
static void add_key(struct svg *svg, const struct draw_node *node) {
    const struct element *name = node->xml->name;
    bool is_named = name && !str_is_blank(name->text.content);
    buffer_printf(&svg->text, "<g data-node=\"%s", is_named ? "" : "_");
    svg_escaped(svg, is_named ? str_trim(name->text.content) : str_of(node->xml->id));
    buffer_add_text(&svg->text, "\">");
}

static void paint_node(struct svg *svg, const struct draw_node *node, struct buffer *text) {
    const char *fill = node_colour(node);
    const char *dashes = node->mark == MARK_REMOVED ? " stroke-dasharray=\"4 2\"" : "";
    char style[STYLE_SIZE];
    snprintf(style, sizeof style, "fill=\"%s\" stroke=\"%s\"%s%s", fill, mark_colour(node->mark),
             node->mark == MARK_SAME ? "" : " stroke-width=\"2\"", dashes);
    add_key(svg, node);
    node_title(svg, node, text);
    svg_circle(svg, node->at, node_radius(node), style);
    if (node->is_initial) {
        snprintf(style, sizeof style, "fill=\"none\" stroke=\"%s\"%s", mark_colour(node->mark),
                 dashes);
        svg_circle(svg, node->at, node_radius(node) - 3, style);
    }
    paint_letter(svg, node);
    buffer_add_text(&svg->text, "</g>\n");
}

/* ---- notes ---- */

static void paint_ground(struct svg *svg, const struct note *note) {
    if (note->mark != MARK_NEW && note->mark != MARK_CHANGED) return;
    struct box box = {note->at.x - 1, note->at.y, note->at.x + note->lines.width + 1,
                      note->at.y + note->lines.height};
    svg_rectangle(svg, box, mark_grounds[note->mark]);
}

static void paint_note(struct svg *svg, const struct note *note, const char *tooltip) {
    static const char gone[] = "fill=\"#d00000\" stroke=\"none\" text-decoration=\"line-through\"";
    char style[STYLE_SIZE];
    paint_ground(svg, note);
    snprintf(style, sizeof style, "fill=\"%s\"%s", note_colour(note->kind),
             note->mark == MARK_SAME ? "" : " stroke=\"none\"");
    if (note->mark == MARK_REMOVED) snprintf(style, sizeof style, "%s", gone);
    svg_lines(svg, &note->lines, note->at, FONT_SIZE, LINE_HEIGHT, style, tooltip);
    if (note->mark == MARK_CHANGED) {
        struct point at = {note->at.x, note->at.y + note->lines.height};
        snprintf(style, sizeof style, "%s font-size=\"%d\"", gone, OLD_FONT_SIZE);
        svg_lines(svg, &note->old_lines, at, OLD_FONT_SIZE, OLD_LINE_HEIGHT, style, tooltip);
    }
    buffer_add_text(&svg->text, "\n");
}

static void paint_edge_notes(struct svg *svg, const struct diagram *diagram,
                             const struct draw_edge *edge, struct buffer *text) {
    for (uint32_t i = 0; i < edge->notes.count; i++) {
        text->size = 0;
        buffer_printf(text, "%s of ", note_name(edge->notes.items[i].kind));
        add_ends(text, diagram, edge);
        paint_note(svg, &edge->notes.items[i], text->data);
    }
    text->size = 0;
}

/* ---- the whole ---- */

/* Text with a white rim can be read on top of lines. */
static void open_texts(struct svg *svg) {
    buffer_add_text(&svg->text, "<g stroke=\"#ffffff\" stroke-width=\"3\" "
                                "stroke-linejoin=\"round\" paint-order=\"stroke\">\n");
}

bool paint_diagram(struct svg *svg, const struct diagram *diagram, size_t most) {
    struct buffer text = {0};
    bool fits = true;
    for (uint32_t i = 0; fits && i < diagram->edge_count; i++) {
        paint_edge(svg, diagram, &diagram->edges[i], &text);
        fits = svg->text.size <= most;
    }
    for (uint32_t i = 0; fits && i < diagram->node_count; i++) {
        paint_node(svg, &diagram->nodes[i], &text);
        fits = svg->text.size <= most;
    }
    open_texts(svg);
    for (uint32_t i = 0; fits && i < diagram->edge_count; i++) {
        paint_edge_notes(svg, diagram, &diagram->edges[i], &text);
        fits = svg->text.size <= most;
    }
    for (uint32_t i = 0; fits && i < diagram->node_count; i++) {
        const struct draw_node *node = &diagram->nodes[i];
        for (uint32_t k = 0; k < node->notes.count; k++)
            paint_note(svg, &node->notes.items[k], NULL);
        fits = svg->text.size <= most;
    }
    buffer_add_text(&svg->text, "</g>\n");
    buffer_close(&text);
    return fits;
}

/* Made like the things that it explains. */
void paint_legend(struct svg *svg, struct point at, struct arena *arena) {
    enum { LINE = 40, GAP = 32 };
    static const struct {
        enum draw_mark mark;
        const char *text;
    } entries[] = {{MARK_NEW, "new"}, {MARK_REMOVED, "removed"}, {MARK_CHANGED, "changed"}};
    static const struct xml_location location = {0};
    static const struct xml_transition transition = {.is_controllable = true};
    struct draw_node node = {.xml = &location};
    struct diagram diagram = {.nodes = &node};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        struct point ends[2] = {{at.x, at.y + LINE_HEIGHT / 2},
                                {at.x + LINE, at.y + LINE_HEIGHT / 2}};
        struct draw_edge edge = {
            .xml = &transition, .mark = entries[i].mark, .points = ends, .point_count = 2};
        struct note note = {.kind = NOTE_COMMENTS,
                            .mark = entries[i].mark,
                            .at = {at.x + LINE + 8, at.y},
                            .lines = lines_of(arena, str_of(entries[i].text), 500)};
        if (note.mark == MARK_CHANGED) note.old_lines = lines_of(arena, STR("text before"), 500);
        paint_line(svg, &diagram, &edge);
        paint_note(svg, &note, NULL);
        at.x = note.at.x + note.lines.width + GAP;
    }
}
