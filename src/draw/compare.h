/* COMPARE - two diagrams of a template as one, with marks on what differs.
 *
 * Nodes are the same if they have the same name, else the same id and place, id, or place. Edges
 * between the same two nodes are the same if nothing on them differs; what is left is paired with
 * the most similar first, if it is similar enough. White space in labels does not count.
 *
 * Invariants: each element of the two is in the result, one that is in both once; what is in the
 *             second has its place there.
 * Bounds:     at most PAIRS_SIDE edges on each side between the same two nodes are paired by
 *             similarity.
 */
#pragma once

#include "draw/diagram.h"

enum { PAIRS_SIDE = 100 };

/* Both are diagrams as read; their notes and points are borrowed. */
struct diagram compare_diagrams(const struct diagram *before, const struct diagram *after,
                                struct arena *arena);
