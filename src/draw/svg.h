/* SVG - writes shapes as SVG and keeps the box that holds them all.
 *
 * Everything is said in attributes, so that a fragment looks the same inside any page.
 *
 * Invariants: what is written is well-formed; texts are escaped here; numbers have at most one
 *             digit after the point.
 * Lifetime:   svg_close frees the text.
 */
#pragma once

#include "draw/diagram.h"

struct svg {
    struct buffer text;
    struct box box; /* of the shapes so far */
};

void svg_open(struct svg *svg);
void svg_close(struct svg *svg);

/* Extends the box by a rectangle. */
void svg_cover(struct svg *svg, double left, double top, double right, double bottom);

void svg_number(struct svg *svg, double value);
/* name="value", with a blank before it. */
void svg_attribute(struct svg *svg, const char *name, double value);
void svg_escaped(struct svg *svg, struct str text);

void svg_circle(struct svg *svg, struct point centre, double radius, const char *style);
void svg_rectangle(struct svg *svg, struct box box, const char *style);
/* An open line, or a filled shape, through the points. */
void svg_path(struct svg *svg, const struct point *points, uint32_t count, const char *style);
/* Lines of text; at is the top left corner. tooltip may be NULL. */
void svg_lines(struct svg *svg, const struct lines *lines, struct point at, double size,
               double line_height, const char *style, const char *tooltip);

/* A whole file that shows the box, in the arena. */
struct str svg_page(const struct svg *svg, struct box box, struct arena *arena);
