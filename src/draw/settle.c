/* See settle.h. */
#include "draw/settle.h"

#include "draw/notes.h"
#include "draw/route.h"
#include "plane/label.h"
#include "plane/loop.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WORK_MOST = 500000 };

static struct box box_at(struct point at, struct point size) {
    return (struct box){at.x, at.y, at.x + size.x, at.y + size.y};
}

/* Of the notes without a place, in whatever font they are shown. */
static struct point free_size(const struct notes *notes) {
    struct point size = block_size(notes);
    for (uint32_t i = 0; i < notes->count; i++)
        if (!notes->items[i].is_placed) size.x = fmax(size.x, notes->items[i].lines.most_width);
    return size;
}

static bool has_place(const struct notes *notes) { return block_size(notes).y == 0; }

/* A loop whose way is ours to choose. */
static bool is_free_loop(const struct draw_edge *edge) {
    return edge->is_free && edge->source == edge->target;
}

/* Whether trying many places takes no time worth mentioning. */
static bool is_small(const struct diagram *diagram, struct arena *arena) {
    uint32_t *loops = ARENA_ARRAY(arena, uint32_t, diagram->node_count + 1);
    size_t points = 0;
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        points += edge->point_count;
        if (is_free_loop(edge) && ++loops[edge->source] > LOOP_MOST) return false;
    }
    return points * diagram->edge_count <= WORK_MOST;
}

static void add_placed(struct scene *scene, const void *owner, const struct notes *notes) {
    for (uint32_t i = 0; i < notes->count; i++)
        if (notes->items[i].is_placed)
            scene_add_text(scene, owner, box_at(notes->items[i].at, note_size(&notes->items[i])));
}

/* Adds the elements that do not move. */
static void add_fixed(struct scene *scene, const struct diagram *diagram) {
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        const struct draw_node *node = &diagram->nodes[i];
        double r = node_radius(node);
        scene_add_box(scene,
                      (struct box){node->at.x - r, node->at.y - r, node->at.x + r, node->at.y + r});
        add_placed(scene, NULL, &node->notes);
    }
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        if (!is_free_loop(edge)) scene_add_line(scene, edge, edge->points, edge->point_count);
    }
    for (uint32_t i = 0; i < diagram->edge_count; i++)
        if (!is_free_loop(&diagram->edges[i]))
            add_placed(scene, &diagram->edges[i], &diagram->edges[i].notes);
}

static void settle_node(struct scene *scene, struct draw_node *node) {
    if (has_place(&node->notes)) return;
    struct point size = free_size(&node->notes);
    struct text_place place = label_place_around(scene, node->at, node_radius(node) + 2, size);
    place_block(&node->notes, place, size.x);
    scene_add_box(scene, box_at(place.at, size));
}

static void set_loop(const struct diagram *diagram, struct draw_edge *edge, const struct loop *loop,
                     double width, struct arena *arena) {
    edge->points = ARENA_ARRAY(arena, struct point, loop->count);
    memcpy(edge->points, loop->points, loop->count * sizeof *loop->points);
    edge->point_count = loop->count;
    finish_edge(diagram, edge);
    place_block(&edge->notes, loop->text, width);
}

/* All loops of a node. */
static void settle_loops(struct scene *scene, struct diagram *diagram, uint32_t node,
                         struct arena *arena) {
    struct loop_request requests[LOOP_MOST];
    struct loop loops[LOOP_MOST];
    uint32_t count = 0, done = 0;
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        if (!is_free_loop(&diagram->edges[i]) || diagram->edges[i].source != node) continue;
        assert(count < LOOP_MOST); /* is_small */
        requests[count++] =
            (struct loop_request){&diagram->edges[i], free_size(&diagram->edges[i].notes)};
    }
    loops_place(scene, diagram->nodes[node].at, requests, loops, count, false);
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        struct draw_edge *edge = &diagram->edges[i];
        if (!is_free_loop(edge) || edge->source != node) continue;
        set_loop(diagram, edge, &loops[done], requests[done].size.x, arena);
        add_placed(scene, edge, &edge->notes);
        done++;
    }
    assert(done == count);
}

static void settle_labels(struct scene *scene, struct draw_edge *edge) {
    if (has_place(&edge->notes) || is_free_loop(edge)) return;
    struct point size = free_size(&edge->notes);
    scene_remove_texts(scene, edge);
    add_placed(scene, edge, &edge->notes);
    struct text_place place =
        label_place_beside(scene, edge, edge->points, edge->point_count, size);
    place_block(&edge->notes, place, size.x);
    scene_add_text(scene, edge, box_at(place.at, size));
}

static void settle_all_labels(struct scene *scene, struct diagram *diagram) {
    for (uint32_t i = 0; i < diagram->edge_count; i++) settle_labels(scene, &diagram->edges[i]);
}

/* Loops and names can go to many places, so they make room for labels; these see in the end what
 * came after them. */
void settle_notes(struct diagram *diagram, struct arena *arena) {
    struct scene scene;
    if (!is_small(diagram, arena)) return;
    scene_init(&scene, arena);
    add_fixed(&scene, diagram);
    settle_all_labels(&scene, diagram);
    for (uint32_t i = 0; i < diagram->node_count; i++) settle_loops(&scene, diagram, i, arena);
    for (uint32_t i = 0; i < diagram->node_count; i++) settle_node(&scene, &diagram->nodes[i]);
    settle_all_labels(&scene, diagram);
}
