/* IDLE - whether time may pass for ever in a state.
 *
 * That is so unless a process is at an urgent or committed location, or guards let a pair
 * synchronise on an urgent channel, or, if it is a broadcast channel, a sender alone. By Uppaal's
 * documentation an edge is enabled if its guard holds: that an invariant of a target forbids the
 * step makes no difference. Neither does a step of higher priority: priorities are between steps.
 *
 * Errors: a guard that fails does not hold.
 */
#pragma once

#include "explore/successor/successor.h"

/* Of the state that was expanded last; false at a limit, too. */
bool expander_can_idle(struct expander *expander);
