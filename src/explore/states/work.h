/* WORK - what all parts of answering a formula share: the states, memory, time.
 *
 * The states are the rows of a complete search; rows of gaps are skipped. Memory is what the search
 * may take besides its store.
 *
 * Errors: past a limit of the ledger what was computed is worth nothing; an expression that cannot
 *         be evaluated in a reachable state sets `fault`.
 */
#ifndef VARABS_EXPLORE_STATES_WORK_H
#define VARABS_EXPLORE_STATES_WORK_H

#include "explore/graph/ledger.h"
#include "explore/space/search.h"

struct work {
    struct search *search;
    struct expander *expander;
    struct arena *arena;
    struct machine machine; /* runs what is compiled here */
    uint64_t *state, *words;
    uint32_t row_count; /* with those of gaps */
    struct ledger ledger;
    struct fault fault;
};

void work_open(struct work *work, struct search *search, struct expander *expander,
               struct arena *arena);
void work_close(struct work *work);

/* Memory of the ledger. */
static inline void *work_take(struct work *work, size_t count, size_t size) {
    return ledger_take(&work->ledger, count, size);
}
#define WORK_GIVE(work, ...) LEDGER_GIVE(&(work)->ledger, __VA_ARGS__)

/* To be asked for each row; false past a limit, or after a fault. */
bool work_goes_on(struct work *work);

/* Rows that hold states; a loop ends past a limit, or after a fault, where it asks for time. */
uint32_t work_first(const struct work *work);
uint32_t work_next(const struct work *work, uint32_t row);

#define EACH_ROW(work, row)                                                                        \
    for (uint32_t row = work_first(work); row < (work)->row_count; row = work_next(work, row))
#define EACH_ROW_IN_TIME(work, row)                                                                \
    for (uint32_t row = work_first(work); row < (work)->row_count && work_goes_on(work);           \
         row = work_next(work, row))

/* Runs a unit on the state that was loaded last. RUN_FAULT sets no fault here. */
enum outcome work_run(struct work *work, const struct unit *unit);
/* Loads a state for work_run. */
void work_load(struct work *work, uint32_t row);

static inline bool bit_get(const uint64_t *bits, uint32_t at) {
    return bits[at / 64] >> at % 64 & 1;
}
static inline void bit_clear(uint64_t *bits, uint32_t at) {
    bits[at / 64] &= ~(UINT64_C(1) << at % 64);
}
static inline void bit_set(uint64_t *bits, uint32_t at) { bits[at / 64] |= UINT64_C(1) << at % 64; }

#endif
