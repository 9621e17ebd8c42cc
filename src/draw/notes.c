#include "draw/notes.h"

#include "plane/measure.h"
#include "xml/encoding.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { LINE_MOST = 1000, LINES_MOST = 100, TAB = 4 }; /* characters, lines; spaces of a tab */
enum { WRAP_WIDTH = 460, WRAP_LEAST = 120 };
enum { TOLERANCE = 4 }; /* so much may notes of one element overlap */

/* ---- lines ---- */

/* A line without its end; tabs become spaces, and what is too long is cut. */
static struct str line_of(struct arena *arena, struct str text) {
    struct buffer line = {0};
    const char *at = text.data, *end = text.data + text.size;
    for (uint32_t i = 0; at < end && i < LINE_MOST; i++) {
        const char *begin = at;
        uint32_t c = utf8_next(&at, end);
        if (c == '\t')
            buffer_printf(&line, "%*s", TAB, "");
        else if (c >= ' ')
            buffer_add(&line, begin, (size_t)(at - begin));
    }
    if (at < end) buffer_add_text(&line, "...");
    struct str result = {NULL, line.size};
    result.data = buffer_finish(&line, arena);
    return result;
}

/* Whether a line had better end before this blank: after a comma, or in front of an operator. */
static bool is_good_end(struct str line, size_t blank) {
    static const char *const operators[] = {" && ", " || ", " and ", " or ", " imply "};
    if (blank > 0 && line.data[blank - 1] == ',') return true;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (!strncmp(line.data + blank, operators[i], strlen(operators[i]))) return true;
    return false;
}

/* Bytes of a line that fit the width: up to the last good end outside brackets, else to the last
 * blank. */
static size_t fitting(struct str line, double width) {
    const char *at = line.data, *end = line.data + line.size;
    size_t good = 0, blank = 0;
    double used = 0;
    int depth = 0;
    while (at < end) {
        char c = *at;
        const char *begin = at;
        utf8_next(&at, end);
        used += text_width((struct str){begin, (size_t)(at - begin)}, FONT_SIZE);
        if (used > width && (good || blank)) return good ? good : blank;
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c != ' ' || used < WRAP_LEAST) continue;
        blank = (size_t)(at - line.data);
        if (depth <= 0 && is_good_end(line, blank - 1)) good = blank;
    }
    return line.size;
}

static void add_line(struct lines *lines, struct arena *arena, struct str line) {
    if (lines->count + 1 == LINES_MOST) line = STR("...");
    if (lines->count == LINES_MOST) return;
    lines->items = lines->count ? lines->items : ARENA_ARRAY(arena, struct str, LINES_MOST);
    lines->items[lines->count++] = line;
    lines->width = fmax(lines->width, text_width(line, FONT_SIZE));
    lines->most_width = fmax(lines->most_width, text_most_width(line, FONT_SIZE));
}

/* Cuts a line where it gets too wide; what follows is indented. */
static void add_wrapped(struct lines *lines, struct arena *arena, struct str line, double width) {
    const char *indent = "";
    do {
        size_t size = fitting(line, width), shown = size;
        while (size < line.size && shown && line.data[shown - 1] == ' ') shown--;
        add_line(lines, arena,
                 str_of(arena_printf(arena, "%s%.*s", indent, (int)shown, line.data)));
        line.data += size;
        line.size -= size;
        indent = "  ";
    } while (line.size && lines->count < LINES_MOST);
}

struct lines lines_of(struct arena *arena, struct str text, double width) {
    struct lines lines = {0};
    const char *at = text.data, *end = text.data + text.size;
    do {
        const char *begin = at;
        while (at < end && *at != '\n') at++;
        lines.text_count++;
        add_wrapped(&lines, arena, line_of(arena, (struct str){begin, (size_t)(at - begin)}),
                    width);
    } while (at++ < end && lines.count < LINES_MOST);
    lines.height = (double)lines.count * LINE_HEIGHT;
    return lines;
}

static void measure(struct notes *notes, struct arena *arena) {
    for (uint32_t i = 0; i < notes->count; i++) {
        struct note *note = &notes->items[i];
        note->lines = lines_of(arena, note->text, WRAP_WIDTH);
        if (note->mark != MARK_CHANGED) continue;
        struct lines *old = &note->old_lines;
        *old = lines_of(arena, note->old, WRAP_WIDTH);
        old->height = (double)old->count * OLD_LINE_HEIGHT;
        old->width = old->width * OLD_FONT_SIZE / FONT_SIZE;
        old->most_width = old->most_width * OLD_FONT_SIZE / FONT_SIZE;
    }
}

void measure_notes(struct diagram *diagram, struct arena *arena) {
    for (uint32_t i = 0; i < diagram->node_count; i++) measure(&diagram->nodes[i].notes, arena);
    for (uint32_t i = 0; i < diagram->edge_count; i++) measure(&diagram->edges[i].notes, arena);
}

struct point note_size(const struct note *note) {
    return (struct point){fmax(note->lines.width, note->old_lines.width),
                          note->lines.height + note->old_lines.height};
}

struct point block_size(const struct notes *notes) {
    struct point size = {0, 0};
    for (uint32_t i = 0; i < notes->count; i++) {
        if (notes->items[i].is_placed) continue;
        struct point one = note_size(&notes->items[i]);
        size.x = fmax(size.x, one.x);
        size.y += one.y;
    }
    return size;
}

/* ---- places ---- */

/* Beneath each other from a point on, the widest reaching from x to x + width. */
void place_block(struct notes *notes, struct text_place place, double width) {
    struct point at = place.at;
    for (uint32_t i = 0; i < notes->count; i++) {
        struct note *note = &notes->items[i];
        if (note->is_placed) continue;
        struct point size = note_size(note);
        note->at = at;
        if (place.align == ALIGN_CENTRE) note->at.x += (width - size.x) / 2;
        if (place.align == ALIGN_RIGHT) note->at.x += width - size.x;
        note->lines.is_right = place.align == ALIGN_RIGHT && note->mark != MARK_CHANGED;
        at.y += size.y;
    }
}

static void place_edge_notes(struct draw_edge *edge) {
    struct point size = block_size(&edge->notes), at = edge->middle;
    if (edge->bulge_x)
        at.x += edge->bulge_x > 0 ? 6 : -6 - size.x;
    else
        at.x -= size.x / 2;
    if (edge->bulge_y)
        at.y += edge->bulge_y > 0 ? 4 : -4 - size.y;
    else
        at.y -= size.y / 2;
    place_block(&edge->notes, (struct text_place){at, edge->bulge_x ? ALIGN_LEFT : ALIGN_CENTRE},
                size.x);
}

static void place_node_notes(struct draw_node *node) {
    struct point size = block_size(&node->notes), at = node->at;
    at.x -= size.x / 2;
    at.y += node_radius(node) + 2;
    place_block(&node->notes, (struct text_place){at, ALIGN_CENTRE}, size.x);
}

/* How far two notes overlap from top to bottom; 0 if they stand beside each other. */
static double overlap(const struct note *left, const struct note *right) {
    struct point a = note_size(left), b = note_size(right);
    if (left->at.x >= right->at.x + b.x || right->at.x >= left->at.x + a.x) return 0;
    return fmin(left->at.y + a.y, right->at.y + b.y) - fmax(left->at.y, right->at.y);
}

/* By height; those with coordinates that need more room than the file meant grow upwards if they
 * stand above their element. */
static void sort_notes(struct notes *notes, struct note *order[], bool is_above) {
    assert(notes->count <= NOTE_KINDS);
    for (uint32_t i = 0; i < notes->count; i++) {
        uint32_t k = i;
        for (; k > 0 && order[k - 1]->at.y > notes->items[i].at.y; k--) order[k] = order[k - 1];
        order[k] = &notes->items[i];
    }
    for (uint32_t i = 0; is_above && i < notes->count; i++)
        if (order[i]->is_placed)
            order[i]->at.y += order[i]->lines.text_count * LINE_HEIGHT - note_size(order[i]).y;
}

/* Moves notes of one element off each other: upwards if they stand above its middle. */
static void stack_notes(struct notes *notes, double middle) {
    struct note *order[NOTE_KINDS];
    double sum = 0;
    for (uint32_t i = 0; i < notes->count; i++) sum += notes->items[i].at.y - middle;
    bool is_above = sum < 0;
    sort_notes(notes, order, is_above);
    for (uint32_t i = 0; i < notes->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            uint32_t last = notes->count - 1;
            struct note *still = order[is_above ? last - k : k],
                        *moved = order[is_above ? last - i : i];
            if (overlap(still, moved) <= TOLERANCE) continue;
            moved->at.y =
                is_above ? still->at.y - note_size(moved).y : still->at.y + note_size(still).y;
        }
}

void place_notes(struct diagram *diagram) {
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        place_node_notes(&diagram->nodes[i]);
        stack_notes(&diagram->nodes[i].notes, diagram->nodes[i].at.y);
    }
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        place_edge_notes(&diagram->edges[i]);
        stack_notes(&diagram->edges[i].notes, diagram->edges[i].middle.y);
    }
}
