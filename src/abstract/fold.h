/* FOLD - from the forms of a location's edges to the edges of the abstraction (DESIGN section 4).
 *
 * Residuals that are alike (same target, synchronisation, selects and update) make one class; the
 * may-fold gives each class one edge whose guard is the disjunction over its members, the must-fold
 * one whose guard says that for every joint value of the unknowns some member is enabled (U1). A
 * class is exact if both are the same (X1).
 *
 * Classes of one edge that differ only in a value that the update or synchronisation uses become
 * one edge with a select for that value.
 */
#ifndef VARABS_ABSTRACT_FOLD_H
#define VARABS_ABSTRACT_FOLD_H

#include "abstract/open_edge.h"

enum {
    FOLD_MAX_RESIDUALS = 8192, /* of one location */
    FOLD_MAX_JOINT = 4096,     /* tuples of all edges of a class */
    FOLD_MAX_COMPARISONS = 1 << 20
};

/* A value that was put in for an unknown of a source edge. */
struct chosen_value {
    const struct unknown *unknown;
    int32_t value;
};

/* A source edge and the values with which it contributes to an output edge. */
struct origin {
    const struct form *form;
    struct chosen_value *values;
    uint32_t value_count;
};

/* A select variable that the transformation adds. */
struct chosen_select {
    const struct unknown *unknown;
    int32_t lower, upper; /* unused for scalars, which range over their type */
};

/* What is left of the range of a select of the base edge. */
struct select_range {
    bool is_narrow;
    int32_t lower, upper;
};

struct output_edge {
    const struct form *base;  /* whose element is changed or copied */
    bool is_unchanged;        /* the element stays as it is */
    bool is_decline;          /* M3: a receiver that does not take part; or */
    bool is_stutter;          /* a loop of stutter.h */
    const struct expr *guard; /* NULL = true */
    const struct expr *sync;
    struct item *items;
    uint32_t item_count;
    bool *keeps_select;          /* by select of the base edge */
    struct select_range *ranges; /* the same, or NULL */
    struct chosen_select *selects;
    uint32_t select_count;
    struct origin *origins;
    uint32_t origin_count;
};

struct fold {
    VEC(struct output_edge) edges;    /* in the order of their first origin */
    VEC(const struct form *) dropped; /* source edges without any output edge */
    VEC(const char *) losses;         /* why not exact */
};

/* Folds all edges that leave one location; forms are in document order. */
void fold_location(struct form_context *context, struct form *const *forms, uint32_t count,
                   struct fold *fold);

/* Folds an invariant; NULL = true. Adds to losses where it is not exact. */
const struct expr *fold_invariant(struct form_context *context, struct form *form,
                                  struct fold *fold);

#endif
