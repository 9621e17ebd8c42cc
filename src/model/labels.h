/* LABELS - what edges and locations do, beside the syntax tree, which says what was written.
 *
 * The tree of a model stays what was parsed. What is evaluated belongs to the network: at first it
 * is what was written; a search for more steps of a must-abstraction makes other labels, whose
 * guards and invariants have more conjuncts, and looks at the network with these
 * (network_with_labels). So who evaluates asks for labels, who prints, edits or warns for the tree.
 *
 * Invariants: a guard is the written one, or that and what was added after it.
 * Lifetime:   in the arena given; expressions are shared with the tree.
 */
#pragma once

#include "model/effects.h"

struct edge_labels {
    const struct expr *guard;  /* NULL = true */
    const struct expr **added; /* conjuncts after the written guard */
    uint32_t added_count;      /* 0 also where they cannot be told from what was written */
    bool has_guard_effects;    /* those of the guard are known */
    bool has_call;             /* of a function of the model, in what is written */
    struct effects guard_effects, sync_effects, update_effects; /* over */
};

struct network_labels {
    struct edge_labels **edges;      /* by template index, by edge index */
    const struct expr ***invariants; /* by template index, by location; NULL = true */
};

/* As they are written, with their effects. The table knows all functions then. */
struct network_labels labels_of_model(struct arena *arena, const struct model *model,
                                      struct effects_table *table);
/* Others that start as these. */
struct network_labels labels_copy(struct arena *arena, const struct model *model,
                                  const struct network_labels *labels);
/* Makes the ones as the others are; both are of one model. */
void labels_assign(const struct model *model, struct network_labels *to,
                   const struct network_labels *from);
/* Finds the effects of guards that have changed. The table knows all functions. */
void labels_find_effects(const struct model *model, struct network_labels *labels,
                         struct effects_table *table);
