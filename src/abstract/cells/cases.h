/* CASES - which cells an edge may touch, and what it does to them (F7).
 *
 * A case says which terms are the same cell, the zone of each touched cell, and the values of
 * selects that are data. A member is a case with a kind for each cell, with which the guard can
 * hold: what is left of guard and update, and what each cell becomes.
 *
 *     c[i] == 1 && c[j] == 1, c[i] = 0     case i, j one cell     member 1         becomes 0
 *                                          case i, j two cells    member 1, 1      becomes 0, 1
 *
 * A case is closed if all combinations of different cells of its zones can be touched: then only
 * kinds decide. `i > j` is not.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/touched.h"

enum {
    CASES_MAX_PAIRS = 1 << 14,
    CASES_MAX = 512,
    CASES_MAX_TRIALS = 1 << 20,
    CASES_MAX_MEMBERS = 1 << 14
};

struct cell_case {
    uint32_t cell_count;                 /* different cells */
    uint32_t cell_of[TOUCHED_MAX_TERMS]; /* by term */
    uint32_t zone[TOUCHED_MAX_TERMS];    /* by cell */
    bool is_seen[TOUCHED_MAX_TERMS];     /* by cell: its index stays visible */
    int32_t values[TOUCHED_MAX_SELECTS]; /* of selects that are data */
    int32_t others[TOUCHED_MAX_VALUES];  /* of other merges that change, by item that does it */
    uint64_t count;                      /* in how many ways cells are touched like this */
    /* pairs of positions, by first * positions + second; NULL: not two cells, or too many
     * positions */
    bool *pairs;
    bool is_closed;
    /* Set when its members have been looked for: */
    uint32_t number;                   /* of the case, among those of the edge */
    uint32_t tried[TOUCHED_MAX_TERMS]; /* by cell: so many kinds were looked at */
    bool is_tried;
};

/* Cases by number; NULL, and the group is refused, if there are too many. */
struct case_list {
    VEC(struct cell_case *) list;
};
bool cases_find(const struct touched_edge *touched, struct case_list *cases);

struct cell_member {
    const struct cell_case *of;
    uint32_t kind[TOUCHED_MAX_TERMS];    /* by cell */
    uint32_t becomes[TOUCHED_MAX_TERMS]; /* by cell; NO_SLOT = depends on what is visible */
    const struct expr *becomes_values[TOUCHED_MAX_TERMS][CELLS_MAX_FIELDS]; /* by cell, field */
    const struct expr *guard;  /* over visible variables; NULL = true */
    const struct expr **items; /* visible ones, as they become; by item, NULL = no visible one */
};
struct member_list {
    VEC(struct cell_member *) list;
};
/* Adds the members with kinds that have come since the last time; false, and the group is refused,
 * if there are too many or something cannot be said. Kinds that cells become are added where they
 * are missing. */
bool members_find(const struct touched_edge *touched, const struct case_list *cases,
                  struct member_list *members);
/* By case, and then by kinds. */
void members_sort(struct member_list *members);
