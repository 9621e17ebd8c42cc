/* LABELLING - sets of rows by the parts of a formula, while they are found.
 *
 * Invariants: sets[i] has a bit for each row and belongs to node i; bits of gaps mean nothing.
 * Lifetime:   memory of the ledger, given back by labels_close (label.h).
 */
#pragma once

#include "explore/knowledge/formula.h"
#include "explore/mixed/mixed_steps.h"
#include "explore/states/indistinguishable.h"
#include "explore/strategy/ability.h"

#include <assert.h>

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
    struct known_steps *shared;        /* of all of them; or NULL */
    struct unit *units;                /* by node: atoms and values */
    struct indistinguishable *classes; /* by index of the agent */
    uint32_t agent_count;
    struct steps steps;
    struct mixed_steps mixed; /* of a mixed model, in place of steps */
    bool is_mixed;
    const char *problem; /* of a coalition; nothing is computed then */
    struct span span;
    uint64_t tries; /* of searches for strategies */
};

/* Whether it is not known everywhere if a node holds. */
static inline bool label_is_open(const struct labelling *labels, uint32_t node) {
    return labels->possible[node] != labels->sets[node];
}
static inline size_t label_set_size(const struct labelling *labels) {
    return labels->states->row_count / 64 + 1;
}
static inline const struct indistinguishable *label_classes(const struct labelling *labels,
                                                            const struct agent *agent) {
    assert(agent->index < labels->agent_count);
    return &labels->classes[agent->index];
}

/* The value of an expression of a node (FORMULA_KNOWS_WHAT) in a row. */
int32_t label_value(struct labelling *labels, uint32_t node, uint32_t row);
