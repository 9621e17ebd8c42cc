/* SIMPLIFY - expressions that are simplified while they are made.
 *
 * Invariants: results share untouched parts of their arguments; nothing is changed in place.
 *             Simplifying keeps the value wherever evaluation succeeds, and never turns an
 *             evaluation that fails into one that succeeds, except where a false conjunct makes
 *             the failure irrelevant: a guard that fails is no step, as one that is false.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "lang/syntax/ast.h"

/* Simplifies one node whose children are simple already. */
const struct expr *simplify_node(struct arena *arena, const struct expr *expr);

struct expr *build_not(struct arena *arena, const struct expr *expr);
/* x as a truth value: itself where it is one, else x != 0. */
const struct expr *build_truth(struct arena *arena, const struct expr *expr);
struct expr *build_cond(struct arena *arena, const struct expr *condition, const struct expr *left,
                        const struct expr *right);

/* Tests for membership of a value in a set of constants, as few comparisons as possible. */
const struct expr *build_member(struct arena *arena, const struct expr *value,
                                const int32_t *members, uint32_t count, int32_t lower,
                                int32_t upper);
