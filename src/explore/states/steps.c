/* See steps.h. */
#include "explore/states/steps.h"

#include <assert.h>
#include <string.h>

/* Targets, in the order of their sources, while they are found. */
struct targets {
    uint32_t *items;
    size_t count, capacity;
};

static bool push(struct targets *targets, struct work *work, uint32_t row) {
    if (targets->count == targets->capacity) {
        size_t capacity = targets->capacity ? targets->capacity * 2 : 1 << 10;
        uint32_t *wide = work_take(work, capacity, sizeof *wide);
        if (!wide) return false;
        if (targets->count) memcpy(wide, targets->items, targets->count * sizeof *wide);
        work_give(work, targets->items, targets->capacity, sizeof *wide);
        targets->items = wide;
        targets->capacity = capacity;
    }
    targets->items[targets->count++] = row;
    return true;
}

/* The steps of one row. */
static bool add_row(struct steps *steps, struct work *work, struct targets *targets, uint32_t row) {
    if (!work_expand(work, row)) return false;
    uint32_t degree = expander_degree(work->expander);
    for (uint32_t i = 0; i < degree; i++)
        if (!push(targets, work, work_successor(work, i))) return false;
    steps->degree[row] = degree;
    if (steps->degree[row]) return true;
    steps->degree[row] = 1;
    bit_set(steps->stuck, row);
    return push(targets, work, row);
}

/* Counting sort by target. */
static void turn_around(struct steps *steps, const struct work *work,
                        const struct targets *targets) {
    for (size_t i = 0; i < targets->count; i++) steps->first[targets->items[i] + 1]++;
    for (uint32_t row = 0; row < steps->row_count; row++)
        steps->first[row + 1] += steps->first[row];
    size_t at = 0;
    for (uint32_t row = work_first(work); row < steps->row_count; row = work_next(work, row))
        for (uint32_t k = 0; k < steps->degree[row]; k++)
            steps->sources[steps->first[targets->items[at++]]++] = row;
    for (uint32_t row = steps->row_count; row > 0; row--) steps->first[row] = steps->first[row - 1];
    steps->first[0] = 0;
    assert(at == targets->count && steps->first[steps->row_count] == steps->count);
}

bool steps_find(struct steps *steps, struct work *work) {
    struct targets targets = {0};
    uint32_t rows = work->row_count;
    *steps = (struct steps){.row_count = rows};
    steps->first = work_take(work, (size_t)rows + 1, sizeof(uint32_t));
    steps->degree = work_take(work, rows, sizeof(uint32_t));
    steps->stuck = work_take(work, rows / 64 + 1, sizeof(uint64_t));
    for (uint32_t row = work_first(work); row < rows && work_goes_on(work);
         row = work_next(work, row))
        if (!add_row(steps, work, &targets, row)) break;
    if (targets.count >= UINT32_MAX) work->ledger.limit = LIMIT_MEMORY;
    steps->count = (uint32_t)targets.count;
    steps->sources = work_take(work, targets.count, sizeof(uint32_t));
    if (steps->sources) turn_around(steps, work, &targets);
    work_give(work, targets.items, targets.capacity, sizeof(uint32_t));
    return work->ledger.limit == LIMIT_NONE;
}

/* Gives the memory back to the work. */
void steps_close(struct steps *steps, struct work *work) {
    work_give(work, steps->first, (size_t)steps->row_count + 1, sizeof(uint32_t));
    work_give(work, steps->degree, steps->row_count, sizeof(uint32_t));
    work_give(work, steps->stuck, steps->row_count / 64 + 1, sizeof(uint64_t));
    work_give(work, steps->sources, steps->count, sizeof(uint32_t));
    *steps = (struct steps){0};
}

bool steps_before(const struct steps *steps, struct work *work, const uint64_t *set,
                  uint64_t *result) {
    for (uint32_t row = 0; row < steps->row_count && work_goes_on(work); row++)
        for (uint32_t i = steps->first[row]; bit_get(set, row) && i < steps->first[row + 1]; i++)
            bit_set(result, steps->sources[i]);
    return work->ledger.limit == LIMIT_NONE;
}

/* Backwards from q through p, every row at most once. */
bool steps_until(const struct steps *steps, struct work *work, const uint64_t *p, const uint64_t *q,
                 uint64_t *result) {
    uint32_t count = 0;
    uint32_t *queue = work_take(work, steps->row_count, sizeof *queue);
    if (!queue) return false;
    for (uint32_t row = 0; row < steps->row_count; row++)
        if (bit_get(q, row)) {
            bit_set(result, row);
            queue[count++] = row;
        }
    while (count && work_goes_on(work)) {
        uint32_t row = queue[--count];
        for (uint32_t i = steps->first[row]; i < steps->first[row + 1]; i++) {
            uint32_t source = steps->sources[i];
            if (bit_get(result, source) || (p && !bit_get(p, source))) continue;
            bit_set(result, source);
            queue[count++] = source;
        }
    }
    work_give(work, queue, steps->row_count, sizeof *queue);
    return work->ledger.limit == LIMIT_NONE;
}

/* Rows go that have no successor left. */
bool steps_always(const struct steps *steps, struct work *work, const uint64_t *p,
                  uint64_t *result) {
    uint32_t count = 0, rows = steps->row_count;
    uint32_t *queue = work_take(work, rows, sizeof *queue);
    uint32_t *left = work_take(work, rows, sizeof *left);
    if (left) memcpy(left, steps->degree, rows * sizeof *left);
    if (left) memcpy(result, p, (rows / 64 + 1) * sizeof *result);
    for (uint32_t row = work_first(work); left && row < rows; row = work_next(work, row))
        if (!bit_get(p, row)) queue[count++] = row;
    while (left && count && work_goes_on(work)) {
        uint32_t row = queue[--count];
        for (uint32_t i = steps->first[row]; i < steps->first[row + 1]; i++) {
            uint32_t source = steps->sources[i];
            assert(left[source]);
            if (--left[source] || !bit_get(result, source)) continue;
            result[source / 64] &= ~(UINT64_C(1) << source % 64);
            queue[count++] = source;
        }
    }
    work_give(work, queue, rows, sizeof *queue);
    work_give(work, left, rows, sizeof *left);
    return work->ledger.limit == LIMIT_NONE;
}
