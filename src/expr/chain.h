/* CHAIN - conjunctions and disjunctions that grow term by term, each term once.
 *
 * Guards of many values are long: terms that are there already are found by hash, and a chain that
 * grows is one object, so that what is made of n terms takes n steps.
 *
 * Invariants: as in simplify.h; the terms stay in the order in which they came, so that short
 *             circuits protect what they protected before.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "base/index.h"
#include "base/vec.h"
#include "lang/syntax/ast.h"

struct chain {
    struct arena *arena;
    enum op op;              /* OP_AND or OP_OR */
    const struct expr *expr; /* all terms; NULL if there are none */
    VEC(const struct expr *) terms;
    struct index index; /* of terms, once there are many */
};

void chain_init(struct chain *chain, struct arena *arena, enum op op);
/* Adds a term, or the terms of an expression that is such a chain. NULL and the neutral constant
 * add nothing. */
void chain_add(struct chain *chain, const struct expr *expr);
bool chain_has(const struct chain *chain, const struct expr *term);

/* Two conditions together; NULL stands for true in both arguments and result. */
const struct expr *build_and(struct arena *arena, const struct expr *left,
                             const struct expr *right);
const struct expr *build_or(struct arena *arena, const struct expr *left, const struct expr *right);
