/* Tries all directions, and longer loops where there is no room for short ones. */
#include "plane/loop.h"

#include <assert.h>
#include <math.h>

enum {
    DIRECTIONS = 16,
    REACH_COUNT = 7,
    TIP = 6,          /* around the tip nothing else should be */
    PLAN_MOST = 16,   /* loops that are worth several attempts */
    PLAN_SCENE = 600, /* and what may be there then */
    GAP = 4,          /* between the loop and its text */
    REACH_WEIGHT = 1
};

static const double reaches[REACH_COUNT] = {46, 64, 86, 112, 144, 190, 250};

static struct point along(struct point from, double angle, double length) {
    return (struct point){from.x + length * cos(angle), from.y + length * sin(angle)};
}

static void set_straight(struct loop *loop, struct point centre, double angle, double reach) {
    assert(reach > 0);
    double half = fmin(atan(16 / reach), 0.3);
    loop->points[0] = centre;
    loop->points[1] = along(centre, angle - half, reach);
    loop->points[2] = along(centre, angle + half, reach);
    loop->points[3] = centre;
    loop->count = 4;
}

/* A curve of Bezier with both ends in the centre. */
static void set_curve(struct loop *loop, struct point centre, double angle, double reach) {
    assert(reach > 0);
    double half = fmin(atan(0.45 * 46 / reach), 0.4), far = reach * 4 / 3 / cos(half);
    struct point a = along(centre, angle - half, far), b = along(centre, angle + half, far);
    loop->count = LOOP_POINTS;
    for (int i = 0; i < LOOP_POINTS; i++) {
        double t = i / (LOOP_POINTS - 1.0), s = 1 - t;
        double ends = s * s * s + t * t * t, first = 3 * s * s * t, second = 3 * s * t * t;
        loop->points[i] = (struct point){ends * centre.x + first * a.x + second * b.x,
                                         ends * centre.y + first * a.y + second * b.y};
    }
}

/* The text stands beyond the tip, to the side to which the loop points. */
static void set_text(struct loop *loop, struct point centre, double angle, double reach,
                     struct point size) {
    struct point way = {cos(angle), sin(angle)};
    loop->tip = along(centre, angle, reach);
    struct box box = box_towards(along(centre, angle, reach + GAP), way, size);
    loop->text = (struct text_place){{box.left, box.top}, align_towards(way)};
}

static struct box box_of(const struct loop *loop, struct point size) {
    struct point at = loop->text.at;
    return (struct box){at.x, at.y, at.x + size.x, at.y + size.y};
}

static double cost_of(const struct scene *scene, const struct loop_request *request,
                      const struct loop *loop) {
    struct point rough[LOOP_POINTS], tip = loop->tip;
    uint32_t count = 0;
    for (uint32_t i = 0; i<loop->count; i += loop->count> 4 ? 3 : 1)
        rough[count++] = loop->points[i];
    assert(count >= 2 && count <= LOOP_POINTS);
    double cost = scene_cost_of_line(scene, request->owner, rough, count);
    struct box around = {tip.x - TIP, tip.y - TIP, tip.x + TIP, tip.y + TIP};
    cost += scene_cost_of_text(scene, NULL, around, NULL, 0, HUGE_VAL);
    if (request->size.y > 0)
        cost += scene_cost_of_text(scene, request->owner, box_of(loop, request->size), rough, count,
                                   HUGE_VAL);
    return cost;
}

/* The one that costs least among those that reach as far as that, or further. */
static double place(const struct scene *scene, struct point centre,
                    const struct loop_request *request, int from, bool is_straight,
                    struct loop *best) {
    double least = HUGE_VAL;
    for (int r = from; r < REACH_COUNT && REACH_WEIGHT * reaches[r] < least; r++)
        for (int i = 0; i < DIRECTIONS; i++) { /* upwards first, then to both sides in turn */
            int turns = (i + 1) / 2 * (i % 2 ? 1 : -1);
            double angle = (turns * 2.0 / DIRECTIONS - 0.5) * acos(-1);
            struct loop loop;
            if (is_straight)
                set_straight(&loop, centre, angle, reaches[r]);
            else
                set_curve(&loop, centre, angle, reaches[r]);
            set_text(&loop, centre, angle, reaches[r], request->size);
            double cost = REACH_WEIGHT * reaches[r] + cost_of(scene, request, &loop);
            if (cost >= least) continue;
            least = cost;
            *best = loop;
        }
    return least;
}

static double place_all(struct scene *scene, struct point centre,
                        const struct loop_request *requests, struct loop *loops, uint32_t count,
                        int from, bool is_straight) {
    double cost = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct loop_request *request = &requests[i];
        cost += place(scene, centre, request, from, is_straight, &loops[i]);
        scene_add_line(scene, request->owner, loops[i].points, loops[i].count);
        if (request->size.y > 0)
            scene_add_text(scene, request->owner, box_of(&loops[i], request->size));
    }
    return cost;
}

/* Short loops take the room of later ones, so longer ones are tried for all, too. */
void loops_place(struct scene *scene, struct point centre, const struct loop_request *requests,
                 struct loop *loops, uint32_t count, bool is_straight) {
    assert(count <= LOOP_MOST);
    struct scene_mark mark = scene_mark(scene);
    double least = HUGE_VAL;
    int best = 0;
    bool is_worth_it = count > 1 && count <= PLAN_MOST && mark.texts + mark.lines <= PLAN_SCENE;
    for (int from = 0; from < REACH_COUNT && is_worth_it; from++) {
        double cost = place_all(scene, centre, requests, loops, count, from, is_straight);
        if (cost < least) best = from;
        least = fmin(least, cost);
        scene_return(scene, mark);
    }
    place_all(scene, centre, requests, loops, count, best, is_straight);
}
