/* ALL STATES - the states of a complete search, and the means to compute something for each of
 * them.
 *
 * The states are the rows of the search's store; rows of gaps hold none. The means are an expander,
 * a machine that evaluates expressions, and a ledger: of the memory that the search may take
 * besides its store, and of time.
 *
 * Errors: past a limit of the ledger what was computed is worth nothing; an expression that cannot
 *         be evaluated in a reachable state sets `fault`.
 */
#pragma once

#include "explore/graph/ledger.h"
#include "explore/space/search.h"

struct all_states {
    struct search *search;
    struct expander *expander;
    struct arena *arena;
    struct machine machine; /* runs what is compiled here */
    uint64_t *state, *words;
    uint32_t row_count; /* with those of gaps */
    struct ledger ledger;
    struct fault fault;
};

void states_open(struct all_states *states, struct search *search, struct expander *expander,
                 struct arena *arena);
void states_close(struct all_states *states);

/* Memory of the ledger. */
static inline void *states_take(struct all_states *states, size_t count, size_t size) {
    return ledger_take(&states->ledger, count, size);
}
#define STATES_GIVE(states, ...) LEDGER_GIVE(&(states)->ledger, __VA_ARGS__)

/* To be asked for each row; false past a limit, or after a fault. */
bool states_go_on(struct all_states *states);

/* Rows that hold states; a loop ends past a limit, or after a fault, where it asks for time. */
uint32_t states_first(const struct all_states *states);
uint32_t states_next(const struct all_states *states, uint32_t row);

#define EACH_ROW(states, row)                                                                      \
    for (uint32_t row = states_first(states); row < (states)->row_count;                           \
         row = states_next(states, row))
#define EACH_ROW_IN_TIME(states, row)                                                              \
    for (uint32_t row = states_first(states); row < (states)->row_count && states_go_on(states);   \
         row = states_next(states, row))

/* Runs a unit on the state that was loaded last. RUN_FAULT sets no fault here. */
enum outcome states_run(struct all_states *states, const struct unit *unit);
/* Loads a state for states_run. */
void states_load(struct all_states *states, uint32_t row);

static inline bool bit_get(const uint64_t *bits, uint32_t at) {
    return bits[at / 64] >> at % 64 & 1;
}
static inline void bit_clear(uint64_t *bits, uint32_t at) {
    bits[at / 64] &= ~(UINT64_C(1) << at % 64);
}
static inline void bit_set(uint64_t *bits, uint32_t at) { bits[at / 64] |= UINT64_C(1) << at % 64; }
