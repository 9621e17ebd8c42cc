#include "draw/route.h"

#include "base/map.h"
#include "draw/notes.h"

#include <assert.h>
#include <math.h>

enum {
    CURVE_POINTS = 13,
    BEND_STEP = 40,
    BEND_MOST = 400,   /* how far a bend reaches */
    LOOP_SIZE = 46,    /* how far a loop reaches from the middle of its location */
    CLEAR_NODES = 256, /* up to so many nodes are looked at for being in the way */
    CLEAR_DISTANCE = 16
};

static struct point add(struct point a, struct point b, double factor) {
    return (struct point){a.x + b.x * factor, a.y + b.y * factor};
}

static double length(struct point v) { return sqrt(v.x * v.x + v.y * v.y); }

/* From a to b, with length 1; (0, -1) if they are in one place. */
static struct point direction(struct point a, struct point b) {
    struct point v = add(b, a, -1);
    double size = length(v);
    return size > 0 ? (struct point){v.x / size, v.y / size} : (struct point){0, -1};
}

static struct point normal_of(struct point v) { return (struct point){-v.y, v.x}; }

/* ---- curves ---- */

static void set_curve(struct draw_edge *edge, const struct point control[4], struct arena *arena) {
    edge->points = ARENA_ARRAY(arena, struct point, CURVE_POINTS);
    edge->point_count = CURVE_POINTS;
    edge->is_curve = true;
    for (int i = 0; i < CURVE_POINTS; i++) {
        double t = i / (CURVE_POINTS - 1.0), s = 1 - t;
        double weight[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
        for (int k = 0; k < 4; k++) edge->points[i] = add(edge->points[i], control[k], weight[k]);
    }
}

/* A bend that is offset to the side in its middle. */
static void set_bend(struct draw_edge *edge, struct point from, struct point to, double offset,
                     struct arena *arena) {
    struct point side = normal_of(direction(from, to)), way = add(to, from, -1);
    struct point control[4] = {from, add(add(from, way, 0.25), side, offset * 4 / 3),
                               add(add(from, way, 0.75), side, offset * 4 / 3), to};
    set_curve(edge, control, arena);
}

static void set_loop(struct draw_edge *edge, struct point at, struct point apex,
                     struct arena *arena) {
    struct point way = add(apex, at, -1), side = normal_of(direction(at, apex));
    double width = fmax(14, fmin(0.9 * length(way), 80));
    struct point control[4] = {at, add(add(at, way, 4 / 3.0), side, -width),
                               add(add(at, way, 4 / 3.0), side, width), at};
    set_curve(edge, control, arena);
}

static void set_polyline(struct draw_edge *edge, struct point from, struct point to,
                         struct arena *arena) {
    struct point *points = ARENA_ARRAY(arena, struct point, edge->point_count + 2);
    points[0] = from;
    for (uint32_t i = 0; i < edge->point_count; i++) points[i + 1] = edge->points[i];
    points[edge->point_count + 1] = to;
    edge->points = points;
    edge->point_count += 2;
}

/* ---- edges without nails between the same two nodes ---- */

struct bundle {
    uint32_t count, next;
    double step;
};

static uint64_t bundle_key(const struct draw_edge *edge) {
    uint32_t low = edge->source < edge->target ? edge->source : edge->target;
    uint32_t high = edge->source < edge->target ? edge->target : edge->source;
    return ((uint64_t)low << 32 | high) + 1;
}

static void count_bundles(const struct diagram *diagram, struct map *bundles, struct arena *arena) {
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        if (edge->point_count) continue;
        struct bundle *bundle = map_get(bundles, bundle_key(edge));
        if (!bundle) {
            bundle = ARENA_NEW(arena, struct bundle);
            bundle->step = BEND_STEP;
            map_put(bundles, bundle_key(edge), bundle);
        }
        bundle->count++;
        struct point v =
            direction(diagram->nodes[edge->source].at, diagram->nodes[edge->target].at);
        struct point block = block_size(&edge->notes);
        bundle->step = fmax(bundle->step, fmin(fabs(v.x) * block.y + fabs(v.y) * block.x, 200) + 8);
    }
}

/* Nodes that are not the edge's own and that a straight line would run over. */
static bool is_clear(const struct diagram *diagram, const struct draw_edge *edge) {
    for (uint32_t i = 0; i < diagram->node_count; i++) {
        if (i == edge->source || i == edge->target) continue;
        for (uint32_t k = 0; k + 1 < edge->point_count; k++) {
            struct point a = edge->points[k], way = add(edge->points[k + 1], a, -1);
            struct point to = add(diagram->nodes[i].at, a, -1);
            double square = way.x * way.x + way.y * way.y;
            double t = square > 0 ? (way.x * to.x + way.y * to.y) / square : 0;
            if (length(add(to, way, -fmax(0, fmin(t, 1)))) < CLEAR_DISTANCE) return false;
        }
    }
    return true;
}

/* Bends an edge until it runs over no node but its own. */
static void set_clear_bend(const struct diagram *diagram, struct draw_edge *edge, double offset,
                           struct arena *arena) {
    struct point from = diagram->nodes[edge->source].at, to = diagram->nodes[edge->target].at;
    for (int i = 0; i < 8; i++) {
        double more = (i + 1) / 2 * BEND_STEP * (i % 2 ? 1 : -1);
        set_bend(edge, from, to, offset + more, arena);
        if (is_clear(diagram, edge)) return;
    }
    set_bend(edge, from, to, offset, arena);
}

static bool is_below(struct point a, struct point b) { return a.x < b.x && a.y < b.y; }

/* Whether a note that the file places near a node is where a loop would be. */
static bool is_taken(const struct draw_node *node, struct point side) {
    struct point middle = add(node->at, side, LOOP_SIZE * 0.6);
    double half = LOOP_SIZE * 0.4;
    for (uint32_t i = 0; i < node->notes.count; i++) {
        const struct note *note = &node->notes.items[i];
        struct point size = note_size(note), low = note->at, high = add(low, size, 1);
        if (note->is_placed && is_below(low, (struct point){middle.x + half, middle.y + half}) &&
            is_below((struct point){middle.x - half, middle.y - half}, high))
            return true;
    }
    return false;
}

/* Loops go to all sides that are free, then become larger. */
static void route_loop(const struct draw_node *node, struct draw_edge *edge, uint32_t index,
                       struct arena *arena) {
    static const struct point all[4] = {{0, -1}, {1, 0}, {-1, 0}, {0, 1}};
    struct point sides[4];
    uint32_t count = 0;
    for (int i = 0; i < 4; i++)
        if (!is_taken(node, all[i])) sides[count++] = all[i];
    if (!count) sides[count++] = all[0];
    double size = LOOP_SIZE + fmin(index / count, 16) * BEND_STEP / 2;
    set_loop(edge, node->at, add(node->at, sides[index % count], size), arena);
}

static void route_free(const struct diagram *diagram, struct draw_edge *edge, struct bundle *bundle,
                       struct arena *arena) {
    const struct draw_node *source = &diagram->nodes[edge->source],
                           *target = &diagram->nodes[edge->target];
    uint32_t index = bundle->next++;
    if (edge->source == edge->target ||
        (source->at.x == target->at.x && source->at.y == target->at.y)) {
        route_loop(source, edge, index, arena);
        return;
    }
    double step = fmin(bundle->step, 2.0 * BEND_MOST / bundle->count);
    double offset = (index - (bundle->count - 1) / 2.0) * step;
    if (edge->source > edge->target) offset = -offset;       /* to one side in both directions */
    bool is_placed = source->is_placed || target->is_placed; /* then it may be straight */
    if (is_placed && offset == 0)
        set_polyline(edge, source->at, target->at, arena);
    else
        set_bend(edge, source->at, target->at, offset, arena);
    if (diagram->node_count <= CLEAR_NODES && !is_clear(diagram, edge))
        set_clear_bend(diagram, edge, offset, arena);
}

/* ---- ends and middle ---- */

static void reverse(struct draw_edge *edge) {
    for (uint32_t i = 0, k = edge->point_count - 1; i < k; i++, k--) {
        struct point point = edge->points[i];
        edge->points[i] = edge->points[k];
        edge->points[k] = point;
    }
}

/* Lets a line begin at the rim of its first node. */
static void cut_begin(struct draw_edge *edge, struct point centre, double radius) {
    uint32_t inside = 0; /* the first points that are in the node */
    while (inside < edge->point_count && length(add(edge->points[inside], centre, -1)) <= radius)
        inside++;
    if (!inside || inside == edge->point_count) return;
    struct point a = add(edge->points[inside - 1], centre, -1);
    struct point v = direction(edge->points[inside - 1], edge->points[inside]);
    double half = a.x * v.x + a.y * v.y, rest = a.x * a.x + a.y * a.y - radius * radius;
    edge->points += inside - 1;
    edge->point_count -= inside - 1;
    edge->points[0] = add(edge->points[0], v, sqrt(fmax(half * half - rest, 0)) - half);
}

/* The middle by length, and to which side of it there is room. */
static void find_middle(struct draw_edge *edge) {
    assert(edge->point_count);
    double total = 0, way = 0;
    uint32_t last = edge->point_count - 1, i = 0;
    for (uint32_t k = 0; k < last; k++)
        total += length(add(edge->points[k + 1], edge->points[k], -1));
    for (; i + 1 < last; i++) {
        double step = length(add(edge->points[i + 1], edge->points[i], -1));
        if (way + step >= total / 2) break;
        way += step;
    }
    struct point a = edge->points[i], v = direction(a, edge->points[i + 1]);
    edge->middle = add(a, v, fmax(total / 2 - way, 0));
    struct point chord = add(add(edge->points[0], edge->points[last], 1), edge->middle, -2);
    bool is_flat = fabs(v.x) >= fabs(v.y);
    edge->bulge_x = is_flat ? 0 : chord.x > 1 ? -1 : 1;
    edge->bulge_y = !is_flat ? 0 : chord.y < -1 ? 1 : -1;
}

void finish_edge(const struct diagram *diagram, struct draw_edge *edge) {
    assert(edge->source < diagram->node_count && edge->target < diagram->node_count);
    const struct draw_node *source = &diagram->nodes[edge->source],
                           *target = &diagram->nodes[edge->target];
    cut_begin(edge, source->at, node_radius(source));
    reverse(edge);
    cut_begin(edge, target->at, node_radius(target));
    reverse(edge);
    find_middle(edge);
}

void route_edges(struct diagram *diagram, struct arena *arena) {
    struct map bundles;
    map_init(&bundles, arena);
    count_bundles(diagram, &bundles, arena);
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        struct draw_edge *edge = &diagram->edges[i];
        const struct draw_node *source = &diagram->nodes[edge->source],
                               *target = &diagram->nodes[edge->target];
        edge->is_free = !edge->point_count;
        if (edge->is_free)
            route_free(diagram, edge, map_get(&bundles, bundle_key(edge)), arena);
        else if (edge->source == edge->target && edge->point_count == 1)
            set_loop(edge, source->at, edge->points[0], arena);
        else
            set_polyline(edge, source->at, target->at, arena);
        finish_edge(diagram, edge);
    }
}
