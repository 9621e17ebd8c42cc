#include "explore/states/all_states.h"

#include <assert.h>
#include <stdlib.h>

/* The search is complete and stays so. Borrows all; close it. */
void states_open(struct all_states *states, struct search *search, struct expander *expander,
                 struct arena *arena) {
    assert(search->is_complete);
    *states = (struct all_states){.search = search,
                                  .expander = expander,
                                  .arena = arena,
                                  .ledger = ledger_beside(search, &expander->machine)};
    states->row_count = atomic_load(&search->store.next);
    states->state = layout_state(search->layout, NULL);
    states->words = layout_state(search->layout, NULL);
}

/* Everything taken must have been given back. */
void states_close(struct all_states *states) {
    assert(!states->ledger.used);
    if (states->ledger.peak > states->search->peak_size)
        states->search->peak_size = states->ledger.peak;
    free(states->state);
    free(states->words);
    if (states->machine.code) machine_close(&states->machine);
}

bool states_go_on(struct all_states *states) {
    return states->fault.kind == FAULT_NONE && ledger_goes_on(&states->ledger);
}

uint32_t states_first(const struct all_states *states) {
    return store_skip(&states->search->store, 0);
}

/* The row count at the end: rows are not all used, for threads leave gaps. */
uint32_t states_next(const struct all_states *states, uint32_t row) {
    return store_skip(&states->search->store, row + 1);
}

void states_load(struct all_states *states, uint32_t row) {
    store_load(&states->search->store, row, states->state);
}

enum outcome states_run(struct all_states *states, const struct unit *unit) {
    memcpy(states->words, states->state, states->search->layout->word_count * sizeof(uint64_t));
    enum outcome outcome = machine_unit(&states->machine, unit, states->words);
    assert(outcome != RUN_OVERFLOW);
    if (outcome == RUN_LATE) states->ledger.limit = limit_of_machine(&states->machine);
    return outcome;
}
