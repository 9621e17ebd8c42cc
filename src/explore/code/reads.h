/* READS - the bits of a state that a unit looks at, whatever way it takes.
 *
 * Invariants: over-approximates: states that agree on these bits give the same outcome, value and
 *             fault, unless one is a deadlock and the unit asks for that.
 */
#ifndef VARABS_EXPLORE_CODE_READS_H
#define VARABS_EXPLORE_CODE_READS_H

#include "explore/code/code.h"

/* Adds to the bits, which has layout->word_count words; asks_stuck becomes true if the unit has
 * `deadlock`. False if the unit is interpreted: then it is not known what it reads. */
bool unit_reads(const struct code *code, const struct unit *unit, uint64_t *bits, bool *asks_stuck);

#endif
