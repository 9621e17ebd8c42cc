/* MAPPING - an edge that gives all cells new values at once, each by what it held before (F16).
 *
 *     void clear() { for (i : voter) vote[i] = 0; }         c[0] = c[0] == 1 ? 2 : 0, c[1] = ..
 *
 * Assignments to cells with constant indices, and calls of functions that consist of loops,
 * conditions and assignments to single cells. What a cell gets depends on constants and on itself
 * alone.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/counts.h"

enum { MAPPING_MAX_STEPS = 1 << 16 };

/* The mapping that the update of an edge is; NULL if it is none, or only assignments, and to most
 * cells at most. The group is not refused. */
const struct cell_mapping *mapping_read(struct cell_group *group, const struct edge *edge,
                                        uint32_t most);
/* Whether an item of the update is a part of it. */
bool mapping_has(const struct cell_mapping *mapping, const struct expr *item);
/* Whether all cells get values that are the same whatever they held before. */
bool mapping_replaces(const struct cell_group *group, const struct cell_mapping *mapping);
/* Splits zones, so that all cells of one are mapped alike. False if there are too many. */
bool mapping_split(struct cell_group *group, const struct cell_mapping *mapping);
/* Adds the kinds that cells get. False, and the group is refused, if there are too many, or a value
 * may not fit. */
bool mapping_add_kinds(struct cell_group *group, const struct cell_mapping *mapping);

/* What the merged values become, said by what they are. */
struct mapped {
    const int32_t *values;       /* by fold, if they are constants; else NULL */
    const struct expr **changes; /* assignments, one after the other; NULL = nothing */
    uint32_t change_count;
};
/* False if it does not follow from them. The kinds have their weights. */
bool mapping_find(const struct cell_group *group, const struct cell_mapping *mapping,
                  const struct counts *counts, struct mapped *mapped);
/* Whether all mappings of the group follow if cells of these kinds are counted as well, each kind
 * by itself. */
bool mappings_follow(const struct cell_group *group, const struct kind_place *counted,
                     uint32_t count);
