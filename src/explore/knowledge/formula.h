/* FORMULA - a query with operators over states, in few kinds of nodes.
 *
 * Every operator is written with not, and, or, and those over some run: AX p is not EX not p, and
 * so on. Quantifiers around operators are written out, for every value. A part without operators
 * is an atom: an expression of the state. Nodes stand after their parts in the list.
 *
 * Lifetime: in the arena given; agents are borrowed.
 * Errors:   a formula that cannot be written so has a problem; one of too many nodes is a limit.
 */
#pragma once

#include "agents/agents.h"

enum formula_kind {
    FORMULA_ATOM,
    FORMULA_NOT,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_EX,
    FORMULA_EF,
    FORMULA_EU,
    FORMULA_EG,
    FORMULA_KNOWS,      /* every one of the agents: K and GK */
    FORMULA_KNOWS_WHAT, /* the agent knows the value of expr */
    FORMULA_COMMON,
    FORMULA_DISTRIBUTED,
    FORMULA_ABLE /* the agents have a strategy for a goal: left, or left until (and so on) right */
};

struct formula {
    enum formula_kind kind;
    uint32_t left, right;    /* nodes before this one */
    const struct expr *expr; /* of an atom and FORMULA_KNOWS_WHAT; of others what it comes from */
    struct agent_list agents;
    enum op goal;    /* FORMULA_ABLE: OP_ABLE_X and so on */
    uint32_t modes;  /* likewise: MODE_ bits, without MODE_DUAL */
    bool is_outside; /* only its value in the initial state is asked for */
};

enum { FORMULA_MAX_NODES = 1 << 16 };

struct formulas {
    struct arena *arena;
    struct agents *agents;
    VEC(struct formula) nodes; /* the last one is the whole */
    /* some part depends on how runs go on; A[] and E<> around the whole do not count, nor what
     * coalitions can do */
    bool needs_steps;
    /* private */
    const char *problem;
    struct span span;
    bool is_too_large;
};

/* False: problem and span, or is_too_large, say why. */
bool formulas_make(struct formulas *formulas, struct arena *arena, struct agents *agents,
                   const struct expr *expr);

/* Whether a node is about single states: of atoms, not, and, or. */
bool formula_is_of_states(const struct formulas *formulas, uint32_t node);
/* The operator of a coalition that is the whole, or what that is the negation of; or NULL. */
const struct formula *formula_able(const struct formulas *formulas);
