#include "draw/arrange.h"

#include "base/debug.h"
#include "draw/diagram.h"
#include "draw/notes.h"
#include "draw/route.h"
#include "plane/label.h"
#include "plane/loop.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- places for nodes ---- */

/* Columns by distance from the initial location, below what has a place. */

enum { COLUMNS = 8, COLUMN_LEAST = 150, COLUMN_MOST = 420, ROW_HEIGHT = 130, ROW_MOST = 300 };

/* Successors of each node, those of node i from begin[i] to before begin[i + 1]. */
struct successors {
    uint32_t *begin, *of;
};

static struct successors find_successors(const struct diagram *diagram, struct arena *arena) {
    uint32_t nodes = diagram->node_count;
    struct successors successors = {ARENA_ARRAY(arena, uint32_t, nodes + 2),
                                    ARENA_ARRAY(arena, uint32_t, diagram->edge_count)};
    uint32_t *begin = successors.begin;
    for (uint32_t i = 0; i < diagram->edge_count; i++) begin[diagram->edges[i].source + 2]++;
    for (uint32_t i = 2; i < nodes + 2; i++) begin[i] += begin[i - 1];
    for (uint32_t i = 0; i < diagram->edge_count; i++)
        successors.of[begin[diagram->edges[i].source + 1]++] = diagram->edges[i].target;
    return successors;
}

/* Distance of each node from the initial one, of what cannot be reached from its first node. */
static uint32_t *find_layers(const struct diagram *diagram, struct arena *arena) {
    uint32_t nodes = diagram->node_count, head = 0, tail = 0;
    struct successors successors = find_successors(diagram, arena);
    uint32_t *layers = ARENA_ARRAY(arena, uint32_t, nodes); /* plus one; 0 = not yet reached */
    uint32_t *queue = ARENA_ARRAY(arena, uint32_t, nodes);
    for (uint32_t i = 0; i <= nodes; i++) {
        uint32_t root = i ? i - 1 : diagram->initial;
        if (root >= nodes || layers[root]) continue;
        layers[root] = 1;
        queue[tail++] = root;
        for (; head < tail; head++) {
            uint32_t node = queue[head];
            for (uint32_t k = successors.begin[node]; k < successors.begin[node + 1]; k++) {
                uint32_t next = successors.of[k];
                if (layers[next]) continue;
                layers[next] = layers[node] + 1;
                queue[tail++] = next;
            }
        }
    }
    assert(tail == nodes); /* each was reached once */
    for (uint32_t i = 0; i < nodes; i++) layers[i]--;
    return layers;
}

static double clamp(double value, double least, double most) {
    return value < least ? least : value > most ? most : value;
}

/* Room for the notes of edges that have no coordinates either. */
static struct point cell_size(const struct diagram *diagram) {
    struct point cell = {0, 0};
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        struct point block = block_size(&diagram->edges[i].notes);
        if (block.x > cell.x) cell.x = block.x;
        if (block.y > cell.y) cell.y = block.y;
    }
    return (struct point){clamp(cell.x + 80, COLUMN_LEAST, COLUMN_MOST),
                          clamp(cell.y + 80, ROW_HEIGHT, ROW_MOST)};
}

/* Below everything that has a place. */
static double first_row(const struct diagram *diagram) {
    bool is_empty = true;
    double row = 0;
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        const struct draw_node *node = &diagram->nodes[i];
        if (!node->is_placed || (!is_empty && node->at.y <= row)) continue;
        row = node->at.y;
        is_empty = false;
    }
    return is_empty ? 0 : row + ROW_HEIGHT;
}

/* Bands of COLUMNS layers beneath each other, so that long chains stay on a page. */
static void layout_nodes(struct diagram *diagram, struct arena *arena) {
    uint32_t missing = 0, bands = 0;
    for (uint32_t i = 0; i < diagram->node_count; i++) missing += !diagram->nodes[i].is_placed;
    if (!missing) return;
    uint32_t *layers = find_layers(diagram, arena);
    for (uint32_t i = 0; i < diagram->node_count; i++)
        if (layers[i] / COLUMNS >= bands) bands = layers[i] / COLUMNS + 1;
    uint32_t *used = ARENA_ARRAY(arena, uint32_t, (size_t)bands * COLUMNS); /* rows of a column */
    uint32_t *begin = ARENA_ARRAY(arena, uint32_t, bands + 1); /* first row of a band */
    for (uint32_t i = 0; i < diagram->node_count; i++)
        if (!diagram->nodes[i].is_placed) used[layers[i]]++;
    for (uint32_t i = 0; i < bands * COLUMNS; i++) {
        uint32_t *most = &begin[i / COLUMNS + 1];
        if (used[i] > *most) *most = used[i];
        used[i] = 0;
    }
    for (uint32_t i = 1; i <= bands; i++) begin[i] += begin[i - 1];
    struct point cell = cell_size(diagram);
    double top = first_row(diagram);
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        struct draw_node *node = &diagram->nodes[i];
        if (node->is_placed) continue;
        uint32_t column = layers[i] % COLUMNS, row = begin[layers[i] / COLUMNS] + used[layers[i]]++;
        assert(row < begin[layers[i] / COLUMNS + 1]);
        /* Every second column is lower, so that an edge past a node does not hit it. */
        node->at = (struct point){column * cell.x, top + (row + column % 2 * 0.4) * cell.y};
    }
}

/* ---- labels off each other ---- */

/* Of those that the file places, moved as little as possible. Names and nodes stay where they
 * are. */

enum {
    BLOCKS_MOST = 400, /* in larger diagrams nothing is moved */
    POINTS_MOST = 4000,
    NEAR = 20, /* notes of an element that are so near are moved together */
    STEP = 8,
    STEPS = 20
};

/* Notes of one element that stand together; those of a node are not moved. */
struct note_block {
    struct box box;
    struct note *notes[NOTE_KINDS];
    uint32_t count;
    bool is_free; /* its edge is not where the editor has it */
};

struct blocks {
    struct note_block items[BLOCKS_MOST];
    uint32_t count;
};

static struct box box_of(const struct note *note) {
    struct point size = note_size(note);
    return (struct box){note->at.x, note->at.y, note->at.x + size.x, note->at.y + size.y};
}

static bool is_near(struct box a, struct box b) {
    a = (struct box){a.left - NEAR, a.top - NEAR, a.right + NEAR, a.bottom + NEAR};
    return box_common_area(a, b) > 0;
}

/* The notes of an edge in groups of neighbours; two that a third one joins may stay apart. */
static void add_edge(struct blocks *blocks, struct draw_edge *edge) {
    struct notes *notes = &edge->notes;
    uint32_t first = blocks->count;
    for (uint32_t i = 0; i < notes->count; i++) {
        if (!notes->items[i].is_placed) continue;
        struct box box = box_of(&notes->items[i]);
        uint32_t k = first;
        while (k < blocks->count && !is_near(blocks->items[k].box, box)) k++;
        struct note_block *block = &blocks->items[k];
        if (k == blocks->count) *block = (struct note_block){.box = box, .is_free = edge->is_curve};
        blocks->count += k == blocks->count;
        block->box = box_joined(block->box, box);
        block->notes[block->count++] = &notes->items[i];
    }
}

static double lines_inside(const struct diagram *diagram, struct box box) {
    double sum = 0;
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        for (uint32_t k = 0; k + 1 < edge->point_count; k++)
            sum += box_length_inside(box, edge->points[k], edge->points[k + 1]);
    }
    return sum;
}

/* The area that a box has in common with what is placed already. */
static double crowding(const struct blocks *blocks, uint32_t placed, struct box box) {
    double area = 0;
    for (uint32_t i = 0; i < placed; i++) area += box_common_area(box, blocks->items[i].box);
    return area;
}

/* How to move a block so that it covers nothing, or else least, of what is placed already, and of
 * lines, though these alone are no reason to leave a place of the file. Nearer places come first.
 */
static struct point find_place(const struct diagram *diagram, const struct blocks *blocks,
                               uint32_t own) {
    static const struct point ways[] = {{0, -1}, {0, 1},   {1, 0}, {-1, 0},
                                        {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    enum { LINE_WEIGHT = 8 };
    struct point best = {0, 0};
    struct box box = blocks->items[own].box;
    double least = crowding(blocks, own, box);
    if (least == 0 && !blocks->items[own].is_free) return best;
    least += LINE_WEIGHT * lines_inside(diagram, box);
    for (int step = 1; step <= STEPS; step++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways && least > 0; way++) {
            struct point move = {ways[way].x * step * STEP, ways[way].y * step * STEP};
            struct box there = box_shifted(box, move);
            double cost = crowding(blocks, own, there);
            if (cost < least) cost += LINE_WEIGHT * lines_inside(diagram, there);
            if (cost >= least) continue;
            least = cost;
            best = move;
        }
    return best;
}

static void move_block(struct note_block *block, struct point move) {
    for (uint32_t i = 0; i < block->count; i++) {
        block->notes[i]->at.x += move.x;
        block->notes[i]->at.y += move.y;
    }
    block->box = box_shifted(block->box, move);
}

/* Whether there is so little that trying many places takes no time worth mentioning. */
static bool diagram_is_small(const struct diagram *diagram) {
    size_t blocks = diagram->node_count, points = 0;
    for (uint32_t i = 0; i < diagram->node_count; i++) blocks += diagram->nodes[i].notes.count;
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        blocks += diagram->edges[i].notes.count;
        points += diagram->edges[i].point_count;
    }
    return blocks <= BLOCKS_MOST && points <= POINTS_MOST;
}

/* Moves names and labels, no node and no nail. Deterministic. */
static void separate_notes(struct diagram *diagram, struct arena *arena) {
    struct blocks *blocks = ARENA_NEW(arena, struct blocks);
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        struct draw_node *node = &diagram->nodes[i];
        double r = node_radius(node);
        blocks->items[blocks->count++].box =
            (struct box){node->at.x - r, node->at.y - r, node->at.x + r, node->at.y + r};
        for (uint32_t k = 0; k < node->notes.count; k++)
            blocks->items[blocks->count++].box = box_of(&node->notes.items[k]);
    }
    uint32_t fixed = blocks->count;
    for (uint32_t i = 0; i < diagram->edge_count; i++) add_edge(blocks, &diagram->edges[i]);
    for (uint32_t i = fixed; i < blocks->count; i++)
        move_block(&blocks->items[i], find_place(diagram, blocks, i));
}

/* ---- places for what the file does not place ---- */

/* Names, loops with their labels, and labels. */

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
static bool is_quick_to_settle(const struct diagram *diagram, struct arena *arena) {
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
        assert(count < LOOP_MOST); /* is_quick_to_settle */
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
static void settle_notes(struct diagram *diagram, struct arena *arena) {
    struct scene scene;
    if (!is_quick_to_settle(diagram, arena)) return;
    scene_init(&scene, arena);
    add_fixed(&scene, diagram);
    settle_all_labels(&scene, diagram);
    for (uint32_t i = 0; i < diagram->node_count; i++) settle_loops(&scene, diagram, i, arena);
    for (uint32_t i = 0; i < diagram->node_count; i++) settle_node(&scene, &diagram->nodes[i]);
    settle_all_labels(&scene, diagram);
}

/* That lines go from end to end. */
static void diagram_check(const struct diagram *diagram) {
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        assert(edge->point_count > 1);
        assert(edge->source < diagram->node_count && edge->target < diagram->node_count);
    }
}

void diagram_arrange(struct diagram *diagram, struct arena *arena) {
    measure_notes(diagram, arena);
    layout_nodes(diagram, arena);
    route_edges(diagram, arena);
    place_notes(diagram);
    DEBUG_CHECK(diagram_check(diagram));
    if (!diagram_is_small(diagram)) return;
    separate_notes(diagram, arena);
    settle_notes(diagram, arena);
}
