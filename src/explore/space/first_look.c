/* Whether a first look goes on, and whether a symmetry pays. */
#include "explore/space/first_look.h"

#include "explore/space/ahead.h"
#include "explore/space/figures.h"
#include "explore/space/ranges.h"
#include "explore/space/worker.h"

#include <assert.h>

enum {
    KEPT_SIZE = 1 << 26, /* bytes of states without a choice of ranges */
    PAYS = 3             /* states for each orbit */
};

void judge_symmetry(struct search *search) {
    const struct search_options *options = &search->options;
    if (search->is_judged) return;
    search->is_judged = true;
    const struct symmetry *symmetry =
        options->find_symmetry ? options->find_symmetry(options->symmetry_context) : NULL;
    if (!symmetry || !symmetry->block_count) return;
    uint64_t orbits = orbits_among(search, symmetry);
    if (!orbits || store_count(&search->store) / PAYS < orbits) return;
    *(options->symmetry_waits ? &search->waiting : &search->symmetry) = symmetry;
}

/* Whether the first look, whose store is full, may go on as it is. */
static bool keeps_look(struct search *search) {
    const struct search_options *options = &search->options;
    uint64_t most = KEPT_SIZE / sizeof(uint64_t) / search->layout->stored_words;
    if (!search->is_profile || !options->keeps_from || !search->program->has_waiting) return false;
    if (!search->max_states || search->max_states > most) return false;
    judge_symmetry(search);
    if (search->symmetry || search->waiting) return false;
    if (count_changed(search) >= options->keeps_from) return true;
    choose_ranges(search);
    search->is_chosen = true;
    return count_chosen(search) >= options->keeps_from;
}

static void keep_look(struct search *search) {
    struct worker *worker = &search->workers[0];
    assert(search->options.jobs == 1 && search->max_states > search->options.max_states);
    search->store.max_rows += (uint32_t)(search->max_states - search->options.max_states);
    search->options.max_states = search->max_states;
    search->is_profile = false;
    search->is_kept = true;
    worker->expander.is_recording = false;
    worker->is_fired = NULL;
}

/* Whether there are so many states that a search which has room for them all would end by that. */
static bool is_ahead(struct search *search) {
    search->is_ahead = search->program->has_waiting && search->max_states &&
                       ahead_are_more(search, search->max_states);
    return search->is_ahead;
}

bool goes_on_from_look(struct search *search) {
    if (search->options.only_small && is_ahead(search)) return false;
    if (!keeps_look(search)) return false;
    bool goes_on = !is_ahead(search);
    keep_look(search);
    return goes_on;
}
