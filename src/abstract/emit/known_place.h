/* KNOWN PLACE - where a process is when a part of a query is evaluated (rule S7): in `P.l imply P.x > 1`,
 * what P.x is makes a difference at l only.
 */
#ifndef VARABS_ABSTRACT_EMIT_KNOWN_PLACE_H
#define VARABS_ABSTRACT_EMIT_KNOWN_PLACE_H

#include "lang/syntax/ast.h"

/* What is so where an expression is evaluated, from the inside out. */
struct known_truth {
    const struct expr *expr;
    bool is_true;
    const struct known_truth *outer;
};

/* The locations of the template of a process where it can be; over. */
bool *known_places(const struct known_truth *assumptions, const struct expr *process,
                   const struct template *template, struct arena *arena);
/* Whether a child of a node is evaluated in the same state, so that what is so outside is so there. */
bool is_of_same_state(const struct expr *expr);
/* What makes a difference in a child besides, because of the children that are evaluated before it;
 * false if nothing does. Its outer is left open. */
bool assumption_of_child(const struct expr *expr, int child, struct known_truth *assumption);

#endif
