/* FUNCTION - what becomes of functions that use a removed variable (rule M2).
 *
 * The body of a function stays as it is: the variable's name comes to mean a parameter or a local
 * of the function. Calls pass it on. A variable of which only some cells are removed is still
 * declared, so functions that use it do not change.
 *
 *   PASS_VALUE      the function only reads it, and it is a scalar: a value parameter
 *   PASS_REFERENCE  it writes it, or hands it on as one that may be written, or may have it by another
 *                   name, as a reference: a reference parameter,
 *                   which only another function can supply (one that edge/update_function.c makes)
 *   PASS_CONST      it only reads it, and it is an array or struct: a constant reference
 *   PASS_LOCAL      all functions only write it, and nothing reads what they wrote: a local
 */
#pragma once

#include "abstract/request/request.h"

enum passing { PASS_VALUE, PASS_REFERENCE, PASS_CONST, PASS_LOCAL };

struct passed {
    const struct symbol *symbol; /* the removed variable */
    enum passing passing;
    const char *name; /* what it is called in the function */
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

/* False (STATUS_UNSUPPORTED) where a function names a variable and also hides its name. */
bool function_plan_make(struct function_plan *plan, struct arena *arena,
                        const struct network *network, const struct request *request,
                        struct diag *diag);

/* The change of a function, or NULL if it stays as it is. */
const struct function_change *function_change_of(const struct function_plan *plan,
                                                 const struct function *function);

/* The name that a removed variable has in a function that gets it as an argument; NULL: it does
 * not. */
const char *passed_name(const struct function_change *change, const struct symbol *symbol);

/* The arguments that a call has to be given on top of its own: ", x, y" or "x, y" or "" in the
 * function of the caller, which names them as it does itself. */
char *passed_arguments(const struct function_plan *plan, const struct expr *call,
                       const char *(*name)(void *context, const struct symbol *symbol),
                       void *context, struct arena *arena);
