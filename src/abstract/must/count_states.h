/* COUNT_STATES - how much a must-abstraction has, by exploring what it was restricted to.
 *
 * Two of them may each have steps that the other lacks. The one with more reachable states is the
 * better one.
 */
#pragma once

#include "model/network.h"

enum {
    COUNT_MAX_STATES = 20000,
    COUNT_MAX_WORK = 4000000, /* more than that many states take */
    COUNT_MAX_SECONDS = 30    /* for what is not counted as work: to prepare a large network */
};

/* States that the network reaches and that differ in more than the slots that are removed, among
 * the first that are found; 0 if it cannot be explored. */
uint64_t count_visible_states(const struct network *network, const bool *is_removed);
