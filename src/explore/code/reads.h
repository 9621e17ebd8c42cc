/* READS - the bits of a state that a unit looks at, whatever way it takes.
 *
 * Invariants: over-approximates: states that agree on these bits give the same outcome, value and
 *             fault, unless one is a deadlock and the unit asks for that.
 */
#pragma once

#include "explore/code/code.h"

/* Adds to the bits, of the first words of a state; asks_stuck becomes true if the unit has
 * `deadlock`. False if the unit is interpreted: then it is not known what it reads. */
bool unit_reads(const struct code *code, const struct unit *unit, uint64_t *bits, uint32_t words,
                bool *asks_stuck);

/* The fields that an instruction with an index may read or write, whatever the index: over. */
struct indexed_fields indexed_fields(const struct code *code, const struct instruction *at);
