/* STEPS OF THE CONCRETE MODEL - what its events do to vectors of mapped states (state_map.h).
 *
 * An event changes what is derived from the fields that it writes. What that is follows from its
 * rows where they say enough; where not, a row becomes one for each value that it may have met.
 *
 * Steps of processes that the abstract model lacks are silent, as far as nothing changes that is
 * visible (follow.h).
 *
 * Lifetime: rows are heap memory, freed by action_close; the rest in the arena of the reach.
 * Errors:   false where there would be too many rows, or at a limit of the reach's machine. Past a
 *           limit of the diagram the result means nothing.
 */
#pragma once

#include "explore/compare/sets/follow.h"
#include "explore/compare/sets/state_map.h"

/* Also of use after false: it is to be closed. */
bool steps_concrete(struct vector_system *system, struct state_map *map);
