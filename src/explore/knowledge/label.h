/* LABEL - the rows in which each part of a formula holds.
 *
 * Invariants: sets[i] has a bit for each row and belongs to node i; bits of gaps mean nothing.
 * Lifetime:   memory of the work, given back by labels_close.
 */
#ifndef VARABS_EXPLORE_KNOWLEDGE_LABEL_H
#define VARABS_EXPLORE_KNOWLEDGE_LABEL_H

#include "explore/knowledge/formula.h"
#include "explore/states/alike.h"
#include "explore/states/steps.h"

struct labelling {
    struct work *work;
    const struct formulas *formulas;
    uint64_t **sets;       /* by node */
    struct unit *units;    /* by node: atoms and values */
    struct alike *classes; /* by index of the agent */
    uint32_t agent_count;
    struct steps steps;
};

/* Compiles, then computes all sets; limit and fault of the work say what went wrong. */
void labels_make(struct labelling *labels, struct work *work, const struct formulas *formulas);
void labels_close(struct labelling *labels);

/* The value of an expression of a node (FORMULA_KNOWS_WHAT) in a row. */
int32_t label_value(struct labelling *labels, uint32_t node, uint32_t row);

#endif
