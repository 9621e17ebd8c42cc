/* WITHOUT - the states of a complete search without some of their slots.
 *
 * States that differ in these slots alone become one. If each of them has steps to the same ones,
 * nothing else tells them apart: a model that has the same steps without the slots has as many
 * states as there are then, and otherwise there is none.
 *
 * Lifetime: heap memory, freed by without_close; the search is borrowed.
 * Errors:   a limit of the search makes without_open give false. States are told apart by hashes of
 *           64 bits, so that the answer is a guess, if a good one; it is the same in every run.
 */
#pragma once

#include "base/index.h"
#include "explore/graph/rows.h"
#include "explore/space/search.h"

struct without {
    struct search *search;
    uint32_t row_count;
    struct ledger ledger;
    struct row_steps rows; /* of one row each once */
    /* private */
    uint64_t *masks;      /* by word: what is left of a state */
    uint64_t *states;     /* by row: the hash of what is left */
    uint32_t *classes;    /* by row */
    struct index index;   /* of the first row of each class */
    uint64_t *signatures; /* by class: of what its steps lead to */
};

/* For a search by one job. Close it in any case. */
bool without_open(struct without *without, struct search *search);
void without_close(struct without *without);

/* The number of states without the slots; 0 if states that become one have steps to others,
 * or if none become one. */
uint32_t without_slots(struct without *without, const bool *is_left_out);
