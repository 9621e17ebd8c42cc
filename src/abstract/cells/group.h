/* GROUP - merges that are folds over the cells of arrays, and the cells that they fold (F6).
 *
 * A record is what the arrays of a group hold at one index; a kind is a record that some cell may
 * have. Cells that all folds treat alike, and all selects and constants of labels, make a zone:
 *
 *     m = sum(i : card) owner[i] == 1         one zone: all cards    kinds 0, 1, 2: weights 0, 1, 0
 *     m = (c[0] == 2) + (c[1] == 2)           and a label reads c[0]: two zones
 *
 * Invariants: each cell of a zone has one of its kinds in every state and between steps; over.
 * Lifetime:   in the arena of the context.
 */
#pragma once

#include "abstract/facts/context.h"

enum {
    CELLS_MAX_FOLDS = 8,
    CELLS_MAX_FIELDS = 8, /* cells of one record */
    CELLS_MAX_KINDS = 64, /* of one zone */
    CELLS_MAX_ZONES = 32, /* of one group */
    CELLS_MAX_DIMENSIONS = 3,
    CELLS_MAX_POSITIONS = 1 << 17,
    CELLS_MAX_CHOSEN = 32 /* on an edge out of the scope of a group, by values (S6) */
};

struct cell_mapping;

/* One scalar of a record. */
struct cell_field {
    const struct removal *removal; /* of the array; of the pointer, if it is that field */
    uint32_t offset;               /* in the element of its array */
    int32_t lower, upper;
    bool is_bool;
    struct symbol *placeholder; /* stands for it in operands of folds */
};

/* value == base op h(record 0) op h(record 1) op .. */
struct cell_fold {
    const struct ghost *ghost;
    enum op op; /* OP_ADD, OP_BIT_XOR, OP_AND, OP_OR, OP_MIN or OP_MAX */
    int32_t base;
    bool has_base;
    bool is_pointed; /* a sum of what only the cell adds to which the pointer leads */
};

struct cell_kind {
    int32_t *values;  /* by field */
    int32_t *weights; /* h, by fold; set when all kinds are known */
};

/* A kind of one zone. */
struct kind_place {
    uint32_t zone, kind;
};

struct cell_zone {
    uint32_t size;                /* positions */
    const struct expr **operands; /* h, by fold, over placeholders; NULL = does not take part */
    VEC(struct cell_kind) kinds;
};

struct cell_group {
    struct context *context;
    struct cell_fold *folds;
    uint32_t fold_count;
    /* The scope of its merges, by location of their template (S5); NULL = everywhere. Edges into it
     * and out of it are folded by values. */
    const bool *scope;
    VEC(const struct removal *) arrays;
    VEC(struct cell_field) fields;
    /* An index that is removed with the arrays (F17): it leads to one cell, whose last field is 1;
     * NULL = there is none. */
    const struct removal *pointer;
    uint32_t dimension_count;
    int32_t lower[CELLS_MAX_DIMENSIONS];
    uint32_t size[CELLS_MAX_DIMENSIONS];
    uint32_t position_count;
    uint32_t *zone_of; /* by position */
    struct cell_zone *zones;
    uint32_t zone_count;
    uint32_t placeholder_count;
    VEC(const struct cell_mapping *) mappings; /* of edges that give all cells new values (F16) */
    VEC(const char *) proposals; /* merges that reports name: types and expressions (reason.h) */
    position at;                 /* what why_not is about; 0 = the merge */
    const char *why_not;         /* it is not folded by cells; NULL = it is */
};

/* A part of a record: a path to a scalar below an array of a group. */
struct record_path {
    uint32_t field;
    const struct expr *index[CELLS_MAX_DIMENSIONS];
};

/* The groups of the merges of a request; all ghosts that are folds are in one. */
struct cell_groups {
    VEC(struct cell_group *) list;
};

void cell_groups_find(struct context *context, struct cell_groups *groups);
/* Notes why a group is not folded by cells, if it is the first reason. False. */
bool cell_group_refuse(struct cell_group *group, position at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether the symbol is an array of the group; whether an expression is its pointer; and whether
 * the symbol is one of its ghosts. */
bool cell_group_has(const struct cell_group *group, const struct symbol *symbol);
bool cell_is_pointer(const struct cell_group *group, const struct expr *expr);
bool cell_group_follows(const struct cell_group *group, const struct symbol *symbol);
/* False if an expression is no path to a scalar below an array of the group. */
bool record_path_parse(const struct cell_group *group, const struct expr *expr,
                       struct record_path *path);
/* Replaces paths with constant indices by the placeholders of the group; notes the position that
 * they lead to. NULL if it is another one than *found, which is NO_SLOT or a position, or there are
 * two. */
const struct expr *cell_over_record(struct cell_group *group, const struct expr *expr,
                                    uint32_t *found);
/* A name that no other placeholder has. */
const char *cell_placeholder_name(struct cell_group *group);
/* The position that indices lead to; false if they lead to none. */
bool cell_position(const struct cell_group *group, const int64_t *index, uint32_t *found);

/* Whether a kind is that of the cell to which the pointer leads. */
static inline bool cell_kind_is_pointed(const struct cell_group *group,
                                        const struct cell_kind *kind) {
    return group->pointer && kind->values[group->fields.count - 1];
}
/* Whether an edge neither enters the scope of the group nor leaves it, nor lies outside. */
static inline bool cell_group_counts(const struct cell_group *group,
                                     const struct template *template, const struct edge *edge) {
    return !group->scope || (template == group->folds[0].ghost->template &&
                             group->scope[edge->source] && group->scope[edge->target]);
}
/* Two values under the operator of a fold; sums fit, as all totals do. */
int32_t cell_join(enum op op, int32_t left, int32_t right);
/* Whether what one cell adds can be taken away again. */
static inline bool cell_fold_is_sum(const struct cell_fold *fold) { return fold->op == OP_ADD; }
