#include "abstract/must/count_states.h"

#include "explore/space/search.h"

#include <assert.h>

/* The states without what removed slots hold. */
static uint64_t count_visible(struct search *search, const bool *is_removed,
                              struct arena *scratch) {
    const struct layout *layout = search->layout;
    struct store *store = &search->store;
    struct store seen;
    struct shelf shelf = {0};
    uint64_t *words = ARENA_ARRAY(scratch, uint64_t, layout->word_count + 1);
    uint32_t end = atomic_load(&store->next);
    bool ok = store_init(&seen, layout, 0, 0) && store_reserve(&seen, end + STORE_RUN);
    for (uint32_t row = store_skip(store, 0); ok && row < end; row = store_skip(store, row + 1)) {
        bool is_new;
        store_load(store, row, words);
        for (uint32_t s = 0; s < layout->network->slot_count; s++)
            if (is_removed[s]) field_set(&layout->fields[s], words, layout->fields[s].lower);
        store_refill(&seen, &shelf, 1);
        store_add(&seen, &shelf, words, store_hash(&seen, words), &is_new);
    }
    store_seal(&seen, &shelf);
    uint64_t count = ok ? store_count(&seen) : 0;
    assert(count <= store_count(store));
    store_close(&seen);
    return count;
}

uint64_t count_visible_states(const struct network *network, const bool *is_removed) {
    struct diag quiet;
    const struct search_options options = {.max_states = COUNT_MAX_STATES,
                                           .max_work = COUNT_MAX_WORK,
                                           .max_seconds = COUNT_MAX_SECONDS,
                                           .is_full = true,
                                           .diag = &quiet};
    struct arena scratch;
    struct search search;
    uint64_t count = 0;
    arena_init(&scratch);
    diag_init(&quiet, &scratch, &network->model->document->source);
    bool is_prepared = search_run(&search, network, &options, NULL, 0);
    bool has_all = search.is_complete || store_count(&search.store) >= COUNT_MAX_STATES;
    if (is_prepared && has_all) count = count_visible(&search, is_removed, &scratch);
    search_close(&search);
    arena_close(&scratch);
    return count;
}
