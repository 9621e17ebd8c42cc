/* Costs are sums over everything that is there. */
#include "plane/scene.h"

#include <assert.h>
#include <math.h>

enum {
    NEAR = 12,           /* texts of an edge that are so near are one */
    GAP = 3,             /* that texts leave between each other and to lines */
    TEXT_WEIGHT = 40,    /* of a unit of area that texts have in common, to its root */
    LINE_WEIGHT = 8,     /* of a unit of a line that runs through a text */
    CROSS_WEIGHT = 150,  /* of a crossing of lines */
    WRONG_WEIGHT = 1000, /* of a text that seems to belong to another line */
    CLEARLY = 4          /* so much nearer its own line has to be */
};

enum align align_towards(struct point way) {
    return way.x > 0.6 ? ALIGN_LEFT : way.x < -0.6 ? ALIGN_RIGHT : ALIGN_CENTRE;
}

/* Nothing is in the way yet. */
void scene_init(struct scene *scene, struct arena *arena) {
    *scene = (struct scene){.arena = arena};
}

void scene_add_box(struct scene *scene, struct box box) {
    VEC_PUSH(scene->arena, &scene->texts, (struct scene_text){box, NULL, 0});
}

/* Copies the points; there are two or more. */
void scene_add_line(struct scene *scene, const void *owner, const struct point *points,
                    uint32_t count) {
    assert(owner && count >= 2);
    for (uint32_t i = 0; i + 1 < count; i++)
        VEC_PUSH(scene->arena, &scene->lines,
                 (struct scene_line){points[i], points[i + 1], box_around(points[i], points[i + 1]),
                                     owner});
}

static struct box grown(struct box box, double by) {
    return (struct box){box.left - by, box.top - by, box.right + by, box.bottom + by};
}

static double distance_to_owner(const struct scene *scene, const void *owner, struct box box) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < scene->lines.count; i++) {
        const struct scene_line *line = &scene->lines.items[i];
        if (line->owner == owner) least = fmin(least, box_distance(box, line->from, line->to));
    }
    return least;
}

void scene_add_text(struct scene *scene, const void *owner, struct box box) {
    struct scene_text *last =
        scene->texts.count ? &scene->texts.items[scene->texts.count - 1] : NULL;
    if (last && owner && last->owner == owner && box_common_area(grown(last->box, NEAR), box) > 0) {
        last->box = box_joined(last->box, box);
        last->distance = distance_to_owner(scene, owner, last->box);
        return;
    }
    double distance = owner ? distance_to_owner(scene, owner, box) : 0;
    VEC_PUSH(scene->arena, &scene->texts, (struct scene_text){box, owner, distance});
}

void scene_remove_texts(struct scene *scene, const void *owner) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->texts.count; i++)
        if (scene->texts.items[i].owner != owner)
            scene->texts.items[count++] = scene->texts.items[i];
    scene->texts.count = count;
}

double scene_cost_of_text(const struct scene *scene, const void *owner, struct box box,
                          const struct point *points, uint32_t count, double most) {
    struct box wide = grown(box, GAP);
    double cost = 0, own = box_distance_to_path(box, points, count), least = HUGE_VAL;
    for (uint32_t i = 0; i < scene->texts.count && cost < most; i++)
        cost += TEXT_WEIGHT * sqrt(box_common_area(wide, scene->texts.items[i].box));
    for (uint32_t i = 0; i < scene->lines.count && cost < most; i++) {
        const struct scene_line *line = &scene->lines.items[i];
        double gap = box_gap(wide, line->box);
        if (gap > 0 && (!owner || gap > own + CLEARLY)) continue;
        cost += LINE_WEIGHT * box_length_inside(wide, line->from, line->to);
        if (line->owner != owner) least = fmin(least, box_distance(box, line->from, line->to));
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        cost += LINE_WEIGHT * box_length_inside(box, points[i], points[i + 1]);
    bool is_clear = !owner || least >= own + CLEARLY;
    return is_clear ? cost : cost + WRONG_WEIGHT + own - least;
}

static double cost_of_stretch(const struct scene *scene, const void *owner, struct point from,
                              struct point to) {
    double cost = 0;
    struct box around = box_around(from, to);
    for (uint32_t i = 0; i < scene->lines.count; i++) {
        const struct scene_line *line = &scene->lines.items[i];
        if (box_gap(around, line->box) > 0) continue;
        if (line->owner != owner && lines_cross(from, to, line->from, line->to))
            cost += CROSS_WEIGHT;
    }
    for (uint32_t i = 0; i < scene->texts.count; i++) {
        const struct scene_text *text = &scene->texts.items[i];
        if ((text->owner == owner && owner) || box_gap(around, text->box) > GAP) continue;
        cost += LINE_WEIGHT * box_length_inside(grown(text->box, GAP), from, to);
    }
    return cost;
}

/* Crossings and touched boxes count; comparable with costs of other lines only. */
double scene_cost_of_line(const struct scene *scene, const void *owner, const struct point *points,
                          uint32_t count) {
    double cost = 0;
    struct box around = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i + 1 < count; i++)
        around = box_joined(around, box_around(points[i], points[i + 1]));
    for (uint32_t i = 0; i + 1 < count; i++)
        cost += cost_of_stretch(scene, owner, points[i], points[i + 1]);
    for (uint32_t i = 0; i < scene->texts.count; i++) {
        const struct scene_text *text = &scene->texts.items[i];
        if (text->owner && text->owner != owner &&
            box_gap(around, text->box) < text->distance + CLEARLY &&
            box_distance_to_path(text->box, points, count) < text->distance + CLEARLY)
            cost += WRONG_WEIGHT;
    }
    return cost;
}

/* Marks are to be returned to innermost first. */
struct scene_mark scene_mark(const struct scene *scene) {
    return (struct scene_mark){scene->texts.count, scene->lines.count};
}

/* What was added after the mark goes. */
void scene_return(struct scene *scene, struct scene_mark mark) {
    assert(mark.texts <= scene->texts.count && mark.lines <= scene->lines.count);
    assert(mark.texts <= scene->texts.count && mark.lines <= scene->lines.count);
    scene->texts.count = mark.texts;
    scene->lines.count = mark.lines;
}
