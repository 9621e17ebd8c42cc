/* LABEL - where the text of an edge goes, and that of a node. */
#pragma once

#include "plane/scene.h"

/* A place of that size beside a line, near its middle if there is room. */
struct text_place label_place_beside(const struct scene *scene, const void *owner,
                                     const struct point *points, uint32_t count, struct point size);
/* The same around a node, below it if there is room. */
struct text_place label_place_around(const struct scene *scene, struct point centre, double radius,
                                     struct point size);
