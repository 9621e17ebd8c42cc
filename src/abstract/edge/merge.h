/* MERGE - what a variable v that stands for removed ones, v == f(r), still says of them (rule S2).
 *
 * In every state, and between the updates of a step, v == f(r) (abstract/prepare/ghost.h). So an
 * expression that reads r alone and has one value for all r with the same f(r) is one over v, and
 * is written so. What is left of r in an open edge gets a key: the value that v then has in the
 * source state.
 */
#ifndef VARABS_ABSTRACT_EDGE_MERGE_H
#define VARABS_ABSTRACT_EDGE_MERGE_H

#include "abstract/edge/open_edge.h"

enum {
    MERGE_MAX_TUPLES = 4096, /* of what is merged into one variable, at one location */
    MERGE_MAX_CASES = 16     /* values of v told apart in one expression */
};

/* Whether f has a value that fits the type of v for all values that r may have; reports it where
 * not. */
bool merges_fit(struct context *context);

/* Writes what it can over the variables of merges, and adds the keys. */
void open_edge_merge(struct context *context, struct open_edge *open);

/* A closed expression over removed cells of one process and constants, in terms of the variable of
 * a merge in all states; NULL if none determines it. */
const struct expr *merge_express_everywhere(struct context *context,
                                            const struct template *template,
                                            const struct expr *expr);

/* Test that v has one of the values that are in; only those listed can occur, ascending. NULL =
 * always. */
const struct expr *merge_test(struct arena *arena, const struct symbol *v, const int32_t *values,
                              const bool *is_in, uint32_t count);

/* The value of an expression without unknowns and variables; false if it cannot be evaluated. */
bool merge_constant(struct context *context, const struct expr *expr, int32_t *value);

#endif
