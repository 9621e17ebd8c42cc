/* LEDGER - the memory and time that a computation may take, and what it has taken.
 *
 * Memory is what is taken here, and what is in the stores that the ledger counts.
 *
 * Invariants: past a limit nothing is given any more: it is enough to look at the last of several
 *             pieces.
 * Lifetime:   heap memory, to be given back.
 * Errors:     functions give NULL or false at a limit, which is noted; memory is as it was then.
 */
#pragma once

#include "base/room.h"
#include "explore/space/space.h"

enum { LEDGER_STORES = 3 };

struct ledger {
    size_t used, peak, max_size;               /* bytes; max_size 0 = no limit */
    const struct store *stores[LEDGER_STORES]; /* that are counted, or NULL */
    double deadline;                           /* by clock_seconds; 0 = none */
    double grace;                              /* seconds that it may go on after an interrupt */
    enum search_limit limit;                   /* that was met */
    bool ends_process; /* where the system has no memory; else that is the limit on it */
    uint32_t ticks;
};

/* A ledger of the memory that may be taken beside the store of a search; time as for the machine.
 */
struct ledger ledger_beside(const struct search *search, const struct machine *machine);

/* Bytes that are taken, stores included; and bytes left: at least 1, SIZE_MAX without a limit. */
size_t ledger_size(const struct ledger *ledger);
size_t ledger_left(const struct ledger *ledger);
/* Whether so many bytes more may be taken; notes the peak. */
bool ledger_fits(struct ledger *ledger, size_t more);

/* Zeroed memory, with an address even if it is none. */
void *ledger_take(struct ledger *ledger, size_t count, size_t size);
/* Gives pieces back; NULL is fine. */
void ledger_give(struct ledger *ledger, void *const *pieces, size_t count);
#define LEDGER_GIVE(ledger, ...)                                                                   \
    ledger_give((ledger), (void *const[]){__VA_ARGS__},                                            \
                sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
/* For an index: takes memory from the ledger, which is borrowed. */
struct memory_source ledger_memory(struct ledger *ledger);

/* The header in front of a piece of memory. */
struct ledger_piece {
    _Alignas(16) size_t size; /* bytes after this */
};
static inline size_t ledger_bytes(const void *memory) {
    return memory ? ((const struct ledger_piece *)memory)[-1].size : 0;
}
/* The number of items that an array has room for. */
#define LEDGER_COUNT(items) (ledger_bytes(items) / sizeof *(items))

/* Makes room for at least so many items of a size, by half or more; is_zeroed: those that are new.
 */
bool ledger_grow(struct ledger *ledger, void **items, size_t need, size_t size, bool is_zeroed);
static inline bool ledger_room(struct ledger *ledger, void **items, size_t need, size_t size,
                               bool is_zeroed) {
    return ledger_bytes(*items) >= need * size || ledger_grow(ledger, items, need, size, is_zeroed);
}
#define LEDGER_ROOM(ledger, items, need)                                                           \
    ledger_room((ledger), (void **)&(items), (need), sizeof *(items), false)
#define LEDGER_ROOM_ZEROED(ledger, items, need)                                                    \
    ledger_room((ledger), (void **)&(items), (need), sizeof *(items), true)

/* Makes room for so many items that will come, probably, if more memory is left than that: an array
 * that does not grow has large pages. */
void ledger_expect(struct ledger *ledger, void **items, uint64_t count, size_t size);
#define LEDGER_EXPECT(ledger, items, count)                                                        \
    ledger_expect((ledger), (void **)&(items), (count), sizeof *(items))

/* The piece with so many of its bytes, without what is after them; NULL is fine. */
void *ledger_trim(struct ledger *ledger, void *items, size_t size);

/* Looks at the clock. */
bool ledger_has_time(struct ledger *ledger);
/* To be asked for each row: looks at the clock now and then. */
bool ledger_goes_on(struct ledger *ledger);
/* Whether the shelf has a row, one of a new run if it was empty, and all fits. */
bool ledger_refill(struct ledger *ledger, struct store *store, struct shelf *shelf);
