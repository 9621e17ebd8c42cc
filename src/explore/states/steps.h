/* STEPS - the steps between the states of a complete search, backwards.
 *
 * Runs are maximal: a state without steps stays as it is for ever, which is a step to itself here.
 *
 * Lifetime: memory of the work, given back by steps_close.
 */
#ifndef VARABS_EXPLORE_STATES_STEPS_H
#define VARABS_EXPLORE_STATES_STEPS_H

#include "explore/states/work.h"

struct steps {
    uint32_t *first;   /* by row, row_count + 1 of them: of its predecessors */
    uint32_t *sources; /* once for each step */
    uint32_t *degree;  /* by row: steps that leave it, at least 1 */
    uint64_t *stuck;   /* bits: rows without steps of the model */
    uint32_t row_count, count;
};

/* False past a limit. */
bool steps_find(struct steps *steps, struct work *work);
void steps_close(struct steps *steps, struct work *work);

/* All by sets of rows, as bits: rows with a successor in a set; on some run p until q; on some run
 * p for ever. The result is zeroed memory. False past a limit. */
bool steps_before(const struct steps *steps, struct work *work, const uint64_t *set,
                  uint64_t *result);
bool steps_until(const struct steps *steps, struct work *work, const uint64_t *p, const uint64_t *q,
                 uint64_t *result); /* p NULL: true */
bool steps_always(const struct steps *steps, struct work *work, const uint64_t *p,
                  uint64_t *result);

#endif
