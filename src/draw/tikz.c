#include "draw/tikz.h"

#include "base/latex.h"
#include "draw/style.h"

#include <ctype.h>
#include <math.h>

enum { TITLE_GAP = 14, GROUND_GAP = 1 };

/* ---- the document ---- */

/* "varabsGuard": letters only. */
static void add_colour_name(struct buffer *out, const char *name) {
    bool is_first = true;
    buffer_add_text(out, "varabs");
    for (const char *c = name; *c; c++) {
        char letter = is_first ? (char)toupper((unsigned char)*c) : *c;
        if (*c != ' ') buffer_add(out, &letter, 1);
        is_first = *c == ' ';
    }
}

static void define_colour(struct buffer *out, const char *name, const char *colour) {
    buffer_add_text(out, "\\definecolor{");
    add_colour_name(out, name);
    buffer_add_text(out, "}{HTML}{");
    for (const char *c = colour + 1; *c; c++) {
        char digit = (char)toupper((unsigned char)*c);
        buffer_add(out, &digit, 1);
    }
    buffer_add_text(out, "}\n");
}

static const char *const mark_names[] = {[MARK_SAME] = "same",
                                         [MARK_CHANGED] = "changed",
                                         [MARK_NEW] = "new",
                                         [MARK_REMOVED] = "removed"};

void tikz_begin(struct buffer *out, bool is_comparison) {
    buffer_add_text(
        out, "% Drawn by varabs. pdflatex makes a PDF of it, for \\includegraphics; or copy a\n"
             "% tikzpicture with the definitions below.\n");
    if (is_comparison)
        buffer_add_text(out, "% New things are green, removed ones red, changed ones orange.\n");
    buffer_add_text(out, "\\documentclass[tikz,border=4pt]{standalone}\n"
                         "\\usepackage[utf8]{inputenc}\n"
                         "\\usetikzlibrary{arrows.meta}\n");
    for (int kind = 0; kind < NOTE_KINDS; kind++)
        define_colour(out, note_name((enum note_kind)kind), note_colour((enum note_kind)kind));
    for (int mark = 0; mark <= MARK_REMOVED; mark++)
        define_colour(out, mark_names[mark], mark_colour((enum draw_mark)mark));
    define_colour(out, "location", "#dde3f5");
    define_colour(out, "changed ground", "#fff0a0");
    define_colour(out, "new ground", "#dcf5dc");
    buffer_add_text(
        out,
        "\\tikzset{varabs/"
        ".style={x=0.75pt,y=-0.75pt,font=\\sffamily\\fontsize{9pt}{11pt}\\selectfont},\n"
        "  varabs edge/.style={line width=0.6pt,-{Latex[length=6pt,width=5pt]}},\n"
        "  varabs marked/.style={line width=1.1pt,-{Latex[length=7pt,width=6pt]}},\n"
        "  varabs location/.style={fill=varabsLocation,draw=varabsSame,line width=0.6pt},\n"
        "  varabs letter/.style={font=\\sffamily\\bfseries\\fontsize{7.5pt}{9pt}\\selectfont},\n"
        "  varabs title/.style={anchor=base west,inner sep=0pt,\n"
        "    font=\\sffamily\\bfseries\\fontsize{11pt}{13pt}\\selectfont},\n"
        "  varabs text/.style={anchor=base west,inner xsep=0pt,inner ysep=0.6pt,fill=white,\n"
        "    fill opacity=0.8,text opacity=1},\n"
        "  varabs right/.style={anchor=base east},\n"
        "  varabs ground/.style={fill opacity=0},\n"
        "  varabs gone/.style={path picture={\\draw[line width=0.5pt,varabsRemoved]\n"
        "    (path picture bounding box.west) -- (path picture bounding box.east);}},\n"
        "  varabs small/.style={font=\\sffamily\\fontsize{7.5pt}{9pt}\\selectfont}}\n"
        "\\begin{document}\n");
}

void tikz_end(struct buffer *out) { buffer_add_text(out, "\\end{document}\n"); }

/* ---- lines and circles ---- */

/* With one decimal at most. */
static void add_number(struct buffer *out, double value) {
    double tenths = round(value * 10);
    if (tenths == 0) tenths = 0; /* no minus sign */
    buffer_printf(out, fmod(tenths, 10) == 0 ? "%.0f" : "%.1f", tenths / 10);
}

static void add_point(struct buffer *out, double x, double y) {
    buffer_add_text(out, "(");
    add_number(out, x);
    buffer_add_text(out, ",");
    add_number(out, y);
    buffer_add_text(out, ")");
}

/* A colour of the document, #rrggbb. */
static void add_rgb(struct buffer *out, const char *colour) {
    unsigned parts[3] = {0};
    for (int i = 0; i < 6; i++) {
        int c = tolower((unsigned char)colour[1 + i]);
        parts[i / 2] = parts[i / 2] * 16 + (unsigned)(isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    buffer_printf(out, "{rgb,255:red,%u;green,%u;blue,%u}", parts[0], parts[1], parts[2]);
}

static void add_edge(struct buffer *out, const struct diagram *diagram,
                     const struct draw_edge *edge) {
    static const char *const dashes[] = {[DASHES_NONE] = "",
                                         [DASHES_SHORT] = ",dash pattern=on 3pt off 2pt",
                                         [DASHES_LONG] = ",dash pattern=on 5pt off 3pt"};
    buffer_printf(out, "\\draw[varabs %s%s,color=", edge->mark == MARK_SAME ? "edge" : "marked",
                  dashes[edge_dashes(diagram, edge)]);
    add_rgb(out, edge_colour(edge));
    buffer_add_text(out, "] ");
    for (uint32_t i = 0; i < edge->point_count; i++) {
        if (i) buffer_add_text(out, " -- ");
        add_point(out, edge->points[i].x, edge->points[i].y);
    }
    buffer_add_text(out, ";\n");
}

static void add_circle(struct buffer *out, const struct draw_node *node, double radius) {
    add_point(out, node->at.x, node->at.y);
    buffer_add_text(out, " circle[radius=");
    add_number(out, radius * 0.75);
    buffer_add_text(out, "pt]");
}

static void add_node(struct buffer *out, const struct draw_node *node) {
    bool is_marked = node->mark != MARK_SAME;
    buffer_add_text(out, "\\filldraw[varabs location,fill=");
    add_rgb(out, node_colour(node));
    if (is_marked) {
        buffer_add_text(out, ",line width=1.4pt,draw=");
        add_colour_name(out, mark_names[node->mark]);
    }
    if (node->mark == MARK_REMOVED) buffer_add_text(out, ",dash pattern=on 3pt off 1.5pt");
    buffer_add_text(out, "] ");
    add_circle(out, node, node_radius(node));
    if (node->is_initial) {
        buffer_add_text(out, " ");
        add_circle(out, node, node_radius(node) - 3);
    }
    buffer_add_text(out, ";\n");
    if (!node->xml->is_committed && !node->xml->is_urgent) return;
    buffer_add_text(out, "\\node[varabs letter] at ");
    add_point(out, node->at.x, node->at.y);
    buffer_printf(out, " {%s};\n", node->xml->is_committed ? "C" : "U");
}

/* ---- notes ---- */

/* What all lines have that begin at a point. */
struct writing {
    const struct lines *lines;
    struct point at;
    double size, line_height;
    const char *colour, *style; /* colour: the name of one; style: more, with a comma before it */
};

static void add_lines(struct buffer *out, const struct writing *writing) {
    const struct lines *lines = writing->lines;
    double x = lines->is_right ? writing->at.x + lines->width : writing->at.x;
    for (uint32_t i = 0; i < lines->count; i++) {
        if (str_is_blank(lines->items[i])) continue;
        buffer_printf(out, "\\node[varabs text%s%s,text=", lines->is_right ? ",varabs right" : "",
                      writing->style);
        add_colour_name(out, writing->colour);
        buffer_add_text(out, "] at ");
        add_point(out, x, writing->at.y + writing->size + i * writing->line_height);
        buffer_add_text(out, " {");
        latex_escape(out, lines->items[i]);
        buffer_add_text(out, "};\n");
    }
}

static void add_ground(struct buffer *out, const struct note *note) {
    buffer_printf(out, "\\fill[%s] ",
                  note->mark == MARK_NEW ? "varabsNewGround" : "varabsChangedGround");
    add_point(out, note->at.x - GROUND_GAP, note->at.y);
    buffer_add_text(out, " rectangle ");
    add_point(out, note->at.x + note->lines.width + GROUND_GAP, note->at.y + note->lines.height);
    buffer_add_text(out, ";\n");
}

static void add_note(struct buffer *out, const struct note *note) {
    bool is_gone = note->mark == MARK_REMOVED, has_ground = note->mark != MARK_SAME && !is_gone;
    const struct writing now = {&note->lines,
                                note->at,
                                FONT_SIZE,
                                LINE_HEIGHT,
                                is_gone ? "removed" : note_name(note->kind),
                                is_gone      ? ",varabs gone"
                                : has_ground ? ",varabs ground"
                                             : ""};
    const struct writing before = {&note->old_lines, {note->at.x, note->at.y + note->lines.height},
                                   OLD_FONT_SIZE,    OLD_LINE_HEIGHT,
                                   "removed",        ",varabs small,varabs gone"};
    if (has_ground) add_ground(out, note);
    add_lines(out, &now);
    if (note->mark == MARK_CHANGED) add_lines(out, &before);
}

static void add_notes(struct buffer *out, const struct notes *notes) {
    for (uint32_t i = 0; i < notes->count; i++) add_note(out, &notes->items[i]);
}

/* ---- the picture ---- */

static void cover(struct point *corner, double x, double y) {
    corner->x = fmin(corner->x, x);
    corner->y = fmin(corner->y, y);
}

static void cover_notes(struct point *corner, const struct notes *notes) {
    for (uint32_t i = 0; i < notes->count; i++)
        cover(corner, notes->items[i].at.x, notes->items[i].at.y);
}

/* The top left corner of everything. */
static struct point corner_of(const struct diagram *diagram) {
    struct point corner = {INFINITY, INFINITY};
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        const struct draw_node *node = &diagram->nodes[i];
        cover(&corner, node->at.x - node_radius(node), node->at.y - node_radius(node));
        cover_notes(&corner, &node->notes);
    }
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        for (uint32_t k = 0; k < edge->point_count; k++)
            cover(&corner, edge->points[k].x, edge->points[k].y);
        cover_notes(&corner, &edge->notes);
    }
    return diagram->node_count ? corner : (struct point){0, 0};
}

bool tikz_add(struct buffer *out, const struct diagram *diagram, struct str title, size_t most) {
    struct point corner = corner_of(diagram);
    buffer_add_text(out, "\\begin{tikzpicture}[varabs]\n\\node[varabs title] at ");
    add_point(out, corner.x, corner.y - TITLE_GAP);
    buffer_add_text(out, " {");
    latex_escape(out, title);
    buffer_add_text(out, "};\n");
    for (uint32_t i = 0; i < diagram->edge_count && out->size <= most; i++)
        add_edge(out, diagram, &diagram->edges[i]);
    for (uint32_t i = 0; i < diagram->node_count && out->size <= most; i++)
        add_node(out, &diagram->nodes[i]);
    for (uint32_t i = 0; i < diagram->edge_count && out->size <= most; i++)
        add_notes(out, &diagram->edges[i].notes);
    for (uint32_t i = 0; i < diagram->node_count && out->size <= most; i++)
        add_notes(out, &diagram->nodes[i].notes);
    buffer_add_text(out, "\\end{tikzpicture}\n");
    return out->size <= most;
}
