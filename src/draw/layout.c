/* See layout.h. */
#include "draw/layout.h"

#include "draw/notes.h"

#include <assert.h>

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
void layout_nodes(struct diagram *diagram, struct arena *arena) {
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
