/* SCENE - what stands in a drawing already, and how well something more would stand there.
 *
 * A scene has nodes, lines and texts. Lines and texts belong to an edge, which is known by any
 * address. A text stands well if it covers nothing, no line runs through it, and it is nearer to
 * the line of its own edge than to any other one. A line stands well if it crosses nothing, and
 * no text is nearer to it than to its own line. Costs say how far something is from that.
 *
 * Lifetime: everything lives in the arena.
 * Cost:     linear in what stands there, for each question; what is far away costs little.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "plane/shape.h"

/* How the lines of a text lie in its box. */
enum align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT };

/* A place for a text: the top left corner of its box. */
struct text_place {
    struct point at;
    enum align align;
};

struct scene_text {
    struct box box;
    const void *owner; /* NULL for nodes and their names */
    double distance;   /* to the line of its owner */
};

struct scene_line {
    struct point from, to;
    struct box box; /* around it */
    const void *owner;
};

struct scene {
    struct arena *arena;
    VEC(struct scene_text) texts; /* and nodes */
    VEC(struct scene_line) lines;
};

/* That of a text that lies in a direction of what it belongs to. */
enum align align_towards(struct point way);

void scene_init(struct scene *scene, struct arena *arena);
/* A node, or a text that belongs to one. */
void scene_add_box(struct scene *scene, struct box box);
void scene_add_line(struct scene *scene, const void *owner, const struct point *points,
                    uint32_t count);
/* The line of the owner has to be there. Texts of one owner that touch are one text if they are
 * added one after the other. */
void scene_add_text(struct scene *scene, const void *owner, struct box box);
/* Takes out what belongs to the owner. */
void scene_remove_texts(struct scene *scene, const void *owner);

/* What is there now, to return to it when more has been added. */
struct scene_mark {
    uint32_t texts, lines;
};
struct scene_mark scene_mark(const struct scene *scene);
void scene_return(struct scene *scene, struct scene_mark mark);

/* 0 = nothing is in the way. The line of the owner is that given, not one of the scene. A cost of
 * most or more is not counted to its end. */
double scene_cost_of_text(const struct scene *scene, const void *owner, struct box box,
                          const struct point *points, uint32_t count, double most);
double scene_cost_of_line(const struct scene *scene, const void *owner, const struct point *points,
                          uint32_t count);
