#include "explore/refine/ahead.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { TABLE = AHEAD_ROWS * 2, CHUNK = 16 /* rows that a thread takes at once */ };

/* One of the threads. */
struct helper {
    struct ahead *ahead;
    uint32_t number;
};

void ahead_init(struct ahead *ahead, const struct store *store, uint32_t thread_count,
                const struct labeller *labeller, const struct fair_marker *marker,
                const struct ledger *ledger) {
    if (thread_count > AHEAD_THREADS) thread_count = AHEAD_THREADS;
    *ahead = (struct ahead){.store = store,
                            .thread_count = thread_count,
                            .finders = heap_resize(NULL, thread_count, sizeof *ahead->finders),
                            .rows = heap_resize(NULL, AHEAD_ROWS, sizeof *ahead->rows),
                            .table = heap_resize(NULL, TABLE, sizeof *ahead->table)};
    memset(ahead->table, 0, TABLE * sizeof *ahead->table);
    for (uint32_t i = 0; i < thread_count; i++)
        finder_init(&ahead->finders[i], labeller, marker, ledger);
}

/* Frees what was found, too. */
void ahead_close(struct ahead *ahead) {
    for (uint32_t i = 0; i < ahead->thread_count; i++) finder_close(&ahead->finders[i]);
    free(ahead->finders);
    free(ahead->rows);
    free(ahead->table);
    *ahead = (struct ahead){0};
}

/* Where a row is in the table, or will be. */
static uint32_t *place_of(const struct ahead *ahead, uint32_t row) {
    size_t at = store_mix(row) & (TABLE - 1);
    while (ahead->table[at] && ahead->rows[ahead->table[at] - 1].row != row)
        at = (at + 1) & (TABLE - 1);
    return &ahead->table[at];
}

void ahead_ask(struct ahead *ahead, uint32_t row) {
    if (!ahead->is_asking) {
        memset(ahead->table, 0, TABLE * sizeof *ahead->table);
        ahead->count = 0;
        ahead->is_asking = true;
    }
    uint32_t *place = place_of(ahead, row);
    if (*place || ahead->count == AHEAD_ROWS) return;
    ahead->rows[ahead->count++] = (struct ahead_row){row, 0, AHEAD_NONE};
    *place = ahead->count;
}

static void expand(const struct helper *helper, struct ahead_row *asked) {
    struct step_finder *finder = &helper->ahead->finders[helper->number];
    size_t size = (size_t)finder->expander.count * finder->expander.word_count * sizeof(uint64_t);
    if (size > AHEAD_SIZE || !finder_run(finder, helper->ahead->store, asked->row)) return;
    assert(asked->found == AHEAD_NONE && finder->rows.count);
    asked->finder = helper->number;
    asked->found = finder->rows.count - 1;
}

static void *run_helper(void *argument) {
    const struct helper *helper = argument;
    struct ahead *ahead = helper->ahead;
    for (;;) {
        uint32_t first = atomic_fetch_add(&ahead->next, CHUNK);
        if (first >= ahead->count || expander_is_cut(&ahead->finders[helper->number].expander))
            return NULL;
        for (uint32_t i = first; i < first + CHUNK && i < ahead->count; i++)
            expand(helper, &ahead->rows[i]);
    }
}

void ahead_run(struct ahead *ahead) {
    struct helper helpers[AHEAD_THREADS];
    pthread_t threads[AHEAD_THREADS];
    uint32_t started = 1;
    if (!ahead->is_asking) return;
    ahead->is_asking = false;
    if (ahead->count < AHEAD_LEAST) return;
    atomic_store(&ahead->next, 0);
    for (uint32_t i = 0; i < ahead->thread_count; i++) {
        finder_clear(&ahead->finders[i]);
        helpers[i] = (struct helper){ahead, i};
    }
    while (started < ahead->thread_count &&
           !pthread_create(&threads[started], NULL, run_helper, &helpers[started]))
        started++;
    run_helper(&helpers[0]);
    for (uint32_t i = 1; i < started; i++) pthread_join(threads[i], NULL);
}

const struct found_row *ahead_find(const struct ahead *ahead, uint32_t row,
                                   const struct step_finder **finder) {
    if (!ahead->thread_count || ahead->is_asking) return NULL;
    uint32_t number = *place_of(ahead, row);
    assert(number <= ahead->count);
    if (!number || ahead->rows[number - 1].found == AHEAD_NONE) return NULL;
    *finder = &ahead->finders[ahead->rows[number - 1].finder];
    return &(*finder)->rows.items[ahead->rows[number - 1].found];
}
