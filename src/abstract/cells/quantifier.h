/* QUANTIFIER - sum, forall and exists over the cells of an array, as labels and queries have them
 * (F13).
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/group.h"

/* forall(i : range) body, or exists, over the cells of the array: a condition on the kinds that
 * there are; or a sum that is compared with visible variables or numbers: on how many (F13). */
struct cell_quantifier {
    const struct expr *original;
    const struct expr *body; /* over the placeholders of the group */
    bool is_forall, is_negated;
    const struct expr *comparison; /* of a sum, with what, or NULL; */
    int side;                      /* the child of it that is the sum */
    int32_t lower, upper;          /* indices */
};

/* Reads one; false if it is something else, or may fail. */
bool quantifier_read(const struct cell_group *group, const struct expr *expr,
                     struct cell_quantifier *found);
