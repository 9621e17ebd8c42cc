/* MAY IDLE SETS - the states in which time may pass for ever: what idle.h says of one state, for
 * all.
 *
 * Errors: false where a guard on an urgent channel, or its index, is too complex (see decide.h for
 *         limits).
 */
#pragma once

#include "explore/symbolic/decide.h"

/* The subset of a set in which the guard lets an instance offer a channel; false if that is not
 * known. */
typedef bool offer_find(void *context, const struct edge_instance *instance, uint32_t channel,
                        uint32_t set, uint32_t *offered);

struct offer_finder {
    struct ldd *ldd; /* of the sets */
    const struct program *program;
    offer_find *find;
    void *context;
};

/* Takes away what has partners on urgent channels, or may send an urgent broadcast. */
bool leave_urgent_pairs(const struct offer_finder *finder, uint32_t *states);

/* Whether no time may pass while a process is there. */
bool stops_time(const struct location *location);

/* Not held. */
bool may_idle_states(struct decider *decider, uint32_t *states);
