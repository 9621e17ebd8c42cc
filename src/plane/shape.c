/* Geometry of boxes and straight lines. */
#include "plane/shape.h"

#include <math.h>

/* The least box that holds both. */
struct box box_joined(struct box a, struct box b) {
    return (struct box){fmin(a.left, b.left), fmin(a.top, b.top), fmax(a.right, b.right),
                        fmax(a.bottom, b.bottom)};
}

/* The same size elsewhere. */
struct box box_shifted(struct box box, struct point move) {
    return (struct box){box.left + move.x, box.top + move.y, box.right + move.x,
                        box.bottom + move.y};
}

struct box box_around(struct point a, struct point b) {
    return (struct box){fmin(a.x, b.x), fmin(a.y, b.y), fmax(a.x, b.x), fmax(a.y, b.y)};
}

double box_gap(struct box a, struct box b) {
    return fmax(fmax(b.left - a.right, a.left - b.right), fmax(b.top - a.bottom, a.top - b.bottom));
}

double box_common_area(struct box a, struct box b) {
    double width = fmin(a.right, b.right) - fmax(a.left, b.left);
    double height = fmin(a.bottom, b.bottom) - fmax(a.top, b.top);
    return width > 0 && height > 0 ? width * height : 0;
}

/* By clipping the line at each side of the box (Liang and Barsky). */
double box_length_inside(struct box box, struct point a, struct point b) {
    double first = 0, last = 1;
    double dx = b.x - a.x, dy = b.y - a.y;
    double way[4] = {-dx, dx, -dy, dy};
    double room[4] = {a.x - box.left, box.right - a.x, a.y - box.top, box.bottom - a.y};
    for (int side = 0; side < 4; side++) {
        if (way[side] == 0 && room[side] < 0) return 0;
        if (way[side] < 0) first = fmax(first, room[side] / way[side]);
        if (way[side] > 0) last = fmin(last, room[side] / way[side]);
    }
    return first < last ? (last - first) * hypot(dx, dy) : 0;
}

static double distance_to_line(struct point p, struct point a, struct point b) {
    double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    t = fmax(0, fmin(t, 1));
    return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

static double distance_to_point(struct box box, struct point p) {
    double dx = fmax(fmax(box.left - p.x, p.x - box.right), 0);
    double dy = fmax(fmax(box.top - p.y, p.y - box.bottom), 0);
    return hypot(dx, dy);
}

/* Apart, the least distance is at an end of the line or at a corner of the box. */
double box_distance(struct box box, struct point a, struct point b) {
    if (box_length_inside(box, a, b) > 0) return 0;
    struct point corners[4] = {
        {box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
    double least = fmin(distance_to_point(box, a), distance_to_point(box, b));
    for (int i = 0; i < 4; i++) least = fmin(least, distance_to_line(corners[i], a, b));
    return least;
}

double box_distance_to_path(struct box box, const struct point *points, uint32_t count) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i + 1 < count; i++)
        least = fmin(least, box_distance(box, points[i], points[i + 1]));
    return least;
}

struct box box_towards(struct point at, struct point way, struct point size) {
    double x = at.x + fmax(-1, fmin(1.6 * way.x, 1)) * size.x / 2;
    double y = at.y + fmax(-1, fmin(1.6 * way.y, 1)) * size.y / 2;
    return (struct box){x - size.x / 2, y - size.y / 2, x + size.x / 2, y + size.y / 2};
}

/* Twice the area of a triangle, negative if it is passed the other way round. */
static double area_of(struct point a, struct point b, struct point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool lines_cross(struct point a, struct point b, struct point c, struct point d) {
    return area_of(a, b, c) * area_of(a, b, d) < 0 && area_of(c, d, a) * area_of(c, d, b) < 0;
}
