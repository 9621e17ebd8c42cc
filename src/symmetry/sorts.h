/* SORTS - which places of a model hold names of the same things (rules Y1 to Y4).
 *
 * A place for a value (a variable, a cell of an array, an index, a parameter, a literal) has a
 * sort variable. Places that meet are of one sort: their variables are joined, with an offset where
 * one names an element by another number, as in `vote = i + 1`. An element of a sort is
 * the number that the root of its variables has for it.
 *
 * Invariants: a variable's value is the element plus its offset.
 * Lifetime:   in the arena given; symbols and expressions are those of the model.
 * Errors:     what no renaming keeps breaks a sort; the first reason is kept, with its place.
 */
#pragma once

#include "base/vec.h"
#include "model/network.h"

#define SORT_NEVER INT64_MIN
#define SORT_ALWAYS INT64_MAX

/* The form of a place: a cell, or the index of an array and what it consists of, or fields. */
struct sort_tree {
    enum { SORT_CELL, SORT_ARRAY, SORT_STRUCT, SORT_NOTHING } kind;
    uint32_t variable; /* of the cell, or of the index */
    const struct sort_tree *element;
    const struct sort_tree **fields;
    uint32_t field_count;
};

/* Values from lower to upper of a variable are told apart from the others (Y4). */
struct sort_cut {
    uint32_t variable;
    int64_t lower, upper;
    bool is_range;            /* declared: these are all that the place can hold */
    bool is_source;           /* and it takes them all: a select, an index, a parameter */
    const struct type *named; /* the declared type, if it is the use of a typedef */
    struct span span;
};

struct sort_variable {
    uint32_t parent;
    int64_t offset;     /* to the parent's value */
    const char *broken; /* of a root: why no renaming keeps the sort, or NULL */
    struct span broken_at;
};

/* A number in the text, and the variable of its place (Y5). */
struct sort_literal {
    uint32_t variable;
    int64_t value;
};

struct sorts {
    struct arena *arena;
    const struct network *network;
    struct environment *environment; /* for the bounds of types */
    VEC(struct sort_variable) variables;
    VEC(struct sort_cut) cuts;
    struct map trees;                              /* by symbol: struct sort_tree */
    struct map results;                            /* by function: the tree of what it returns */
    struct map literals;                           /* by expression: struct sort_literal, */
    VEC(const struct sort_literal *) literal_list; /* and all of them */
    struct map loops;    /* by statement: a loop that counts over a range (struct count_loop) */
    struct map counting; /* by symbol: the variable of such loops */
    struct map skipped;  /* by statement: belongs to the head of such a loop */
    VEC(const struct function *) functions; /* that are called */
    const struct sort_tree *plain;          /* of values that are no names of anything */
    const char *refusal;                    /* why nothing may change places, or NULL */
    struct span refused_at;
};

void sorts_init(struct sorts *sorts, struct arena *arena, const struct network *network,
                struct environment *environment);

uint32_t sort_new(struct sorts *sorts);
/* The root, and what a value of the variable is more than the element. */
uint32_t sort_find(const struct sorts *sorts, uint32_t variable, int64_t *offset);
/* Equal values of both are the same element. */
void sort_join(struct sorts *sorts, uint32_t left, uint32_t right, struct span span);
/* A variable with values that are so much more than those of another one (Y2). */
uint32_t sort_shifted(struct sorts *sorts, uint32_t variable, int64_t by);
void sort_break(struct sorts *sorts, uint32_t variable, const char *why, struct span span);
void sort_cut_at(struct sorts *sorts, uint32_t variable, int64_t lower, int64_t upper,
                 struct span span);

/* Trees: of a cell, joined, broken. */
const struct sort_tree *tree_of_cell(struct sorts *sorts, uint32_t variable);
void tree_join(struct sorts *sorts, const struct sort_tree *left, const struct sort_tree *right,
               struct span span);
void tree_break(struct sorts *sorts, const struct sort_tree *tree, const char *why,
                struct span span);
/* That of a declared name, made when it is asked for first. */
const struct sort_tree *tree_of_symbol(struct sorts *sorts, const struct symbol *symbol);
/* The tree of what a function returns; what it consists of is looked at later. */
const struct sort_tree *tree_of_result(struct sorts *sorts, const struct function *function);

/* The value of a number in the text: literals, global constants, and what is computed of them. */
bool number_in_text(const struct expr *expr, int64_t *value);
