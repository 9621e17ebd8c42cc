/* PASSED - which global variables are arguments of templates and instantiations (rule M7).
 *
 * Lifetime: in the arena given, as long as the network.
 */
#ifndef VARABS_MODEL_PASSED_H
#define VARABS_MODEL_PASSED_H

#include "model/network.h"

/* Once processes and cells of the network are known. */
void passed_init(struct network *network, struct arena *arena);

/* The first instantiation that names a variable, also one that no process comes from; or NULL. */
const char *passed_instance(const struct network *network, const struct symbol *symbol);

/* A reference parameter through which a global variable, or a part of it, is seen; or NULL. */
const struct symbol *passed_parameter(const struct network *network, const struct symbol *symbol);

#endif
