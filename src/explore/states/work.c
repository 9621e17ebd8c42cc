/* See work.h. */
#include "explore/states/work.h"

#include <assert.h>
#include <stdlib.h>

/* The search is complete and stays so. Borrows all; close it. */
void work_open(struct work *work, struct search *search, struct expander *expander,
               struct arena *arena) {
    assert(search->is_complete);
    *work = (struct work){.search = search,
                          .expander = expander,
                          .arena = arena,
                          .ledger = ledger_beside(search, &expander->machine)};
    work->row_count = atomic_load(&search->store.next);
    work->state = layout_state(search->layout, NULL);
    work->words = layout_state(search->layout, NULL);
}

/* Everything taken must have been given back. */
void work_close(struct work *work) {
    assert(!work->ledger.used);
    if (work->ledger.peak > work->search->peak_size) work->search->peak_size = work->ledger.peak;
    free(work->state);
    free(work->words);
    if (work->machine.code) machine_close(&work->machine);
}

bool work_goes_on(struct work *work) {
    return work->fault.kind == FAULT_NONE && ledger_goes_on(&work->ledger);
}

uint32_t work_first(const struct work *work) { return store_skip(&work->search->store, 0); }

/* The row count at the end: rows are not all used, for threads leave gaps. */
uint32_t work_next(const struct work *work, uint32_t row) {
    return store_skip(&work->search->store, row + 1);
}

void work_load(struct work *work, uint32_t row) {
    store_load(&work->search->store, row, work->state);
}

enum outcome work_run(struct work *work, const struct unit *unit) {
    memcpy(work->words, work->state, work->search->layout->word_count * sizeof(uint64_t));
    enum outcome outcome = machine_unit(&work->machine, unit, work->words);
    assert(outcome != RUN_OVERFLOW);
    if (outcome == RUN_LATE) work->ledger.limit = limit_of_time();
    return outcome;
}
