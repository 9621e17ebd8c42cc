/* SHAPE - points, boxes and lines of a drawing, and how they lie to each other.
 *
 * Units: those of Uppaal's editor; y grows downwards.
 * Invariants: a box that is empty has left > right.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct point {
    double x, y;
};

struct box {
    double left, top, right, bottom;
};

struct box box_joined(struct box a, struct box b);
struct box box_shifted(struct box box, struct point move);
/* Of the line from a to b. */
struct box box_around(struct point a, struct point b);
/* At most the distance of two boxes; 0 or less if they touch. */
double box_gap(struct box a, struct box b);
/* The area that two boxes have in common. */
double box_common_area(struct box a, struct box b);
/* Length of the part of a line from a to b that is in the box. */
double box_length_inside(struct box box, struct point a, struct point b);
/* The least distance between a box and a line from a to b; 0 if they touch. */
double box_distance(struct box box, struct point a, struct point b);
/* The same for a line through all the points; huge for no line. */
double box_distance_to_path(struct box box, const struct point *points, uint32_t count);
/* A box of that size that lies in a direction of a point, with length 1, and touches it. */
struct box box_towards(struct point at, struct point way, struct point size);
/* Whether the lines from a to b and from c to d cross; touching ends do not count. */
bool lines_cross(struct point a, struct point b, struct point c, struct point d);
