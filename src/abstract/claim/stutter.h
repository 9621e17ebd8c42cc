/* STUTTER - the self-loops of --stutter: a may-abstraction that can stay wherever a run of the
 * original may end (X5).
 *
 * Let a run of the original end in a state where the abstract one has a step that the original has
 * not, or, if the end is an idle one, guards that let a pair synchronise on an urgent channel where
 * those of the original do not. Then that step or pair has a participant at a location whose edges
 * are not rendered exactly, or an invariant is not. The participant gets an internal loop to where
 * it is. It is enabled where, for some values of what was removed, none of its own internal steps
 * is possible, as must be so in a state without steps; an internal step that an invariant might
 * keep out does not count. On urgent channels it is enabled as well where some of its urgent edges
 * is not, for some values.
 *
 * Committed locations: a loop is of no use to a process that has to wait for a committed one. But
 * then one of the participants is committed; so the committed locations with synchronisations get
 * loops, too.
 *
 * Where the original is known to have runtime errors, a step that may fail is none on which to
 * rely, and what makes only an update inexact may keep a step out, too.
 *
 * Loops lead nowhere, so that nothing else becomes reachable.
 */
#pragma once

#include "abstract/fold/model.h"

/* Adds the loops to the folds of a may-abstraction. False (reported) if they would not do. */
bool add_stutters(struct abstraction *abstraction, struct diag *diag);

/* A location that is reached and left, and when a process there may have no step of its own in the
 * original: NULL = always. If it would get a loop, the abstraction may have a step all the same. */
struct doubtful_place {
    const struct template *template;
    uint32_t location;
    const struct expr *guard;
    bool is_doubtful;
};
struct doubtful_places {
    VEC(struct doubtful_place) list;
    const char *may_fail; /* what must not fail, if it is not known whether it does; or NULL */
};
/* False if loops would not be enough. */
bool doubtful_places_find(struct abstraction *abstraction, struct doubtful_places *places);
