/* INFER INTERNAL - joins the sorts of a model's places by its text (rules Y1 to Y4, Y8, Y16).
 *
 * Functions are looked at when something calls them. Queries come last, as each of them may break
 * sorts, cut them, or refuse all.
 */
#pragma once

#include "symmetry/sorts.h"

/* A loop `for (v = lower; v < upper + 1; v++)`, or the same with while, where v is used in such
 * loops only. */
struct count_loop {
    const struct symbol *symbol;
    int64_t lower, upper;
    const struct statement
        *start;                   /* of while: `v = lower;` before the loop, or NULL: v has no other
                                      loop, and stands declared in the block of this one */
    const struct statement *step; /* `v++;` at the end of its body; NULL for a for */
};

/* The tree of an expression; everything in it is joined. */
const struct sort_tree *infer_expr(struct sorts *sorts, const struct expr *expr);
/* Its value is asked for as a truth value, which names 0. */
void infer_truth(struct sorts *sorts, const struct expr *expr);
void infer_effects(struct sorts *sorts, const struct expr_list *list);
void infer_initialiser(struct sorts *sorts, const struct sort_tree *tree,
                       const struct initialiser *initialiser);
/* The body of a function that is called. */
void infer_function(struct sorts *sorts, const struct function *function);
/* Everything but queries. */
void infer_model(struct sorts *sorts);
void infer_query(struct sorts *sorts, const struct query *query);
