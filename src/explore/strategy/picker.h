/* PICKER - whether a coalition can choose so that the next state is one of a set.
 *
 * The set is that of the rows whose rank is less than a limit. All that happens where nothing else
 * of the coalition's making does must lead into it: steps that do not depend on the coalition, and
 * those that it has chosen. Where its choices let nothing happen, the state stays as it is; then it
 * must be in the set itself. In a mixed model that is asked for certain or perhaps (chance.h).
 *
 * With perfect information every row is asked for alone; with views the values of their variables
 * are what is chosen, one for all rows.
 *
 * Lifetime: memory of the ledger, given back by picker_close.
 */
#pragma once

#include "explore/strategy/chance.h"
#include "explore/strategy/views.h"

#define NO_RANK UINT32_MAX

/* ABLE_OPEN: more than PICKER_MAX_TRIES would have to be tried; not in a mixed model, where that is
 * no for certain, and perhaps. */
enum able { ABLE_NO, ABLE_YES, ABLE_OPEN };

enum { PICKER_MAX_TRIES = 4096 };

struct aim {
    const uint32_t *rank; /* by row */
    uint32_t limit;
};

/* A variable of the current question. */
struct picked {
    uint32_t key;          /* variable of the views; without views a decider */
    uint32_t first, count; /* its values in `values` */
    uint32_t chosen;       /* which of them */
};

struct picker {
    struct game *game;
    const struct views *views; /* NULL: perfect information */
    VEC(struct picked) locals; /* those of the last question, with what was chosen */
    /* private */
    uint32_t key_count, value_count;
    uint32_t *local_of;            /* by key: number plus one */
    const uint32_t *values;        /* of the views, or in pool */
    uint8_t *is_dead;              /* by value: it leads out of the set in some row */
    uint32_t *by_level, *level_of; /* rows in the order in which they can be judged */
    uint32_t *first_of_level;
    uint8_t *flags; /* by move */
    VEC(uint32_t) pool;
    VEC(uint8_t) pool_dead;
};

bool picker_open(struct picker *picker, struct game *game, const struct views *views);
void picker_close(struct picker *picker);

/* For one row. */
enum able pick_at(struct picker *picker, const struct aim *aim, uint32_t row);
/* For several rows at once, with views; locals say what was chosen. */
enum able pick_for(struct picker *picker, const struct aim *aim, const uint32_t *rows,
                   uint32_t count);

/* What was chosen by the last question that was answered: for a variable of it, and for a decider
 * at a row; false if that had nothing to choose there. */
uint32_t picked_value(const struct picker *picker, uint32_t local);
bool picked_at(const struct picker *picker, uint32_t decider, uint32_t row, uint32_t *move);
