/* See tuples.h. */
#include "explore/strategy/tuples.h"

#include <assert.h>
#include <string.h>

static uint64_t hash_list(const struct condition *items, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = index_mix(hash, (uint64_t)items[i].decider << 32 | items[i].move);
    return hash;
}

static bool grow_items(struct tuples *tuples, size_t more) {
    if (tuples->item_count + more > UINT32_MAX) tuples->work->ledger.limit = LIMIT_MEMORY;
    return LEDGER_ROOM(&tuples->work->ledger, tuples->items, tuples->item_count + more);
}

/* With the empty tuple, which has number 0 and an address; false at a limit. */
bool tuples_open(struct tuples *tuples, struct work *work) {
    *tuples = (struct tuples){.work = work, .index.memory = ledger_memory(&work->ledger)};
    return grow_items(tuples, 1) && tuples_number(tuples, NULL, 0) == 0;
}

/* Gives the memory back to the work. */
void tuples_close(struct tuples *tuples) {
    WORK_GIVE(tuples->work, tuples->ends, tuples->items);
    index_close(&tuples->index);
    *tuples = (struct tuples){.work = tuples->work};
}

uint32_t tuples_number(struct tuples *tuples, const struct condition *items, uint32_t count) {
    uint64_t hash = hash_list(items, count);
    uint32_t known;
    for (struct index_probe probe = index_begin(hash); index_next(&tuples->index, &probe);) {
        const struct condition *other = tuples_items(tuples, probe.number, &known);
        if (known == count && (!count || !memcmp(other, items, count * sizeof *items)))
            return probe.number;
    }
    if (!grow_items(tuples, count) ||
        !LEDGER_ROOM(&tuples->work->ledger, tuples->ends, (size_t)tuples->count + 1) ||
        !index_add(&tuples->index, hash, tuples->count))
        return TUPLES_FULL;
    if (count) memcpy(tuples->items + tuples->item_count, items, count * sizeof *items);
    tuples->item_count += count;
    tuples->ends[tuples->count] = tuples->item_count;
    assert(tuples->count || !count);
    return tuples->count++;
}
