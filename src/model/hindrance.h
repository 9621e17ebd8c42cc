/* HINDRANCE - steps that invariants may keep out although the guards hold.
 *
 * An edge is enabled if its guard holds, whatever the invariant of its target says (Uppaal, page on
 * edges). So a pair on an urgent channel that an invariant keeps from going lets no time pass.
 *
 * Invariants: conservative: an edge that is not hindered breaks no invariant, whatever else takes
 *             part in its step.
 * Lifetime:   in the arena of the network; cannot fail.
 */
#pragma once

#include "model/network.h"

struct hindrance {
    const struct network *network;
    bool has_invariants;
    bool is_by_hooks;          /* before_update or after_update may break an invariant */
    struct effects invariants; /* what they read */
};

void hindrance_find(struct hindrance *hindrance, const struct network *network);

/* Whether the step of an edge may break an invariant: one of its own process, or, by its update,
 * any other. Edges to and from branchpoints are taken to. */
bool edge_is_hindered(const struct hindrance *hindrance, const struct template *template,
                      uint32_t index);

/* Whether the channel may be urgent; reference parameters are as urgent as what may be passed. */
bool sync_may_be_urgent(const struct expr *sync);
