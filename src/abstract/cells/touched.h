/* TOUCHED - one edge that touches cells of a group, read as text over the touched cells (F7).
 *
 *     select i : card, v : int[0,2]    guard x > 0 && c[i] == 1    update c[i] = v, x = 0
 *
 *     terms       i             the cell c[i], whose fields are placeholders from now on
 *     conjuncts   x > 0         visible
 *                 #c == 1       of cells
 *     items       #c = v        a write of the term
 *                 x = 0         visible
 *
 * A select is listed if its values are enumerated: as part of an index, or as data of
 * cells. An index is seen if kept text names it: a channel, a visible assignment, a
 * comparison with what is visible.
 *
 * An edge out of the scope of the group (S6) is read if it gives all cells new values: then only
 * the guard, and what comes before that, is about cells.
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/quantifier.h"

enum { TOUCHED_MAX_TERMS = 3, TOUCHED_MAX_SELECTS = 8, TOUCHED_MAX_VALUES = 4 };

/* A[e1][e2]: all fields of the record there. */
struct cell_term {
    const struct expr *index[CELLS_MAX_DIMENSIONS];
    struct symbol *placeholders[CELLS_MAX_FIELDS]; /* its values when they are read */
    bool is_pointed;                               /* the index is the pointer of the group (F17) */
    const struct expr *seen; /* the visible index; NULL = hidden or constant */
    const char *seen_in;     /* where, as text; NULL = it is visible itself */
    /* By zone: kinds that it has where the edge begins; NULL = any, or it is no cell that the
     * process alone writes (own.h). */
    bool (*known)[CELLS_MAX_KINDS];
};

enum cell_conjunct_kind { CONJUNCT_OF_SELECTS, CONJUNCT_VISIBLE, CONJUNCT_OF_CELLS };
struct cell_conjunct {
    enum cell_conjunct_kind kind;
    const struct expr *expr, *original;
};

enum cell_item_kind {
    ITEM_VISIBLE,
    ITEM_WRITE,
    ITEM_DROPPED,
    ITEM_GIFT /* of a deal or a mapping */
};
struct cell_item {
    enum cell_item_kind kind;
    const struct expr *original;
    const struct expr *expr; /* visible: the item; write: the new value */
    uint32_t term, field;    /* write */
    bool is_by_case;         /* visible: of another merge, with a value that selects say (F14) */
};

struct cell_deal;
struct cell_mapping;

struct touched_edge {
    struct cell_group *group;
    const struct template *template;
    const struct edge *edge;
    uint32_t edge_index;
    struct cell_term terms[TOUCHED_MAX_TERMS];
    uint32_t term_count;
    VEC(struct cell_conjunct) conjuncts;
    VEC(struct cell_quantifier) quantifiers; /* conjuncts, too */
    VEC(struct cell_item) items;
    bool *is_listed; /* by select */
    bool *is_data;   /* by listed select: its value counts, not only the cell that it leads to */
    bool writes;
    const struct cell_deal *deal;       /* if the edge is one: then it has no terms (deal.h) */
    const struct cell_mapping *mapping; /* likewise (mapping.h) */
    /* S6: the edge leaves the scope of the group, and this gives all cells values that they keep;
     * or NULL. */
    const struct cell_mapping *replacement;
};

/* Reads an edge that names arrays of the group; NULL, and the group is refused, if it does not fit.
 */
struct touched_edge *touched_edge_read(struct cell_group *group, const struct template *template,
                                       uint32_t index, const struct cell_deal *deal,
                                       const struct cell_mapping *mapping);
