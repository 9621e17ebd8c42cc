#include "explore/states/steps.h"

#include <assert.h>
#include <string.h>

static bool note_stuck(void *context, uint32_t row) {
    struct steps *steps = context;
    if (!expander_degree(steps->states->expander)) bit_set(steps->stuck, row);
    return true;
}

bool steps_find(struct steps *steps, struct all_states *states) {
    struct rows_plan plan = {.search = states->search,
                             .expander = states->expander,
                             .state = states->state,
                             .idles = true,
                             .expanded = note_stuck,
                             .context = steps};
    *steps = (struct steps){.states = states, .rows.ledger = &states->ledger};
    steps->stuck = states_take(states, states->row_count / 64 + 1, sizeof(uint64_t));
    if (!rows_explore(&steps->rows, &plan) || !rows_turn(&steps->back, &steps->rows)) return false;
    assert(steps->back.step_count >= store_count(&states->search->store)); /* runs are maximal */
    rows_forget_targets(&steps->rows);
    return true;
}

bool steps_of_rows(struct steps *steps, struct all_states *states, struct row_steps *rows) {
    *steps = (struct steps){.states = states, .rows = *rows};
    if (states->ledger.limit != LIMIT_NONE || rows->count != states->row_count) return false;
    return rows_turn(&steps->back, &steps->rows);
}

/* Gives the memory back to the ledger; may be called where nothing was found. */
void steps_close(struct steps *steps) {
    if (!steps->states) return;
    STATES_GIVE(steps->states, steps->stuck);
    rows_close(&steps->rows);
    if (steps->back.ledger) rows_close(&steps->back);
    *steps = (struct steps){0};
}

bool steps_before(const struct steps *steps, const uint64_t *set, uint64_t *result) {
    struct all_states *states = steps->states;
    const struct row_steps *back = &steps->back;
    assert(back->count == states->row_count || states->ledger.limit != LIMIT_NONE);
    for (uint32_t row = 0; row < states->row_count && states_go_on(states); row++)
        for (uint64_t i = back->first[row]; bit_get(set, row) && i < back->first[row + 1]; i++)
            bit_set(result, back->targets[i]);
    return states->ledger.limit == LIMIT_NONE;
}

/* Backwards from q through p, every row at most once. */
bool steps_until(const struct steps *steps, const uint64_t *p, const uint64_t *q,
                 uint64_t *result) {
    struct all_states *states = steps->states;
    const struct row_steps *back = &steps->back;
    uint32_t count = 0;
    uint32_t *queue = states_take(states, states->row_count, sizeof *queue);
    if (!queue) return false;
    for (uint32_t row = 0; row < states->row_count; row++)
        if (bit_get(q, row)) {
            bit_set(result, row);
            queue[count++] = row;
        }
    while (count && states_go_on(states)) {
        uint32_t row = queue[--count];
        for (uint64_t i = back->first[row]; i < back->first[row + 1]; i++) {
            uint32_t source = back->targets[i];
            if (bit_get(result, source) || (p && !bit_get(p, source))) continue;
            bit_set(result, source);
            assert(count < states->row_count); /* each row once */
            queue[count++] = source;
        }
    }
    STATES_GIVE(states, queue);
    return states->ledger.limit == LIMIT_NONE;
}

/* Rows go that have no successor left. */
bool steps_always(const struct steps *steps, const uint64_t *p, uint64_t *result) {
    struct all_states *states = steps->states;
    const struct row_steps *back = &steps->back;
    uint32_t count = 0, rows = states->row_count;
    uint32_t *queue = states_take(states, rows, sizeof *queue);
    uint32_t *left = states_take(states, rows, sizeof *left);
    for (uint32_t row = 0; left && row < rows; row++) left[row] = rows_degree(&steps->rows, row);
    if (left) memcpy(result, p, (rows / 64 + 1) * sizeof *result);
    EACH_ROW_IN_TIME (states, row) {
        if (bit_get(p, row) && left && left[row]) continue;
        bit_clear(result, row);
        queue[count++] = row;
    }
    while (left && count && states_go_on(states)) {
        uint32_t row = queue[--count];
        for (uint64_t i = back->first[row]; i < back->first[row + 1]; i++) {
            uint32_t source = back->targets[i];
            assert(left[source]);
            if (--left[source] || !bit_get(result, source)) continue;
            bit_clear(result, source);
            assert(count < rows);
            queue[count++] = source;
        }
    }
    STATES_GIVE(states, queue, left);
    return states->ledger.limit == LIMIT_NONE;
}
