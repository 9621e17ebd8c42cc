/* KEPT - the model with stronger guards and invariants, for a while (U1).
 *
 * Such a model has only steps of the original, so that a must-abstraction of it is one of the
 * original, too. There are two exceptions: no receiver may stay away from a broadcast, so its
 * receivers keep their guards unless all sends are gone, and branches belong to the edge that leads
 * to them.
 *
 * What a must-abstraction keeps of an edge is such a guard. With it, removed variables have fewer
 * values, and of other edges more may be kept.
 *
 * Invariants: a model has other conditions than those of the document only between
 *             conditions_enter and conditions_leave, which nest.
 */
#ifndef VARABS_ABSTRACT_MUST_KEPT_H
#define VARABS_ABSTRACT_MUST_KEPT_H

#include "abstract/facts/guards.h"
#include "abstract/fold/model.h"

/* The conditions that the model has now. */
struct conditions *conditions_of(struct arena *arena, const struct network *network);
void conditions_copy(const struct model *model, struct conditions *to,
                     const struct conditions *from);
/* Whether the labels of the model are these very expressions. */
bool model_has_conditions(const struct model *model, const struct conditions *conditions);

/* From now on the model, which has those of outside, has these; and back. */
void conditions_enter(const struct network *network, const struct conditions *outside,
                      const struct conditions *conditions);
void conditions_leave(const struct network *network, const struct conditions *outside,
                      const struct conditions *conditions);

/* Over: strengthens a label by what an abstraction of the model keeps of an edge or invariant (NULL
 * = all), as far as that can be said in the original; else more is kept, as in the original. */
void conditions_keep_of_edge(const struct abstraction *abstraction, struct conditions *conditions,
                             const struct template *template, uint32_t index,
                             const struct expr *kept);
void conditions_keep_of_invariant(const struct abstraction *abstraction,
                                  struct conditions *conditions, const struct template *template,
                                  uint32_t location, const struct expr *kept);

/* Takes back what would not leave steps alone that there are with the conditions base. The analysis
 * is one of a model that has all of these. */
void conditions_make_sound(const struct context *context, const struct analysis *analysis,
                           struct conditions *conditions, const struct conditions *base);

#endif
