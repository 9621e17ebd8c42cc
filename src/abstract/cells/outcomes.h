/* OUTCOMES - what an edge that touches cells does, said of the merged values (F7 to F10).
 *
 * Members that leave the same guard over visible variables, do the same to these, and change sums
 * by the same are a class. A class has an outcome for each way in which folds that are no sums
 * change. An outcome may be where some tuple of cells with the merged values has a member of it; it
 * must be where every such tuple has.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/cases.h"
#include "abstract/cells/counts.h"
#include "abstract/cells/mapping.h"
#include "abstract/cells/totals.h"

enum { OUTCOME_SAME = INT32_MIN }; /* the fold keeps its value */

struct cell_class {
    const struct expr *guard;                  /* over visible variables; NULL = true */
    const struct expr **items;                 /* by item; NULL = no visible one */
    int64_t deltas[CELLS_MAX_FOLDS];           /* of sums */
    const struct expr *parts[CELLS_MAX_FOLDS]; /* added to them; NULL = nothing */
    VEC(const struct cell_member *) members;
};

struct cell_outcome {
    const struct cell_class *class;
    int32_t becomes[CELLS_MAX_FOLDS]; /* of folds that are no sums, or OUTCOME_SAME */
    /* What the merged values become, of a deal or a mapping; or NULL. Of a mapping, perhaps mapped
     * says it instead. */
    const int32_t *values;
    const struct mapped *mapped;
    const struct expr *may, *must; /* over merged values; NULL = always */
    bool is_exact;                 /* they are the same; under */
};

/* Why an outcome is not exact (F11). */
struct cell_reason {
    const char *text;       /* all of it */
    const char *rule;       /* "F8" */
    const char *part;       /* of the edge: "guard", "update", or "edge" */
    const char *expression; /* that part; NULL = the edge */
    position at;            /* of it, or of the edge */
    /* Arguments of --merge that count what is missing, and, where an edge gives all cells new
     * values, what becomes of that. */
    const char *const *merges;
    uint32_t merge_count;
};

struct outcome_list {
    VEC(struct cell_outcome) list;
    VEC(struct cell_reason) reasons; /* set by the plan */
};

/* Counts are used if there are some, else totals. */
void outcomes_find(const struct touched_edge *touched, const struct member_list *members,
                   const struct counts *counts, const struct totals *totals,
                   struct outcome_list *outcomes);
