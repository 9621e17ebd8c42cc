/* GHOST - variables that join a model and follow others: v == f(r) in every state, and between the
 * updates of the participants of a step (rule S2, first half).
 *
 * The variable is declared behind those that f reads, with the value of f as its initial one, and
 * every edge whose update may write what f reads ends with v = f(r). Nothing else changes: the
 * model with its ghosts is bisimilar to the one without.
 *
 * Lifetime: in the arena of the model. Symbols, declarations and updates of the model change, so
 *           networks made before are of no use afterwards.
 * Errors:   names that are taken or hidden and what f may not read are STATUS_USAGE, text that is
 *           not Uppaal STATUS_INVALID, what cannot be followed STATUS_UNSUPPORTED; positions are
 *           those of the definition.
 */
#ifndef VARABS_MODEL_GHOST_H
#define VARABS_MODEL_GHOST_H

#include "model/network.h"

/* What to add, as written: "Voter.voted", "int[0,1]", "mem_vt > 0"; the template may stand apart
 * from the name. */
struct ghost_definition {
    struct text template, name, type, value;
};

/* The template's name, empty for "name" and ".name", which are global, and the variable's own. */
struct str ghost_owner(const struct ghost_definition *definition, struct str *name);

/* One cell of a variable. */
struct ghost_cell {
    const struct symbol *symbol;
    uint32_t offset;
};

struct ghost {
    const struct ghost_definition *definition;
    struct template *template;        /* NULL = global */
    struct symbol *symbol;            /* v */
    const struct expr *value;         /* f; bound variables as where no edge is */
    VEC(struct ghost_cell) cells;     /* that f reads */
    const struct declaration *anchor; /* behind which v is declared */
};

struct ghost_list {
    VEC(struct ghost *) list;
};

/* Adds them in order; the network is one of the model as it was. False after an error. */
bool ghosts_add(struct ghost_list *ghosts, struct model *model, const struct network *network,
                const struct ghost_definition *definitions, uint32_t count);

/* Whether an update item is that of a ghost. */
bool is_ghost_update(const struct expr *item);

#endif
