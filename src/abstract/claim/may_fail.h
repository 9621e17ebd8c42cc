/* MAY FAIL - what may raise a runtime error in a model, as far as the values of its variables tell.
 *
 * Every label of an edge that can be taken, and every invariant, is looked at with the values that
 * a value analysis of all variables has: first by their least and greatest ones, and where these do
 * not show that it never fails, with all of them. What is too much to be tried may fail, too.
 *
 * Over: what is not listed never fails in a run without errors before; what is listed may fail.
 * Lifetime: in the arena given.
 */
#pragma once

#include "abstract/request/request.h"
#include "approx/analysis.h"

struct possible_error {
    const char *template; /* NULL: an update hook */
    uint32_t edge;        /* from 1; 0: an invariant, or a hook */
    const char *text;     /* "'n++' may leave int[0,5]" */
    const char *file;     /* where it stands: "model.xml" */
    struct source_location place;
    struct span span;
    bool is_untried; /* for all that is known: its values were not looked at */
    /* Over, of an item of an update: names of the variables that it writes, and of those that the
     * values which it reads come from. */
    bool has_names;
    VEC(const char *) names;
};

struct possible_errors {
    VEC(struct possible_error) list; /* by place */
};

/* Whether all of them are items of updates that have nothing to do with what is removed. Then a
 * may-abstraction has them, too, unless its guards have conditions that keep them off. */
bool may_fail_visibly(const struct possible_errors *errors, const struct request *request);

/* The analysis follows all variables (suggest_values). */
struct possible_errors may_fail_find(struct arena *arena, struct analysis *analysis);
