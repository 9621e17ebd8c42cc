/* OBSERVING - whether agents see the same of an abstraction as of the original (K5).
 *
 * Two states that are the same to an agent in the concrete model have to look the same to it in the
 * abstract one: it sees no more there. If the reverse holds, too, it has lost nothing. That is
 * looked at literally, for all states that the two models have in common, and for the agents that
 * one of the models declares observations of.
 *
 * Lifetime: the list is in the arena given.
 * Errors:   a limit, or an expression that fails, leaves an agent undecided, with a reason.
 */
#pragma once

#include "explore/visible/graph.h"

struct observer {
    const char *agent;
    bool sees_no_more, sees_no_less;
    const char *problem; /* why neither is known; or NULL */
};

struct observer_list {
    VEC(struct observer) list;
};

/* Classes of the graphs are those of their visible parts. */
void compare_observers(struct observer_list *observers, struct arena *arena,
                       struct search searches[SIDE_COUNT], const struct graph graphs[SIDE_COUNT]);
