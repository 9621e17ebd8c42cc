/* See tuples.h. */
#include "explore/strategy/tuples.h"

#include <assert.h>
#include <string.h>

enum { FIRST_TUPLES = 1 << 6 };

static uint64_t hash_list(const struct condition *items, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = store_mix(hash ^ ((uint64_t)items[i].decider << 32 | items[i].move)) + i;
    return hash;
}

static void enter(struct tuples *tuples, uint32_t number) {
    uint32_t count, mask = tuples->capacity * 2 - 1;
    const struct condition *items = tuples_items(tuples, number, &count);
    uint32_t at = (uint32_t)hash_list(items, count) & mask;
    while (tuples->table[at]) at = (at + 1) & mask;
    tuples->table[at] = number + 1;
}

/* Room for one more list; false past a limit. */
static bool grow_lists(struct tuples *tuples) {
    struct work *work = tuples->work;
    if (tuples->count < tuples->capacity) return true;
    uint32_t capacity = tuples->capacity ? tuples->capacity * 2 : FIRST_TUPLES;
    if (capacity > UINT32_MAX / 4) work->limit = LIMIT_MEMORY;
    uint32_t *ends = work_take(work, capacity, sizeof *ends);
    uint32_t *table = work_take(work, (size_t)capacity * 2, sizeof *table);
    if (!table) {
        work_give(work, ends, capacity, sizeof *ends);
        return false;
    }
    if (tuples->count) memcpy(ends, tuples->ends, tuples->count * sizeof *ends);
    work_give(work, tuples->ends, tuples->capacity, sizeof *ends);
    work_give(work, tuples->table, (size_t)tuples->capacity * 2, sizeof *table);
    tuples->ends = ends;
    tuples->table = table;
    tuples->capacity = capacity;
    for (uint32_t i = 0; i < tuples->count; i++) enter(tuples, i);
    return true;
}

static bool grow_items(struct tuples *tuples, uint32_t more) {
    struct work *work = tuples->work;
    if (tuples->item_capacity - tuples->item_count >= more) return true;
    uint64_t capacity = (uint64_t)tuples->item_capacity * 2 + more + FIRST_TUPLES;
    if (capacity > UINT32_MAX) work->limit = LIMIT_MEMORY;
    struct condition *items = work_take(work, capacity, sizeof *items);
    if (!items) return false;
    if (tuples->item_count) memcpy(items, tuples->items, tuples->item_count * sizeof *items);
    work_give(work, tuples->items, tuples->item_capacity, sizeof *items);
    tuples->items = items;
    tuples->item_capacity = (uint32_t)capacity;
    return true;
}

/* With the empty tuple, which has number 0 and an address; false at a limit. */
bool tuples_open(struct tuples *tuples, struct work *work) {
    *tuples = (struct tuples){.work = work};
    return grow_items(tuples, 1) && tuples_number(tuples, NULL, 0) == 0;
}

/* Gives the memory back to the work. */
void tuples_close(struct tuples *tuples) {
    work_give(tuples->work, tuples->ends, tuples->capacity, sizeof *tuples->ends);
    work_give(tuples->work, tuples->table, (size_t)tuples->capacity * 2, sizeof *tuples->table);
    work_give(tuples->work, tuples->items, tuples->item_capacity, sizeof *tuples->items);
    *tuples = (struct tuples){.work = tuples->work};
}

uint32_t tuples_number(struct tuples *tuples, const struct condition *items, uint32_t count) {
    if (!grow_lists(tuples) || !grow_items(tuples, count)) return TUPLES_FULL;
    uint32_t mask = tuples->capacity * 2 - 1, known;
    uint32_t at = (uint32_t)hash_list(items, count) & mask;
    for (; tuples->table[at]; at = (at + 1) & mask) {
        uint32_t number = tuples->table[at] - 1;
        const struct condition *other = tuples_items(tuples, number, &known);
        if (known == count && (!count || !memcmp(other, items, count * sizeof *items)))
            return number;
    }
    if (count) memcpy(tuples->items + tuples->item_count, items, count * sizeof *items);
    tuples->item_count += count;
    tuples->ends[tuples->count] = tuples->item_count;
    tuples->table[at] = tuples->count + 1;
    assert(tuples->count || !count);
    return tuples->count++;
}
