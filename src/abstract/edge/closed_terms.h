/* CLOSED TERMS - the parts of labels that only unknowns decide.
 *
 * Values are put in for the unknowns of an open edge, one tuple after the other. What that makes of
 * a label depends on the values of its largest terms of unknowns and constants alone:
 *
 *     own >= 3 && own < x && list[(own + 1) % 7] > 0        own >= 3, own, (own + 1) % 7
 *
 * So tuples with equal values of these terms need not be told apart.
 *
 * Lifetime: in the arena given; borrows the expressions and the open edge.
 */
#pragma once

#include "abstract/edge/open_edge.h"

/* Of a node of an expression. */
struct term_note {
    uint32_t size; /* nodes */
    bool has_unknown, is_closed;
};

struct closed_terms {
    struct arena *arena;
    const struct open_edge *open;
    VEC(const struct expr *) list;
    VEC(struct term_note) notes; /* private: of the expression that is looked at */
};

/* Adds the terms of an expression; NULL has none. */
void closed_terms_add(struct closed_terms *terms, const struct expr *expr);
/* Computes the values of the terms by those of the unknowns, as simplifying does; false where it
 * leaves one as it is. */
bool closed_terms_evaluate(const struct closed_terms *terms, const int32_t *unknown_values,
                           int32_t *values);
