/* See ledger.h. */
#include "explore/graph/ledger.h"

#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK = 1 << 12 };

struct ledger ledger_beside(const struct search *search, const struct machine *machine) {
    return (struct ledger){.max_size = search->options.max_size,
                           .stores = {&search->store},
                           .deadline = machine->deadline,
                           .grace = machine->grace};
}

size_t ledger_size(const struct ledger *ledger) {
    size_t size = ledger->used;
    for (int i = 0; i < LEDGER_STORES; i++)
        if (ledger->stores[i]) size += store_used(ledger->stores[i]);
    return size;
}

size_t ledger_left(const struct ledger *ledger) {
    size_t size = ledger_size(ledger);
    if (!ledger->max_size) return SIZE_MAX;
    return ledger->max_size > size ? ledger->max_size - size : 1;
}

bool ledger_fits(struct ledger *ledger, size_t more) {
    size_t size = ledger_size(ledger), most = ledger->max_size ? ledger->max_size : SIZE_MAX;
    if (ledger->limit != LIMIT_NONE) return false;
    if (size > most || more > most - size) {
        ledger->limit = LIMIT_MEMORY;
        return false;
    }
    if (size + more > ledger->peak) ledger->peak = size + more;
    return true;
}

/* Memory that the system gave, or not. */
static void *note(struct ledger *ledger, void *memory, size_t more) {
    if (memory)
        ledger->used += more;
    else
        ledger->limit = LIMIT_MEMORY;
    return memory;
}

void *ledger_resize(struct ledger *ledger, void *memory, size_t old_size, size_t size) {
    assert(size >= old_size || !size);
    if (!size) {
        ledger_give(ledger, memory, old_size, 1);
        return NULL;
    }
    if (!ledger_fits(ledger, size - old_size)) return NULL;
    memory_take(size);
    return note(ledger, realloc(memory, size), size - old_size);
}

void *ledger_take(struct ledger *ledger, size_t count, size_t size) {
    if (count > SIZE_MAX / size - 1) ledger->limit = LIMIT_MEMORY;
    if (!ledger_fits(ledger, count * size)) return NULL;
    memory_take((count + 1) * size);
    return note(ledger, calloc(count + 1, size), count * size);
}

void ledger_give(struct ledger *ledger, void *memory, size_t count, size_t size) {
    if (!memory) return;
    assert(ledger->used >= count * size);
    ledger->used -= count * size;
    free(memory);
}

static void *resize(void *context, void *memory, size_t old_size, size_t size) {
    return ledger_resize(context, memory, old_size, size);
}

struct memory_source ledger_memory(struct ledger *ledger) {
    return (struct memory_source){resize, ledger};
}

bool ledger_room(struct ledger *ledger, void **items, size_t *capacity, size_t need, size_t size,
                 bool is_zeroed) {
    struct memory_source memory = ledger_memory(ledger);
    size_t before = *capacity;
    if (need <= before) return true;
    if (!memory_room(&memory, items, capacity, need, size)) return false;
    if (is_zeroed) memset((char *)*items + before * size, 0, (*capacity - before) * size);
    return true;
}

bool ledger_has_time(struct ledger *ledger) {
    bool is_late = ledger->deadline > 0 && clock_seconds() >= ledger->deadline;
    if (is_late || interrupt_is_over(ledger->grace)) ledger->limit = limit_of_time();
    return ledger->limit == LIMIT_NONE;
}

bool ledger_goes_on(struct ledger *ledger) {
    if (ledger->limit != LIMIT_NONE) return false;
    return ledger->ticks++ % TICK || ledger_has_time(ledger);
}
