/* CUTS - where labels and queries tell values of variables, and cells of arrays, from each other.
 *
 * The range of a variable is cut where its values are compared with constants; what is between two
 * cuts is a kind (P2). Values that are computed with need each a kind of its own. Variables that
 * values are copied between have the same cuts. The cells of an array are cut into zones: by the
 * ranges of selects and quantifiers that are its indices, by comparisons of these with constants,
 * and by constant indices, where neighbours are not used alike (P1). Where a variable is set to an
 * index, cuts of its values are borders of zones, and borders are cuts.
 *
 *     card_a = c + 1, owner[c] = 0        card_a > 3       zones of owner: 0..2 and 3..5
 *
 * This is read off the text alone, so it says what may be worth a merge, and proves nothing.
 *
 * Lifetime: everything lives in the arena given.
 */
#pragma once

#include "model/data.h"
#include "model/network.h"

enum { CUTS_MAX_VALUES = 8 }; /* that are each a kind of their own */

struct cut_points { /* least numbers of parts, but for the first part */
    VEC(int64_t) list;
};

/* Variables that values are copied between. */
struct cut_class {
    struct cut_points cuts;
    bool has_values_apart;    /* values are computed with, or go where they are kept */
    struct cut_class *joined; /* private: that it is part of */
};

/* How a cell with a constant index is used, as a number that tells uses apart. */
struct cut_spot {
    int64_t index;
    uint64_t use;
};

struct cut_variable {
    const struct template *template; /* NULL if global */
    const struct symbol *symbol;
    bool is_array;            /* of numbers, of records or of rows of these; else it is a number */
    bool is_bool;             /* its cells are */
    struct data_kind values;  /* of a cell */
    struct data_kind indices; /* of an array */
    struct cut_class *class;
    /* Of an array of records: by field, with cuts of its own, and what stands after the cell.
     * These are not in the list. */
    struct cut_variable **fields;
    uint32_t field_count;        /* 0: it holds numbers */
    struct cut_variable *record; /* of a field, or of what stands for the second index */
    struct cut_variable *inner;  /* of an array of rows: stands for its second index; or NULL */
    const char *path;            /* ".f", of a field */
    struct cut_points borders;   /* of zones */
    VEC(struct cut_spot) spots;  /* private */
    uint32_t first_of_group;     /* variables that are tied to each other: the first of them */
    bool is_index_seen;  /* some index of it is used otherwise, so it tells which cell it is */
    const char *why_not; /* it is not merged; NULL: it may be */
};

struct cut_list {
    VEC(struct cut_variable *) variables; /* in the order of declaration */
};

/* The queries are those that merges are to keep. */
const struct cut_list *cuts_find(struct arena *arena, const struct network *network,
                                 const struct query *queries, uint32_t query_count);

/* The parts of a range, from the least on; false if there are more than so many. */
struct cut_parts {
    VEC(struct data_kind) list;
};
bool cut_parts(struct arena *arena, const struct cut_points *points, struct data_kind range,
               uint32_t most, struct cut_parts *parts);
/* The variable is not merged, so what is copied from it needs all its values.
 * False if that was known. */
bool cut_keep(const struct cut_variable *variable);
/* The kinds of a variable's values, likewise. */
bool cut_kinds(struct arena *arena, const struct cut_variable *variable, uint32_t most,
               struct cut_parts *parts);
