/* KEPT - labels with stronger guards and invariants (U1).
 *
 * A network with these has only steps of the original, so that a must-abstraction of it is one of
 * the original, too. There are two exceptions: a receiver cannot decline a broadcast, so receivers
 * keep their guards unless no send is left, and branches belong to the edge that leads to them.
 *
 * The guard under which a must-abstraction keeps an edge is such a label. With it, removed
 * variables have fewer values, so that more of other edges may be kept.
 */
#pragma once

#include "abstract/fold/model.h"

/* Over: strengthens a label by what an abstraction of the model keeps of an edge or invariant (NULL
 * = all), as far as that can be said in the original; else more is kept, as in the original. */
void labels_keep_of_edge(const struct abstraction *abstraction, struct network_labels *labels,
                         const struct template *template, uint32_t index, const struct expr *kept);
void labels_keep_of_invariant(const struct abstraction *abstraction, struct network_labels *labels,
                              const struct template *template, uint32_t location,
                              const struct expr *kept);

/* Gives labels of base back where a stronger one would change steps of the network with base, and
 * not only leave them out. The analysis is one of a model that has all of these. */
void labels_make_sound(const struct context *context, const struct analysis *analysis,
                       struct network_labels *labels, const struct network_labels *base);
