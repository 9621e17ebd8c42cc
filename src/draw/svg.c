#include "draw/svg.h"

#include <math.h>

/* Empty text, and a box that holds nothing. */
void svg_open(struct svg *svg) {
    *svg = (struct svg){.box = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
}

/* Frees the text. */
void svg_close(struct svg *svg) { buffer_close(&svg->text); }

void svg_cover(struct svg *svg, double left, double top, double right, double bottom) {
    svg->box.left = fmin(svg->box.left, left);
    svg->box.top = fmin(svg->box.top, top);
    svg->box.right = fmax(svg->box.right, right);
    svg->box.bottom = fmax(svg->box.bottom, bottom);
}

/* With one decimal at most, so that drawings are the same on every machine. */
void svg_number(struct svg *svg, double value) {
    double tenths = round(value * 10);
    if (tenths == 0) tenths = 0; /* no minus sign */
    buffer_printf(&svg->text, fmod(tenths, 10) == 0 ? "%.0f" : "%.1f", tenths / 10);
}

void svg_attribute(struct svg *svg, const char *name, double value) {
    buffer_printf(&svg->text, " %s=\"", name);
    svg_number(svg, value);
    buffer_add_text(&svg->text, "\"");
}

/* Text as character data or the value of an attribute. */
void svg_escaped(struct svg *svg, struct str text) {
    size_t begin = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char *entity = text.data[i] == '&'   ? "&amp;"
                             : text.data[i] == '<' ? "&lt;"
                             : text.data[i] == '>' ? "&gt;"
                             : text.data[i] == '"' ? "&quot;"
                                                   : NULL;
        if (!entity) continue;
        buffer_add(&svg->text, text.data + begin, i - begin);
        buffer_add_text(&svg->text, entity);
        begin = i + 1;
    }
    buffer_add(&svg->text, text.data + begin, text.size - begin);
}

/* The style is attributes as they are written. */
void svg_circle(struct svg *svg, struct point centre, double radius, const char *style) {
    buffer_add_text(&svg->text, "<circle");
    svg_attribute(svg, "cx", centre.x);
    svg_attribute(svg, "cy", centre.y);
    svg_attribute(svg, "r", radius);
    buffer_printf(&svg->text, " %s/>", style);
    svg_cover(svg, centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius);
}

/* A rectangle for a box. */
void svg_rectangle(struct svg *svg, struct box box, const char *style) {
    buffer_add_text(&svg->text, "<rect");
    svg_attribute(svg, "x", box.left);
    svg_attribute(svg, "y", box.top);
    svg_attribute(svg, "width", box.right - box.left);
    svg_attribute(svg, "height", box.bottom - box.top);
    buffer_printf(&svg->text, " %s/>", style);
    svg_cover(svg, box.left, box.top, box.right, box.bottom);
}

void svg_path(struct svg *svg, const struct point *points, uint32_t count, const char *style) {
    buffer_add_text(&svg->text, "<path d=\"");
    for (uint32_t i = 0; i < count; i++) {
        buffer_add_text(&svg->text, i ? "L" : "M");
        svg_number(svg, points[i].x);
        buffer_add_text(&svg->text, " ");
        svg_number(svg, points[i].y);
        svg_cover(svg, points[i].x, points[i].y, points[i].x, points[i].y);
    }
    buffer_printf(&svg->text, "\" %s/>", style);
}

void svg_lines(struct svg *svg, const struct lines *lines, struct point at, double size,
               double line_height, const char *style, const char *tooltip) {
    double left = lines->is_right ? at.x + lines->width - lines->most_width : at.x;
    if (lines->is_right) at.x += lines->width;
    buffer_add_text(&svg->text, "<text");
    svg_attribute(svg, "x", at.x);
    svg_attribute(svg, "y", at.y + size);
    buffer_printf(&svg->text, "%s %s>", lines->is_right ? " text-anchor=\"end\"" : "", style);
    if (tooltip) {
        buffer_add_text(&svg->text, "<title>");
        svg_escaped(svg, str_of(tooltip));
        buffer_add_text(&svg->text, "</title>");
    }
    for (uint32_t i = 0; i < lines->count; i++) {
        if (lines->count > 1) {
            buffer_add_text(&svg->text, "<tspan");
            svg_attribute(svg, "x", at.x);
            svg_attribute(svg, "y", at.y + size + i * line_height);
            buffer_add_text(&svg->text, ">");
        }
        svg_escaped(svg, lines->items[i]);
        if (lines->count > 1) buffer_add_text(&svg->text, "</tspan>");
    }
    buffer_add_text(&svg->text, "</text>");
    svg_cover(svg, left, at.y, left + lines->most_width, at.y + lines->count * line_height);
}

struct str svg_page(const struct svg *svg, struct box box, struct arena *arena) {
    struct svg out;
    svg_open(&out);
    buffer_add_text(&out.text, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                               "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    svg_attribute(&out, "width", box.right - box.left);
    svg_attribute(&out, "height", box.bottom - box.top);
    buffer_add_text(&out.text, " viewBox=\"");
    const double numbers[] = {box.left, box.top, box.right - box.left, box.bottom - box.top};
    for (int i = 0; i < 4; i++) {
        if (i) buffer_add_text(&out.text, " ");
        svg_number(&out, numbers[i]);
    }
    buffer_printf(&out.text,
                  "\" font-family=\"Arial, Liberation Sans, Helvetica, DejaVu Sans, sans-serif\" "
                  "font-size=\"%d\" xml:space=\"preserve\">\n",
                  FONT_SIZE);
    svg_rectangle(&out, box, "fill=\"#ffffff\"");
    buffer_add_text(&out.text, "\n");
    buffer_add(&out.text, svg->text.data, svg->text.size);
    buffer_add_text(&out.text, "</svg>\n");
    struct str result = {NULL, out.text.size};
    result.data = buffer_take(&out.text, arena);
    svg_close(&out);
    return result;
}
