/* GHOST VARIABLE - a new variable that follows removed ones: --merge (rule S2).
 *
 * Lifetime: in the arena of the model; abstract/prepare/ghost.h adds them to it.
 */
#pragma once

#include "lang/syntax/ast.h"

/* A ghost to add, as written: "Voter.voted", "int[0,1]", "mem_vt > 0"; the template may stand apart
 * from the name. */
struct ghost_definition {
    struct text template, name, type, value;
    struct text
        scope; /* S4: the locations where it follows f, as after the @ of --remove; .begin 0:
                          everywhere */
};

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
    const struct declaration *anchor; /* after which v is declared */
    bool *scope;                      /* S4: by location, branchpoints too; NULL = everywhere */
    int32_t rest;                     /* of v outside of the scope */
};
