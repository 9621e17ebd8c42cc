/* AHEAD - rows that several threads expand before they are asked for.
 *
 * Whoever knows which rows of an LTS come next asks for some thousand of them, the threads expand
 * them, and lts_expand takes what they found. Only then do rows, labels and sets get their
 * numbers, in the order that there is with one thread: nothing depends on how many there are. A row
 * that something is in the way of is left out; it will be in the way of who asks for the row, too.
 *
 * Lifetime: heap memory, freed by ahead_close, which is not counted but bounded: each thread keeps
 *           about AHEAD_SIZE bytes of successors. What was found is valid until the next ahead_run.
 */
#pragma once

#include "explore/refine/finder.h"

enum {
    AHEAD_ROWS = 1 << 12, /* at most, at once */
    AHEAD_LEAST = 1 << 8, /* fewer are not worth threads */
    AHEAD_SIZE = 1 << 22,
    AHEAD_THREADS = 64
};

struct ahead_row {
    uint32_t row;
    uint32_t finder, found; /* which of them expanded it, and its number there; AHEAD_NONE: none */
};
#define AHEAD_NONE UINT32_MAX

struct ahead {
    const struct store *store;
    struct step_finder *finders; /* by thread */
    uint32_t thread_count;
    struct ahead_row *rows; /* that were asked for */
    uint32_t count;
    uint32_t *table;       /* of them by row, plus one */
    bool is_asking;        /* for the next rows, and what was found of others is gone */
    _Atomic uint32_t next; /* of the rows, that no thread has taken */
};

/* The arguments of finder_init, and the store, which must not change during ahead_run. */
void ahead_init(struct ahead *ahead, const struct store *store, uint32_t thread_count,
                const struct labeller *labeller, const struct fair_marker *marker,
                const struct ledger *ledger);
void ahead_close(struct ahead *ahead);

static inline bool ahead_is_full(const struct ahead *ahead) {
    return ahead->is_asking && ahead->count == AHEAD_ROWS;
}

/* Asks for a row; does nothing if there is no room. */
void ahead_ask(struct ahead *ahead, uint32_t row);
/* Expands the rows that were asked for, unless they are too few. */
void ahead_run(struct ahead *ahead);
/* The steps that were found of a row, and the finder that has them; NULL if there are none. */
const struct found_row *ahead_find(const struct ahead *ahead, uint32_t row,
                                   const struct step_finder **finder);
