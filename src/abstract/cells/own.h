/* OWN - cells that one process writes, and what they hold at its locations (F15).
 *
 *     bool voted[3];   V(id): l -> k, update voted[id] = true        at l it is false, at k true
 *
 * What a touched cell holds at a location is followed along the edges of the template.
 *
 * Invariants: over: at the location, the cell of each process is of one of the kinds.
 * Lifetime:   in the arena of the context.
 */
#pragma once

#include "abstract/cells/cases.h"

enum { OWN_MAX_PROCESSES = 1 << 14 };

/* One edge of a group, with all its members. */
struct own_edge {
    struct touched_edge *touched;
    const struct member_list *members;
};

/* Sets what is known of the terms of all edges of a group, whose kinds are all found. */
void own_find(struct cell_group *group, const struct own_edge *edges, uint32_t count);

/* By kind: what cell c of a case can be; NULL = any kind of its zone. */
const bool *own_kinds(const struct touched_edge *touched, const struct cell_case *of, uint32_t c);
/* Whether the cells of a member may be of its kinds where its edge begins. */
bool own_admits(const struct touched_edge *touched, const struct cell_member *member);
