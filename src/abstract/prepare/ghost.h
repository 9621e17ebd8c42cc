/* GHOST - variables that join a model and follow others: v == f(r) in every state, and between the
 * updates of the participants of a step (rule S2, first half).
 *
 * The variable is declared after those that f reads, with the value of f as its initial one, and
 * every edge whose update may write what f reads ends with v = f(r). Nothing else changes: the
 * model with its ghosts is bisimilar to the one without.
 *
 * A ghost with a scope follows f in some locations of its template (S4): edges into the scope end
 * with v = f(r), too, and edges out of it with v at rest, which is the value that it begins with.
 *
 * Lifetime: in the arena of the model. Symbols, declarations and updates of the model change, so
 *           networks made before are of no use afterwards.
 * Errors:   names that are taken or hidden and what f may not read are STATUS_USAGE, text that is
 *           not Uppaal STATUS_INVALID, what cannot be followed STATUS_UNSUPPORTED; positions are
 *           those of the definition.
 */
#pragma once

#include "abstract/request/ghost_variable.h"
#include "model/network.h"

/* The template's name, empty for "name" and ".name", which are global, and the variable's own. */
struct str ghost_owner(const struct ghost_definition *definition, struct str *name);

struct ghost_list {
    VEC(struct ghost *) list;
};

/* Adds them in order; the network is one of the model as it was. False after an error. */
bool ghosts_add(struct ghost_list *ghosts, struct model *model, const struct network *network,
                const struct ghost_definition *definitions, uint32_t count);

/* Whether an update item is that of a ghost. */
bool is_ghost_update(const struct expr *item);
