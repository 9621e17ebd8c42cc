/* HANDED - which global variables are arguments of templates and instantiations (rule M7).
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "base/map.h"
#include "lang/eval/eval.h"

struct handed {
    struct map instances;             /* the first instantiation that names a symbol */
    const struct symbol **parameters; /* by address: a reference to that cell, or NULL */
};

/* All instantiations, also those that no process comes from. */
void handed_init(struct handed *handed, struct arena *arena, const struct model *model,
                 uint32_t cell_count);
/* A reference parameter of some process. */
void handed_add(struct handed *handed, const struct symbol *parameter,
                const struct binding *binding);

/* The name of an instantiation with this variable in its arguments, or NULL. */
const char *handed_instance(const struct handed *handed, const struct symbol *symbol);

/* A reference parameter through which a variable, or a part of it, is seen; or NULL. */
const struct symbol *handed_parameter(const struct handed *handed, const struct binding *variable);
