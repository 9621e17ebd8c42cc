/* Internals of ghosts: what adds one to the model. In comments, v is the ghost and f its value. */
#pragma once

#include "abstract/prepare/ghost.h"

struct ghost_adder {
    struct model *model;
    const struct network *network;
    struct arena *arena;
    struct diag *diag;
    struct ghost *ghost;
    bool is_moved; /* what is looked at means something else in another place */
};

/* ghost.c: the type of v is not one that it can have. False. */
bool ghost_refuse_type(struct ghost_adder *adder);

/* ghost_parameters.c: a parameter of the template that the value, or the type, of v depends on behind
 * functions, types and constants, so that it may differ from process to process; or NULL. */
const struct symbol *ghost_parameter_behind(struct arena *arena, const struct template *template,
                                            const struct expr *value, const struct type *type);

/* ghost_initial.c: the initialiser of v, and what it rests at; false (reported) if there is none. */
bool ghost_initialise(struct ghost_adder *adder);
/* A constant of the type of v. */
struct expr *ghost_constant(struct ghost_adder *adder, int32_t value, bool is_bool);
