/* STEPS - the steps between the states of a complete search, backwards.
 *
 * Runs are maximal: a state without steps stays as it is for ever, which is a step to itself here.
 *
 * Lifetime: memory of the ledger, given back by steps_close.
 */
#pragma once

#include "explore/graph/rows.h"
#include "explore/states/all_states.h"

struct steps {
    struct all_states *states;
    struct row_steps rows; /* forwards: how many of each row */
    struct row_steps back; /* once for each step */
    uint64_t *stuck;       /* bits: rows without steps of the model */
};

/* False past a limit. */
bool steps_find(struct steps *steps, struct all_states *states);
/* Steps that were found in another way, which it takes over in any case: a row may have none, and
 * then no run goes on from it. Nothing is said of rows that are stuck, and targets stay. */
bool steps_of_rows(struct steps *steps, struct all_states *states, struct row_steps *rows);
void steps_close(struct steps *steps);

/* Sets of rows, as bits: the rows with a successor in a set; those with a run of p until q; those
 * with a run of p for ever. The result is zeroed memory. False past a limit. */
bool steps_before(const struct steps *steps, const uint64_t *set, uint64_t *result);
bool steps_until(const struct steps *steps, const uint64_t *p, const uint64_t *q,
                 uint64_t *result); /* p NULL: true */
bool steps_always(const struct steps *steps, const uint64_t *p, uint64_t *result);
