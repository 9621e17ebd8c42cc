/* STUCK - where runs cannot end: edges that are always enabled, and what is urgent.
 *
 * Everything here is under, but where it says over: what it says is so, what it does not say may be
 * so as well. It takes models to have no runtime errors.
 *
 * Lifetime: what is found borrows the abstraction; reasons are in its arena, or static.
 */
#pragma once

#include "abstract/fold/model.h"
#include "model/hindrance.h"

/* One model, the original or the abstract one, and what tells which of its steps are certain. */
struct sure_steps {
    const struct abstraction *abstraction;
    bool is_output;
    struct hindrance hindrance;
};

void sure_steps_find(struct sure_steps *sure, const struct abstraction *abstraction,
                     bool is_output);

/* Whether the step of an internal edge is possible wherever its guard holds for some values of its
 * selects and no process is committed elsewhere: no invariant can keep it out. */
bool edge_is_sure(const struct sure_steps *sure, const struct template *template, uint32_t index);

/* Whether some step is possible in every reachable state or, under uppaal, in every one with an
 * urgent or committed location; and why. */
bool never_stuck(const struct abstraction *abstraction, bool is_output, bool is_uppaal,
                 const char **reason);

/* Over: whether an urgent channel is declared, used or not. */
bool model_has_urgent_channel(const struct model *model);
/* Over: whether the guards of an urgent channel's edges may hold in one of the models alone. */
bool changes_urgency(const struct abstraction *abstraction);
/* Whether time may pass wherever no step is possible, in both models: no location is urgent or
 * committed, and where guards let a pair synchronise on an urgent channel it can. */
bool stuck_states_are_idle(const struct abstraction *abstraction);

/* NULL if no edge of the location changed. */
const struct location_fold *location_fold_of(const struct abstraction *abstraction,
                                             const struct template *template, uint32_t location);
