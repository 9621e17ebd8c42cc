/* See steps.h. */
#include "explore/states/steps.h"

#include <assert.h>
#include <string.h>

static bool note_stuck(void *context, uint32_t row) {
    struct steps *steps = context;
    if (!expander_degree(steps->work->expander)) bit_set(steps->stuck, row);
    return true;
}

bool steps_find(struct steps *steps, struct work *work) {
    struct rows_plan plan = {.search = work->search,
                             .expander = work->expander,
                             .state = work->state,
                             .idles = true,
                             .finish = note_stuck,
                             .context = steps};
    *steps = (struct steps){.work = work, .rows.ledger = &work->ledger};
    steps->stuck = work_take(work, work->row_count / 64 + 1, sizeof(uint64_t));
    if (!rows_explore(&steps->rows, &plan) || !rows_turn(&steps->back, &steps->rows)) return false;
    assert(steps->back.step_count >= store_count(&work->search->store)); /* runs are maximal */
    rows_forget_targets(&steps->rows);
    return true;
}

/* Gives the memory back to the work; may be called where nothing was found. */
void steps_close(struct steps *steps) {
    if (!steps->work) return;
    WORK_GIVE(steps->work, steps->stuck);
    rows_close(&steps->rows);
    if (steps->back.ledger) rows_close(&steps->back);
    *steps = (struct steps){0};
}

bool steps_before(const struct steps *steps, const uint64_t *set, uint64_t *result) {
    struct work *work = steps->work;
    const struct row_steps *back = &steps->back;
    for (uint32_t row = 0; row < work->row_count && work_goes_on(work); row++)
        for (uint64_t i = back->first[row]; bit_get(set, row) && i < back->first[row + 1]; i++)
            bit_set(result, back->targets[i]);
    return work->ledger.limit == LIMIT_NONE;
}

/* Backwards from q through p, every row at most once. */
bool steps_until(const struct steps *steps, const uint64_t *p, const uint64_t *q,
                 uint64_t *result) {
    struct work *work = steps->work;
    const struct row_steps *back = &steps->back;
    uint32_t count = 0;
    uint32_t *queue = work_take(work, work->row_count, sizeof *queue);
    if (!queue) return false;
    for (uint32_t row = 0; row < work->row_count; row++)
        if (bit_get(q, row)) {
            bit_set(result, row);
            queue[count++] = row;
        }
    while (count && work_goes_on(work)) {
        uint32_t row = queue[--count];
        for (uint64_t i = back->first[row]; i < back->first[row + 1]; i++) {
            uint32_t source = back->targets[i];
            if (bit_get(result, source) || (p && !bit_get(p, source))) continue;
            bit_set(result, source);
            queue[count++] = source;
        }
    }
    WORK_GIVE(work, queue);
    return work->ledger.limit == LIMIT_NONE;
}

/* Rows go that have no successor left. */
bool steps_always(const struct steps *steps, const uint64_t *p, uint64_t *result) {
    struct work *work = steps->work;
    const struct row_steps *back = &steps->back;
    uint32_t count = 0, rows = work->row_count;
    uint32_t *queue = work_take(work, rows, sizeof *queue);
    uint32_t *left = work_take(work, rows, sizeof *left);
    for (uint32_t row = 0; left && row < rows; row++) left[row] = rows_degree(&steps->rows, row);
    if (left) memcpy(result, p, (rows / 64 + 1) * sizeof *result);
    EACH_ROW_IN_TIME (work, row)
        if (!bit_get(p, row)) queue[count++] = row;
    while (left && count && work_goes_on(work)) {
        uint32_t row = queue[--count];
        for (uint64_t i = back->first[row]; i < back->first[row + 1]; i++) {
            uint32_t source = back->targets[i];
            assert(left[source]);
            if (--left[source] || !bit_get(result, source)) continue;
            bit_clear(result, source);
            queue[count++] = source;
        }
    }
    WORK_GIVE(work, queue, left);
    return work->ledger.limit == LIMIT_NONE;
}
