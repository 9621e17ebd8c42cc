/* Tries places in turn and takes the one that costs least. */
#include "plane/label.h"

#include <assert.h>
#include <math.h>

enum { MIDDLE_WEIGHT = 60, COUNT_OF_GAPS = 4 };

struct label_choice {
    const struct scene *scene;
    const void *owner;
    const struct point *points; /* of the owner's line */
    uint32_t count;
    double least;
    struct text_place best;
};

/* A box beyond a point, seen in that direction. */
static void offer(struct label_choice *choice, struct point from, struct point way,
                  struct point size, double cost) {
    struct box box = box_towards(from, way, size);
    if (cost >= choice->least) return;
    cost += scene_cost_of_text(choice->scene, choice->owner, box, choice->points, choice->count,
                               choice->least - cost);
    if (cost >= choice->least) return;
    choice->least = cost;
    choice->best = (struct text_place){{box.left, box.top}, align_towards(way)};
}

static double length_of(struct point a, struct point b) { return hypot(b.x - a.x, b.y - a.y); }

/* The point at a part of the way, and the direction there, with length 1. */
static struct point point_at(const struct point *points, uint32_t count, double part,
                             struct point *way) {
    assert(count >= 2 && part >= 0 && part <= 1);
    double total = 0;
    for (uint32_t i = 0; i + 1 < count; i++) total += length_of(points[i], points[i + 1]);
    double rest = part * total;
    uint32_t i = 0;
    for (; i + 2 < count; i++) {
        double step = length_of(points[i], points[i + 1]);
        if (rest <= step) break;
        rest -= step;
    }
    double step = length_of(points[i], points[i + 1]);
    *way = (struct point){1, 0};
    if (step == 0) return points[i];
    *way = (struct point){(points[i + 1].x - points[i].x) / step,
                          (points[i + 1].y - points[i].y) / step};
    return (struct point){points[i].x + way->x * rest, points[i].y + way->y * rest};
}

struct text_place label_place_beside(const struct scene *scene, const void *owner,
                                     const struct point *points, uint32_t count,
                                     struct point size) {
    assert(owner && count >= 2 && size.x >= 0 && size.y >= 0);
    static const double parts[] = {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82};
    static const double gaps[COUNT_OF_GAPS] = {5, 11, 19, 30};
    assert(count >= 2);
    struct label_choice choice = {scene, owner, points, count, HUGE_VAL, {points[0], ALIGN_LEFT}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        struct point way, at = point_at(points, count, parts[p], &way);
        double up = way.x >= 0 ? 1 : -1; /* the upper side first */
        for (int g = 0; g < 2 * COUNT_OF_GAPS; g++) {
            double side = g % 2 ? -up : up, gap = gaps[g / 2];
            struct point normal = {way.y * side, -way.x * side};
            struct point from = {at.x + normal.x * gap, at.y + normal.y * gap};
            offer(&choice, from, normal, size, MIDDLE_WEIGHT * fabs(parts[p] - 0.5) + gap);
        }
    }
    return choice.best;
}

struct text_place label_place_around(const struct scene *scene, struct point centre, double radius,
                                     struct point size) {
    assert(radius >= 0);
    static const struct point ways[] = {{0, 1},       {0, -1},       {0.5, 0.86}, {-0.5, 0.86},
                                        {0.5, -0.86}, {-0.5, -0.86}, {1, 0},      {-1, 0},
                                        {0.8, 0.6},   {-0.8, 0.6},   {0.8, -0.6}, {-0.8, -0.6}};
    struct label_choice choice = {scene, NULL, NULL, 0, HUGE_VAL, {centre, ALIGN_LEFT}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct point from = {centre.x + ways[i].x * radius, centre.y + ways[i].y * radius};
        offer(&choice, from, ways[i], size, (double)i);
    }
    return choice.best;
}
