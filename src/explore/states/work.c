/* See work.h. */
#include "explore/states/work.h"

#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK = 1 << 12 };

/* The search is complete and stays so. Borrows all; close it. */
void work_open(struct work *work, struct search *search, struct expander *expander,
               struct arena *arena) {
    size_t words = search->layout->word_count + 1;
    assert(search->is_complete);
    *work = (struct work){.search = search, .expander = expander, .arena = arena};
    work->row_count = atomic_load(&search->store.next);
    work->state = heap_resize(NULL, words, sizeof *work->state);
    work->words = heap_resize(NULL, words, sizeof *work->words);
    memcpy(work->state, search->layout->initial, search->layout->word_count * sizeof(uint64_t));
}

/* Everything taken must have been given back. */
void work_close(struct work *work) {
    assert(!work->used);
    free(work->state);
    free(work->words);
    if (work->machine.code) machine_close(&work->machine);
}

void *work_take(struct work *work, size_t count, size_t size) {
    struct search *search = work->search;
    size_t most = search->options.max_size ? search->options.max_size : SIZE_MAX;
    size_t used = store_used(&search->store) + work->used;
    if (work->limit != LIMIT_NONE) return NULL;
    if (used > most || count > (most - used) / size) {
        work->limit = LIMIT_MEMORY;
        return NULL;
    }
    void *memory = heap_resize(NULL, count + 1, size);
    memset(memory, 0, (count + 1) * size);
    work->used += count * size;
    if (used + count * size > search->peak_size) search->peak_size = used + count * size;
    return memory;
}

/* Count and size as they were taken; NULL is fine. */
void work_give(struct work *work, void *memory, size_t count, size_t size) {
    if (!memory) return;
    assert(work->used >= count * size);
    work->used -= count * size;
    free(memory);
}

static void *resize(void *context, void *memory, size_t old_size, size_t size) {
    void *more = size ? work_take(context, size, 1) : NULL;
    if (size && !more) return NULL;
    if (old_size && more) memcpy(more, memory, old_size);
    work_give(context, memory, old_size, 1);
    return more;
}

struct memory_source work_memory(struct work *work) {
    return (struct memory_source){resize, work};
}

bool work_goes_on(struct work *work) {
    if (work->limit != LIMIT_NONE || work->fault.kind != FAULT_NONE) return false;
    if (work->ticks++ % TICK) return true;
    if (!machine_has_time(&work->expander->machine)) work->limit = limit_of_time();
    return work->limit == LIMIT_NONE;
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
    if (outcome == RUN_LATE) work->limit = limit_of_time();
    return outcome;
}

bool work_expand(struct work *work, uint32_t row) {
    struct expander *expander = work->expander;
    work_load(work, row);
    expander_clear(expander);
    if (expander_run(expander, work->state)) return true;
    assert(expander_is_cut(expander)); /* every value fits: the search has been here */
    work->limit = expander->machine.is_late ? limit_of_time() : LIMIT_MEMORY;
    return false;
}

uint32_t work_successor(const struct work *work, uint32_t index) {
    const struct store *store = &work->search->store;
    const uint64_t *state = expander_state(work->expander, work->expander->first + index);
    uint32_t row = store_find(store, state, store_hash(store, state));
    assert(row != STORE_FULL);
    return row;
}
