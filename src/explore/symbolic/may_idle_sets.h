/* MAY IDLE SETS - the states in which time may pass for ever: what idle.h says of one state, for
 * all.
 *
 * Errors: false where a guard on an urgent channel, or its index, is too complex (see decide.h for
 *         limits).
 */
#ifndef VARABS_EXPLORE_SYMBOLIC_MAY_IDLE_SETS_H
#define VARABS_EXPLORE_SYMBOLIC_MAY_IDLE_SETS_H

#include "explore/symbolic/decide.h"

/* Not held. */
bool may_idle_states(struct decider *decider, uint32_t *states);

#endif
