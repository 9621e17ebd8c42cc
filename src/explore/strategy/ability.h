/* ABILITY - the rows in which a coalition has a strategy for a goal.
 *
 * With perfect information (Ir) that is a fixpoint. With imperfect information (ir) a lower and an
 * upper bound come first; rows between them are searched one by one, for a strategy that chooses
 * the same wherever each player observes the same. A subjective strategy must do from all states
 * that some player takes for this one.
 *
 * In a mixed model the outlook of the game says which set is meant: what is sure of the original,
 * or what is possible in it (chance.h); the other one means nothing then.
 *
 * Lifetime: memory of the ledger, given back by ability_close; game and views are borrowed.
 * Errors:   limits of the ledger. Past the budget of the search rows stay possible without being
 *           sure. is_open: not even the bounds could be computed exactly.
 */
#pragma once

#include "explore/strategy/uniform.h"

struct ability {
    struct game *game;
    const struct views *views; /* or NULL */
    struct goal goal;
    bool is_perfect, is_subjective;
    uint64_t *sure, *possible; /* by row; for all rows, or for the one that was asked for */
    uint64_t tries;            /* of the search */
    /* How, for plan.h */
    struct enforced enforced; /* by state with perfect information, else by component */
    uint32_t *value;          /* by variable: of the strategy that was found by search, or NULL */
};

#define ALL_ROWS UINT32_MAX

/* row: the one that is asked for, or ALL_ROWS. views: NULL without players; with perfect
 * information they are for subjective strategies only. */
void ability_find(struct ability *ability, struct game *game, const struct views *views,
                  const struct goal *goal, uint32_t row, uint64_t budget);
void ability_close(struct ability *ability);

/* The rows from which a strategy has to do, if it shall do from one of them: in memory for all
 * rows, in an order that depends on states alone. Gives their number. */
uint32_t ability_starts(const struct ability *ability, uint32_t row, uint32_t *starts);
/* Puts rows in that order. */
void sort_by_state(const struct search *search, uint32_t *rows, uint32_t count);
