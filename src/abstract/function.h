/* FUNCTION - what becomes of functions that use a removed variable (rule M2).
 *
 * The body of a function stays as it is: the variable's name comes to mean a parameter or a local
 * of the function. Calls pass it on. A variable of which only some cells are removed is still
 * declared, so functions that use it do not change.
 *
 *   PASS_VALUE      the function only reads it, and it is a scalar: a value parameter
 *   PASS_REFERENCE  it writes it, or it is an array or struct: a reference parameter, which only
 *                   another function can supply (abstract/update.h makes one where needed)
 *   PASS_LOCAL      all functions only write it, and nothing reads what they wrote: a local
 */
#ifndef VARABS_ABSTRACT_FUNCTION_H
#define VARABS_ABSTRACT_FUNCTION_H

#include "abstract/request.h"

enum passing { PASS_VALUE, PASS_REFERENCE, PASS_LOCAL };

struct passed {
    const struct symbol *symbol; /* the removed variable */
    enum passing passing;
};

struct function_change {
    const struct function *function;
    VEC(struct passed) passed; /* in the order of the request */
};

struct function_plan {
    struct arena *arena;
    VEC(struct function_change *) changes;
    struct map by_function;
};

/* False (STATUS_UNSUPPORTED) where a function hides the name of a variable it would get. */
bool function_plan_make(struct function_plan *plan, struct arena *arena,
                        const struct network *network, const struct request *request,
                        struct diag *diag);

/* The change of a function, or NULL if it stays as it is. */
const struct function_change *function_change_of(const struct function_plan *plan,
                                                 const struct function *function);

/* The type of a removed variable as a parameter or local: without const or meta. */
void print_local_type(struct buffer *out, const struct type *type);

#endif
