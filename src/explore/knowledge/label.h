/* LABEL - the rows in which each part of a formula holds.
 *
 * Where the search for a strategy is given up it is not known whether a part holds; then sets and
 * possible differ, and so do those of what it is part of.
 *
 * Invariants: sets[i] has a bit for each row and belongs to node i; bits of gaps mean nothing.
 * Lifetime:   memory of the ledger, given back by labels_close.
 */
#ifndef VARABS_EXPLORE_KNOWLEDGE_LABEL_H
#define VARABS_EXPLORE_KNOWLEDGE_LABEL_H

#include "explore/knowledge/formula.h"
#include "explore/states/indistinguishable.h"
#include "explore/states/steps.h"
#include "explore/strategy/ability.h"

/* The game of a coalition, for a node of that kind. */
struct labelled_game {
    struct coalition *coalition;
    struct game game;
    struct views views;
    struct ability ability;
    uint64_t *both; /* where both of its parts hold */
};

struct labelling {
    struct all_states *states;
    const struct formulas *formulas;
    uint64_t **sets;     /* by node: where it holds for sure */
    uint64_t **possible; /* by node: where it may hold; the same as sets where that is known */
    struct labelled_game *games;       /* by node; those of other kinds are empty */
    struct unit *units;                /* by node: atoms and values */
    struct indistinguishable *classes; /* by index of the agent */
    uint32_t agent_count;
    struct steps steps;
    const char *problem; /* of a coalition; nothing is computed then */
    struct span span;
    uint64_t tries; /* of searches for strategies */
};

/* Compiles, then computes all sets; limit and fault of the states say what went wrong. */
void labels_make(struct labelling *labels, struct all_states *states,
                 const struct formulas *formulas);
void labels_close(struct labelling *labels);

/* The value of an expression of a node (FORMULA_KNOWS_WHAT) in a row. */
int32_t label_value(struct labelling *labels, uint32_t node, uint32_t row);

#endif
