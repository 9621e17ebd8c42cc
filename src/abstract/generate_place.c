#include "abstract/generate_place.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMN = 7,     /* width of a character */
    NAIL_STEP = 24, /* between lines that have no labels in between */
    CORNER_WIDTH = 160,
    CORNER_HEIGHT = 120,
    CORNER_EDGES = 2000, /* with more edges the corner is not chosen by what is there */
    LOOP_REACH = 40,
    SIZE_MOST = 10000 /* lines, columns */
};

/* Keeps sums of many sizes in the range that the reader accepts. */
static int limited(int value) {
    return value < -COORDINATE_MAX  ? -COORDINATE_MAX
           : value > COORDINATE_MAX ? COORDINATE_MAX
                                    : value;
}

int count_lines(const char *text) {
    int lines = text != NULL;
    for (; text && *text && lines < SIZE_MOST; text++) lines += *text == '\n';
    return lines;
}

int count_columns(const char *text) {
    int most = 0, columns = 0;
    for (; text && *text && most < SIZE_MOST; text++) {
        columns = *text == '\n' ? 0 : columns + 1;
        if (columns > most) most = columns;
    }
    return most;
}

static struct spot spot_of(const struct element *element) {
    return (struct spot){coordinate(element, "x", 0), coordinate(element, "y", 0)};
}

static bool is_nail(const struct element *element) { return !strcmp(element->name, "nail"); }

static bool is_placed_label(const struct element *element) {
    return !strcmp(element->name, "label") && element_attribute(element, "x") &&
           element_attribute(element, "y") && !str_is_blank(element->text.content);
}

/* ---- labels of an edge ---- */

struct spot middle_of_edge(const struct xml_template *template, const struct xml_transition *edge) {
    struct spot from = spot_of(template->nodes[edge->source].element),
                to = spot_of(template->nodes[edge->target].element);
    int64_t x = 0, y = 0, count = 0;
    for (const struct element *child = edge->element->first_child; child; child = child->next) {
        if (!is_nail(child)) continue;
        x += spot_of(child).x;
        y += spot_of(child).y;
        count++;
    }
    if (count) return (struct spot){(int)(x / count), (int)(y / count)};
    return (struct spot){(from.x + to.x) / 2, (from.y + to.y) / 2};
}

struct label_block block_of_edge(const struct xml_template *template,
                                 const struct xml_transition *edge) {
    struct spot from = spot_of(template->nodes[edge->source].element),
                to = spot_of(template->nodes[edge->target].element);
    struct spot middle = middle_of_edge(template, edge);
    struct label_block block = {.left = middle.x + 8,
                                .top = middle.y - LABEL_LINE,
                                .bottom = middle.y - LABEL_LINE,
                                .is_above = true};
    bool is_first = true;
    for (const struct element *child = edge->element->first_child; child; child = child->next) {
        if (!is_placed_label(child)) continue;
        struct spot at = spot_of(child);
        int bottom = at.y + count_lines(child->text.content.data) * LABEL_LINE;
        if (is_first || at.x < block.left) block.left = at.x;
        if (is_first || at.y < block.top) block.top = at.y;
        if (is_first || bottom > block.bottom) block.bottom = bottom;
        is_first = false;
    }
    block.is_above = block.top + block.bottom < 2 * middle.y;
    block.is_flat = edge->source == edge->target || abs(to.x - from.x) >= abs(to.y - from.y);
    block.first = block.is_above ? block.top : block.bottom;
    return block;
}

struct spot block_add(struct label_block *block, int lines) {
    if (block->is_above) block->top = limited(block->top - lines * LABEL_LINE);
    struct spot spot = {block->left, block->is_above ? block->top : block->bottom};
    if (!block->is_above) block->bottom = limited(block->bottom + lines * LABEL_LINE);
    return spot;
}

struct spot block_add_copy(struct label_block *block, int lines, struct spot *shift) {
    int gap = NAIL_STEP - LABEL_LINE, before = block->is_above ? block->top : block->bottom;
    if (block->is_above)
        block->top -= gap;
    else
        block->bottom += gap;
    struct spot spot = block_add(block, lines ? lines : 1);
    block->copies++;
    /* The line of the copy is as far from its labels as the original's is. */
    *shift = (struct spot){0, block->is_above ? before - gap - block->first
                                              : before + gap - block->first};
    if (!block->is_flat) *shift = (struct spot){limited(block->copies * NAIL_STEP), 0};
    return spot;
}

/* ---- loops ---- */

struct corner {
    int left, top, right, bottom;
};

static bool touches(struct corner corner, struct spot at, int width, int height) {
    return at.x < corner.right && at.x + width > corner.left && at.y < corner.bottom &&
           at.y + height > corner.top;
}

/* The point at most so far away on the way to another one. */
static struct spot on_way(struct spot from, struct spot to) {
    enum { FAR = 60 };
    int dx = to.x - from.x, dy = to.y - from.y, size = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    if (size <= FAR) return to;
    return (struct spot){from.x + (int)((int64_t)dx * FAR / size),
                         from.y + (int)((int64_t)dy * FAR / size)};
}

/* What is in a corner: labels, nails, and edges of the location itself. */
static int crowd_of_edge(const struct xml_template *template, const struct xml_transition *edge,
                         uint32_t location, struct corner corner) {
    int crowd = 0;
    struct spot own = spot_of(template->nodes[location].element);
    const struct element *first = NULL, *last = NULL;
    for (const struct element *child = edge->element->first_child; child; child = child->next) {
        const char *text = child->text.content.data;
        if (is_placed_label(child))
            crowd += 2 * touches(corner, spot_of(child), count_columns(text) * COLUMN,
                                 count_lines(text) * LABEL_LINE);
        if (!is_nail(child)) continue;
        crowd += touches(corner, spot_of(child), 1, 1);
        first = first ? first : child;
        last = child;
    }
    const struct element *source = template->nodes[edge->source].element,
                         *target = template->nodes[edge->target].element;
    if (edge->source == location)
        crowd += 2 * touches(corner, on_way(own, spot_of(first ? first : target)), 1, 1);
    if (edge->target == location)
        crowd += 2 * touches(corner, on_way(own, spot_of(last ? last : source)), 1, 1);
    return crowd;
}

static int crowd_of(const struct xml_template *template, uint32_t location, int side_x,
                    int side_y) {
    struct spot at = spot_of(template->nodes[location].element);
    struct corner corner = {at.x - 2, at.y - 2, at.x + 2, at.y + 2};
    if (side_x > 0)
        corner.right += CORNER_WIDTH;
    else
        corner.left -= CORNER_WIDTH;
    if (side_y > 0)
        corner.bottom += CORNER_HEIGHT;
    else
        corner.top -= CORNER_HEIGHT;
    int crowd = 0;
    for (uint32_t i = 0; i < template->location_count; i++)
        if (i != location) crowd += 3 * touches(corner, spot_of(template->nodes[i].element), 1, 1);
    for (uint32_t i = 0; i < template->transition_count; i++)
        crowd += crowd_of_edge(template, &template->transitions[i], location, corner);
    return crowd;
}

static void choose_corner(struct loops *loops, const struct xml_template *template,
                          uint32_t location) {
    static const struct spot corners[] = {{1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    int least = INT32_MAX;
    *loops = (struct loops){.is_chosen = true, .side_x = 1, .side_y = -1, .reach = LOOP_REACH};
    if (template->transition_count > CORNER_EDGES) return;
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        int crowd = crowd_of(template, location, corners[i].x, corners[i].y);
        if (crowd >= least) continue;
        least = crowd;
        loops->side_x = corners[i].x;
        loops->side_y = corners[i].y;
    }
}

struct spot add_loop(struct loops *loops, const struct xml_template *template, uint32_t location,
                     int lines, int columns, struct spot nails[2]) {
    if (!loops->is_chosen) choose_corner(loops, template, location);
    struct spot at = spot_of(template->nodes[location].element);
    int size = lines * LABEL_LINE > NAIL_STEP ? lines * LABEL_LINE : NAIL_STEP;
    if (loops->count && loops->side_y < 0) loops->reach = limited(loops->reach + size);
    int x = loops->side_x, y = at.y + loops->side_y * loops->reach;
    int wide = limited(22 + 6 * loops->count++);
    nails[0] = (struct spot){at.x - x * 10, y};
    nails[1] = (struct spot){at.x + x * wide, y};
    if (loops->side_y > 0) loops->reach = limited(loops->reach + size);
    return (struct spot){x > 0 ? nails[1].x + 6 : nails[1].x - 6 - columns * COLUMN, y - 8};
}
