/* BY SETS INTERNAL - a formula and the sets of its parts.
 *
 * by_sets.c        finds the sets
 * why_by_sets.c    which state an agent takes for another one
 */
#pragma once

#include "explore/knowledge/able_by_sets.h"
#include "explore/knowledge/by_sets.h"
#include "explore/knowledge/sight.h"

/* What a coalition can bring about, for a node of that kind. */
struct set_able {
    struct set_game game;
    struct set_goal goal;
    struct set_ability ability;
};

struct set_decision {
    const struct set_formula *formula;
    struct decider *decider;
    struct reach *reach;
    struct ldd *ldd;
    struct decided_formula *known;
    struct set_sight *sights; /* by index of the agent */
    uint32_t *sets;           /* by node; held */
    struct set_able *able;    /* by node; those of other kinds are empty */
};

struct set_formula {
    struct arena *arena;
    struct agents agents;
    struct formulas formulas;
    bool is_made;
    struct seen_value *values;    /* by node: atoms and values */
    struct coalition *coalitions; /* by node: FORMULA_ABLE */
    struct sight_units *units;    /* by index of the agent */
    struct set_decision decision;
};

/* The last node, without the negations around it. */
uint32_t set_formula_whole(const struct set_formula *formula);
