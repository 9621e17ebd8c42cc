/* LOOP - where a loop around a node goes, and its text with it. */
#pragma once

#include "plane/scene.h"

enum { LOOP_POINTS = 16, LOOP_MOST = 40 }; /* around one node */

struct loop {
    struct point points[LOOP_POINTS]; /* from the centre of the node to the same */
    uint32_t count;
    struct point tip;
    struct text_place text; /* beyond the tip */
};

/* One of several loops around a node. */
struct loop_request {
    const void *owner;
    struct point size; /* of its text; (0, 0) for none */
};

/* At most LOOP_MOST loops around the centre, with their tips away from what is in the way, and adds
 * them and their texts to the scene. Straight loops have two corners, as nails make them; others
 * are curves. */
void loops_place(struct scene *scene, struct point centre, const struct loop_request *requests,
                 struct loop *loops, uint32_t count, bool is_straight);
