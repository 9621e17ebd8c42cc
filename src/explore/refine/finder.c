#include "explore/refine/finder.h"

#include <assert.h>

void finder_init(struct step_finder *finder, const struct labeller *labeller,
                 const struct fair_marker *marker, const struct ledger *ledger) {
    const struct program *program = labeller->program;
    *finder = (struct step_finder){.labeller = *labeller, .has_marker = marker != NULL};
    arena_init(&finder->arena);
    expander_init(&finder->expander, program);
    finder->expander.machine.deadline = ledger->deadline;
    finder->expander.max_size = ledger->max_size;
    finder->expander.is_recording = true;
    finder->labeller.words = layout_state(program->layout, &finder->arena);
    if (marker) finder->marker = *marker;
    finder->marker.words = layout_state(program->layout, &finder->arena);
    finder->state = layout_state(program->layout, &finder->arena);
}

/* Gives back heap memory; what was found goes with it. */
void finder_close(struct step_finder *finder) {
    expander_close(&finder->expander);
    arena_close(&finder->arena);
}

void finder_clear(struct step_finder *finder) {
    expander_clear(&finder->expander);
    finder->rows.count = finder->steps.count = finder->values.count = 0;
}

/* Notes the step to one successor; false if it cannot be evaluated. */
static bool add_step(struct step_finder *finder, uint32_t index, const struct store *store) {
    struct expander *expander = &finder->expander;
    const struct step_record *record = &expander->records.items[index];
    const uint32_t *parts = expander->parts.items + record->first_part;
    const uint64_t *to = expander_state(expander, expander->first + index);
    struct label_key key;
    struct found_step step = {.hash = store_hash(store, to), .first = finder->values.count};
    if (!labeller_key(&finder->labeller, &expander->machine, parts, finder->state, to, &key) ||
        (finder->has_marker && !fair_mark(&finder->marker, &expander->machine, parts,
                                          record->part_count, finder->state, &step.tags)))
        return false;
    step.label = key.label;
    if (key.label == NO_LABEL) {
        step.action = key.action;
        step.count = key.count;
        for (uint32_t i = 0; i < key.count; i++)
            VEC_PUSH(&finder->arena, &finder->values, key.values[i]);
    }
    VEC_PUSH(&finder->arena, &finder->steps, step);
    return true;
}

bool finder_run(struct step_finder *finder, const struct store *store, uint32_t row) {
    struct expander *expander = &finder->expander;
    uint32_t first = finder->steps.count, value_count = finder->values.count, degree = 0;
    store_load(store, row, finder->state);
    finder->is_fault = false;
    bool is_fine = expander_run(expander, finder->state);
    if (is_fine) degree = expander_degree(expander);
    assert(expander->first == first);
    for (uint32_t i = 0; i < degree && is_fine; i++) {
        is_fine = add_step(finder, i, store);
        finder->is_fault = !is_fine && !expander_is_cut(expander);
    }
    if (!is_fine) {
        expander->count = finder->steps.count = first;
        finder->values.count = value_count;
        return false;
    }
    assert(finder->steps.count == first + degree);
    VEC_PUSH(&finder->arena, &finder->rows,
             (struct found_row){first, degree, expander->error_count, expander->first_error});
    return true;
}

void finder_key(const struct step_finder *finder, const struct found_step *step,
                struct label_key *key) {
    key->label = step->label;
    if (step->label != NO_LABEL) return;
    assert(step->count <= ACTION_MAX_VALUES);
    key->action = step->action;
    key->count = step->count;
    if (step->count)
        memcpy(key->values, finder->values.items + step->first, step->count * sizeof *key->values);
}
