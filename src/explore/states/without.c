#include "explore/states/without.h"

#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

static bool find_steps(struct without *without) {
    struct search *search = without->search;
    struct expander expander;
    struct rows_plan plan = {.search = search, .expander = &expander, .is_sorted = true};
    expander_init(&expander, search->program);
    expander.max_size = search->options.max_size;
    without->ledger = ledger_beside(search, &expander.machine);
    without->rows.ledger = &without->ledger;
    plan.state = layout_state(search->layout, NULL);
    bool is_fine = rows_explore(&without->rows, &plan);
    expander_close(&expander);
    free(plan.state);
    return is_fine;
}

bool without_open(struct without *without, struct search *search) {
    uint32_t count = (uint32_t)store_count(&search->store);
    assert(search->is_complete && !search->store.gap_count);
    *without = (struct without){.search = search, .row_count = count};
    if (!find_steps(without)) return false;
    without->masks = heap_resize(NULL, search->layout->word_count + 1, sizeof *without->masks);
    without->states = heap_resize(NULL, count, sizeof *without->states);
    without->classes = heap_resize(NULL, count, sizeof *without->classes);
    without->signatures = heap_resize(NULL, count, sizeof *without->signatures);
    return true;
}

void without_close(struct without *without) {
    rows_close(&without->rows);
    free(without->masks);
    free(without->states);
    free(without->classes);
    free(without->signatures);
    index_close(&without->index);
}

/* ---- states ---- */

static void hash_states(struct without *without, const bool *is_left_out) {
    const struct layout *layout = without->search->layout;
    uint64_t *state = layout_state(layout, NULL);
    memset(without->masks, 0xff, layout->word_count * sizeof *without->masks);
    for (uint32_t i = 0; i < layout->network->slot_count; i++) {
        const struct packed *field = &layout->fields[i];
        if (is_left_out[i]) without->masks[field->word] &= ~(field->mask << field->shift);
    }
    for (uint32_t row = 0; row < without->row_count; row++) {
        uint64_t hash = 0;
        store_load(&without->search->store, row, state);
        for (uint32_t w = 0; w < layout->stored_words; w++)
            hash = index_mix(hash, state[w] & without->masks[w]);
        without->states[row] = hash;
    }
    free(state);
}

/* Numbers by the first row of each; how many there are. */
static uint32_t classify(struct without *without) {
    uint32_t count = 0;
    index_clear(&without->index);
    for (uint32_t row = 0; row < without->row_count; row++) {
        uint64_t hash = without->states[row];
        struct index_probe probe = index_begin(hash);
        bool is_known = false;
        while (!is_known && index_next(&without->index, &probe))
            is_known = without->states[probe.number] == hash;
        if (!is_known) index_add(&without->index, hash, row);
        without->classes[row] = is_known ? without->classes[probe.number] : count++;
    }
    return count;
}

/* Whether rows of one class have steps to the same classes. */
static bool is_stable(struct without *without, uint32_t count) {
    uint32_t *targets = NULL, capacity = 0;
    bool is_same = true;
    memset(without->signatures, 0, count * sizeof *without->signatures);
    for (uint32_t row = 0; row < without->row_count && is_same; row++) {
        uint32_t steps = rows_degree(&without->rows, row);
        const uint32_t *next = without->rows.targets + without->rows.first[row];
        assert(without->classes[row] < count);
        uint64_t signature = 1, *own = &without->signatures[without->classes[row]];
        if (steps > capacity) targets = heap_resize(targets, capacity = steps, sizeof *targets);
        for (uint32_t i = 0; i < steps; i++) targets[i] = without->classes[next[i]];
        steps = sort_once(targets, steps);
        for (uint32_t i = 0; i < steps; i++) signature = index_mix(signature, targets[i]);
        signature |= 1; /* 0 is none yet */
        is_same = !*own || *own == signature;
        *own = signature;
    }
    free(targets);
    return is_same;
}

uint32_t without_slots(struct without *without, const bool *is_left_out) {
    hash_states(without, is_left_out);
    uint32_t count = classify(without);
    assert(count && count <= without->row_count);
    return count < without->row_count && is_stable(without, count) ? count : 0;
}
