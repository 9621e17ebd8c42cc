/* BUILD - expressions made by the transformation, simplified while they are made.
 *
 * Invariants: results share untouched parts of their arguments; nothing is changed in place.
 *             Simplifying keeps the value wherever evaluation succeeds, and never turns an
 *             evaluation that fails into one that succeeds, except where a false conjunct makes
 *             the failure irrelevant: a guard that fails is no step, as one that is false.
 * Lifetime:   in the arena given.
 */
#ifndef VARABS_ABSTRACT_BUILD_H
#define VARABS_ABSTRACT_BUILD_H

#include "lang/syntax/ast.h"
#include "model/network.h"

struct expr *build_int(struct arena *arena, int64_t value);
struct expr *build_bool(struct arena *arena, bool value);
struct expr *build_name(struct arena *arena, const struct symbol *symbol);
struct expr *build_binary(struct arena *arena, enum op op, const struct expr *left,
                          const struct expr *right);
struct expr *build_not(struct arena *arena, const struct expr *expr);
struct expr *build_cond(struct arena *arena, const struct expr *condition, const struct expr *left,
                        const struct expr *right);
/* NULL stands for true in both arguments and result. */
const struct expr *build_and(struct arena *arena, const struct expr *left,
                             const struct expr *right);
const struct expr *build_or(struct arena *arena, const struct expr *left, const struct expr *right);

/* A copy of one node, children shared. */
struct expr *build_copy(struct arena *arena, const struct expr *expr);

/* Simplifies one node whose children are simple already. */
const struct expr *simplify_node(struct arena *arena, const struct expr *expr);

bool expr_is_true(const struct expr *expr); /* NULL or a constant other than 0 */
bool expr_is_false(const struct expr *expr);
bool expr_is_constant(const struct expr *expr, int64_t *value);
/* The same tree (names by symbol). */
bool expr_equal(const struct expr *left, const struct expr *right);
/* Whether evaluating can fail: division, index, shift, call. */
bool expr_can_fault(const struct expr *expr);
/* Whether evaluating changes anything. */
bool expr_has_effect(const struct expr *expr);
bool expr_is_boolean(const struct expr *expr); /* its value is 0 or 1 */
/* Number of nodes; a node with several parents counts several times. Stops above the limit. */
uint32_t expr_size(const struct expr *expr, uint32_t limit);

/* Tests for membership of a value in a set of constants, as few comparisons as possible. */
const struct expr *build_member(struct arena *arena, const struct expr *value,
                                const int32_t *members, uint32_t count, int32_t lower,
                                int32_t upper);

#endif
