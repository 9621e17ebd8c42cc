/* See separate.h. */
#include "draw/separate.h"

#include "draw/notes.h"

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

bool diagram_is_small(const struct diagram *diagram) {
    size_t blocks = diagram->node_count, points = 0;
    for (uint32_t i = 0; i < diagram->node_count; i++) blocks += diagram->nodes[i].notes.count;
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        blocks += diagram->edges[i].notes.count;
        points += diagram->edges[i].point_count;
    }
    return blocks <= BLOCKS_MOST && points <= POINTS_MOST;
}

/* Moves names and labels, no node and no nail. Deterministic. */
void separate_notes(struct diagram *diagram, struct arena *arena) {
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
