/* TUPLES - short lists of numbers, each kept once and known by its number.
 *
 * Most steps of a model, and most of its states, have one of a few lists: of who must have chosen
 * what, of what can be chosen.
 *
 * Invariants: number 0 is the empty list. Numbers go by first appearance.
 * Lifetime:   memory of the work, given back by tuples_close.
 * Errors:     TUPLES_FULL past a limit of the work.
 */
#ifndef VARABS_EXPLORE_STRATEGY_TUPLES_H
#define VARABS_EXPLORE_STRATEGY_TUPLES_H

#include "base/index.h"
#include "explore/states/work.h"

#define TUPLES_FULL UINT32_MAX

/* Who decides, and what: see game.h. */
struct condition {
    uint32_t decider, move;
};

struct tuples {
    struct work *work;
    struct condition *items; /* one list after the other */
    uint32_t *ends;          /* by number: behind its last item */
    struct index index;
    uint32_t count, item_count;
};

bool tuples_open(struct tuples *tuples, struct work *work);
void tuples_close(struct tuples *tuples);
/* The number of a list. */
uint32_t tuples_number(struct tuples *tuples, const struct condition *items, uint32_t count);

static inline uint32_t tuples_begin(const struct tuples *tuples, uint32_t number) {
    return number ? tuples->ends[number - 1] : 0;
}

static inline const struct condition *tuples_items(const struct tuples *tuples, uint32_t number,
                                                   uint32_t *count) {
    uint32_t begin = tuples_begin(tuples, number);
    *count = tuples->ends[number] - begin;
    return tuples->items + begin;
}

#endif
