#include "explore/graph/ledger.h"

#include "base/clock.h"

#include <assert.h>
#include <stdlib.h>

enum { TICK = 1 << 12, FIRST_ROOM = 256 };
#define MOST (SIZE_MAX / 2) /* bytes of a piece */

struct ledger ledger_beside(const struct search *search, const struct machine *machine) {
    return (struct ledger){.ends_process = true,
                           .max_size = search->options.max_size,
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

/* The piece of so many bytes that the system gave, so many of them new; NULL: it gave none. */
static void *note(struct ledger *ledger, struct ledger_piece *piece, size_t size, size_t more) {
    if (!piece && ledger->ends_process) memory_is_over();
    if (!piece) {
        ledger->limit = LIMIT_MEMORY;
        return NULL;
    }
    memory_taken(piece, size);
    ledger->used += more;
    piece->size = size;
    return piece + 1;
}

void *ledger_take(struct ledger *ledger, size_t count, size_t size) {
    size_t bytes = count * size, whole = sizeof(struct ledger_piece) + bytes;
    if (count > MOST / size) ledger->limit = LIMIT_MEMORY;
    if (!ledger_fits(ledger, bytes)) return NULL;
    memory_take(whole);
    return note(ledger, calloc(1, whole), bytes, bytes);
}

static void *resize(struct ledger *ledger, void *memory, size_t size) {
    struct ledger_piece *piece = memory ? (struct ledger_piece *)memory - 1 : NULL;
    size_t more = size - ledger_bytes(memory), whole = sizeof *piece + size;
    assert(size >= more);
    if (!ledger_fits(ledger, more)) return NULL;
    memory_take(whole);
    return note(ledger, realloc(piece, whole), size, more);
}

void ledger_give(struct ledger *ledger, void *const *pieces, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!pieces[i]) continue;
        assert(ledger->used >= ledger_bytes(pieces[i]));
        ledger->used -= ledger_bytes(pieces[i]);
        free((struct ledger_piece *)pieces[i] - 1);
    }
}

static void *resize_of_index(void *context, void *memory, size_t old_size, size_t size) {
    assert(old_size == ledger_bytes(memory));
    if (size) return resize(context, memory, size);
    ledger_give(context, &memory, 1);
    return NULL;
}

struct memory_source ledger_memory(struct ledger *ledger) {
    return (struct memory_source){resize_of_index, ledger};
}

bool ledger_grow(struct ledger *ledger, void **items, size_t need, size_t size, bool is_zeroed) {
    size_t before = ledger_bytes(*items) / size, more = before ? before : FIRST_ROOM;
    while (more < need) more += more / 2 + 1;
    if (more > MOST / size) ledger->limit = LIMIT_MEMORY;
    void *memory = resize(ledger, *items, more * size);
    if (!memory) return false;
    if (is_zeroed) memset((char *)memory + before * size, 0, (more - before) * size);
    *items = memory;
    return true;
}

void ledger_expect(struct ledger *ledger, void **items, uint64_t count, size_t size) {
    if (count > ledger_left(ledger) / 2 / size || count * size <= ledger_bytes(*items)) return;
    void *memory = resize(ledger, *items, count * size);
    if (memory) *items = memory;
}

void *ledger_trim(struct ledger *ledger, void *items, size_t size) {
    size_t before = ledger_bytes(items);
    assert(size <= before);
    if (!items) return NULL;
    struct ledger_piece *old = (struct ledger_piece *)items - 1;
    struct ledger_piece *piece = realloc(old, sizeof *piece + size);
    if (!piece) return items;
    ledger->used -= before - size;
    piece->size = size;
    return piece + 1;
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

bool ledger_refill(struct ledger *ledger, struct store *store, struct shelf *shelf) {
    if (shelf->next < shelf->end) return true;
    if (!store_has_room(store, STORE_RUN) && !store_reserve(store, STORE_RUN)) {
        ledger->limit = LIMIT_MEMORY;
        return false;
    }
    store_refill(store, shelf, STORE_RUN);
    return ledger_fits(ledger, 0);
}
