/* Places for labels, copies and loops that are generated. */
#include "abstract/emit/label_spot.h"

#include "plane/measure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FONT_SIZE = 12,    /* of Uppaal's editor */
    NAIL_STEP = 24,    /* between lines that have no labels in between */
    CROWD_MOST = 1000, /* nodes and edges; in larger templates loops do not look at what is there */
    SCENE_MOST = 1500, /* lines and texts; the same */
    SIZE_MOST = 10000  /* lines, bytes of a line */
};

int count_lines(const char *text) {
    int lines = text != NULL;
    for (; text && *text && lines < SIZE_MOST; text++) lines += *text == '\n';
    return lines;
}

/* Over: in the widest font that is usual, in the units of the document, rounded up. */
int width_of_text(const char *text) {
    double most = 0;
    for (int lines = 0; text && *text && lines < SIZE_MOST; lines++) {
        size_t size = strcspn(text, "\n");
        size_t shown = size < SIZE_MOST ? size : SIZE_MOST;
        most = fmax(most, text_most_width((struct str){text, shown}, FONT_SIZE));
        text += text[size] ? size + 1 : size;
    }
    return (int)ceil(most);
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

/* The labels as the document places them, or will where it says nothing. */
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
    assert(block.top <= block.bottom);
    block.is_above = block.top + block.bottom < 2 * middle.y;
    block.is_flat = edge->source == edge->target || abs(to.x - from.x) >= abs(to.y - from.y);
    block.first = block.is_above ? block.top : block.bottom;
    return block;
}

struct spot block_add(struct label_block *block, int lines) {
    assert(lines > 0);
    if (block->is_above) block->top = coordinate_limited(block->top - lines * LABEL_LINE);
    struct spot spot = {block->left, block->is_above ? block->top : block->bottom};
    if (!block->is_above) block->bottom = coordinate_limited(block->bottom + lines * LABEL_LINE);
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
    if (!block->is_flat) *shift = (struct spot){coordinate_limited(block->copies * NAIL_STEP), 0};
    return spot;
}

/* ---- what stands in a template ---- */

/* The box of so many lines of that width, from a top left corner on. */
struct box box_of_lines(struct spot at, int lines, int width) {
    return (struct box){at.x, at.y, at.x + width, at.y + lines * LABEL_LINE};
}

struct box box_of_text(struct spot at, const char *text) {
    return box_of_lines(at, count_lines(text), width_of_text(text));
}

/* Nothing is known of any template or edge yet. Lives in the arena. */
struct label_spots *label_spots_new(struct arena *arena) {
    struct label_spots *spots = ARENA_NEW(arena, struct label_spots);
    map_init(&spots->edges, arena);
    scene_init(&spots->scene, arena);
    return spots;
}

struct edge_spots *spots_of_edge(struct label_spots *spots, const struct xml_template *template,
                                 const struct xml_transition *edge) {
    assert(edge >= template->transitions &&
           edge < template->transitions + template->transition_count);
    struct edge_spots *place = map_get(&spots->edges, map_key(edge));
    if (place) return place;
    place = ARENA_NEW(spots->scene.arena, struct edge_spots);
    place->block = block_of_edge(template, edge);
    map_put(&spots->edges, map_key(edge), place);
    return place;
}

static struct point centre_of(const struct xml_template *template, uint32_t node) {
    assert(node < template->location_count + template->branchpoint_count);
    struct spot at = spot_of(template->nodes[node].element);
    return (struct point){at.x, at.y};
}

static void add_path(struct label_spots *spots, const struct xml_template *template,
                     const struct xml_transition *edge, const void *owner, struct spot shift) {
    struct point last = centre_of(template, edge->source);
    for (const struct element *child = edge->element->first_child; child; child = child->next) {
        if (!is_nail(child)) continue;
        struct spot nail = spot_of(child);
        struct point ends[2] = {last, {nail.x + shift.x, nail.y + shift.y}};
        scene_add_line(&spots->scene, owner, ends, 2);
        last = ends[1];
    }
    struct point ends[2] = {last, centre_of(template, edge->target)};
    scene_add_line(&spots->scene, owner, ends, 2);
}

static void add_labels(struct label_spots *spots, const struct element *parent, const void *owner) {
    for (const struct element *child = parent->first_child; child; child = child->next)
        if (is_placed_label(child) || (!strcmp(child->name, "name") && !owner))
            scene_add_text(&spots->scene, owner,
                           box_of_text(spot_of(child), child->text.content.data));
}

static void add_edge(struct label_spots *spots, const struct xml_template *template,
                     const struct xml_transition *edge) {
    const struct edge_spots *place = map_get(&spots->edges, map_key(edge));
    if (place && place->is_gone) return;
    add_path(spots, template, edge, edge, (struct spot){0, 0});
    if (!place || !place->is_changed) add_labels(spots, edge->element, edge);
    for (uint32_t i = 0; place && i < place->label_count; i++)
        scene_add_text(&spots->scene, edge, place->labels[i]);
}

void label_spots_enter(struct label_spots *spots, const struct xml_template *template) {
    enum { NODE = 12 };
    if (spots->template == template) return;
    scene_init(&spots->scene, spots->scene.arena);
    spots->template = template;
    spots->is_crowded = template->location_count + template->transition_count > CROWD_MOST;
    for (uint32_t i = 0; !spots->is_crowded && i < template->location_count; i++) {
        struct point at = centre_of(template, i);
        scene_add_box(&spots->scene,
                      (struct box){at.x - NODE, at.y - NODE, at.x + NODE, at.y + NODE});
        add_labels(spots, template->nodes[i].element, NULL);
    }
    for (uint32_t i = 0; !spots->is_crowded && i < template->transition_count; i++)
        add_edge(spots, template, &template->transitions[i]);
}

void label_spots_add_copy(struct label_spots *spots, const struct xml_transition *edge,
                          const void *copy, struct spot shift, struct box labels) {
    assert(spots->template && copy);
    if (spots->is_crowded) return;
    assert(labels.left <= labels.right && labels.top <= labels.bottom);
    add_path(spots, spots->template, edge, copy, shift);
    scene_add_text(&spots->scene, copy, labels);
}

static struct spot rounded(struct point point) {
    return (struct spot){coordinate_limited((int)lround(point.x)),
                         coordinate_limited((int)lround(point.y))};
}

static void add_some_loops(struct label_spots *spots, uint32_t location, struct new_loop *loops,
                           uint32_t count) {
    struct scene none;
    struct loop_request requests[LOOP_MOST];
    struct loop found[LOOP_MOST];
    assert(count <= LOOP_MOST);
    if (spots->scene.texts.count + spots->scene.lines.count > SCENE_MOST) spots->is_crowded = true;
    scene_init(&none, spots->scene.arena);
    for (uint32_t i = 0; i < count; i++)
        requests[i] =
            (struct loop_request){&loops[i], {loops[i].width, loops[i].lines * LABEL_LINE}};
    loops_place(spots->is_crowded ? &none : &spots->scene, centre_of(spots->template, location),
                requests, found, count, true);
    for (uint32_t i = 0; i < count; i++) {
        assert(found[i].count == 4);
        loops[i].nails[0] = rounded(found[i].points[1]);
        loops[i].nails[1] = rounded(found[i].points[2]);
        loops[i].labels = rounded(found[i].text.at);
    }
}

void label_spots_add_loops(struct label_spots *spots, uint32_t location, struct new_loop *loops,
                           uint32_t count) {
    assert(spots->template);
    for (uint32_t i = 0; i < count; i += LOOP_MOST)
        add_some_loops(spots, location, &loops[i], count - i < LOOP_MOST ? count - i : LOOP_MOST);
}
