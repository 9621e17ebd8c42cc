/* LEDGER - the memory and time that a computation may take, and what it has taken.
 *
 * Memory is what is taken here, and what is in the stores that the ledger counts.
 *
 * Invariants: past a limit nothing is given any more: it is enough to look at the last of several
 *             pieces.
 * Lifetime:   heap memory, given back with its size.
 * Errors:     functions give NULL or false at a limit, which is noted; memory is as it was then.
 */
#ifndef VARABS_EXPLORE_GRAPH_LEDGER_H
#define VARABS_EXPLORE_GRAPH_LEDGER_H

#include "base/room.h"
#include "explore/space/space.h"

enum { LEDGER_STORES = 3 };

struct ledger {
    size_t used, peak, max_size;               /* bytes; max_size 0 = no limit */
    const struct store *stores[LEDGER_STORES]; /* that are counted, or NULL */
    double deadline;                           /* by clock_seconds; 0 = none */
    double grace;                              /* seconds that it may go on after an interrupt */
    enum search_limit limit;                   /* that was met */
    uint32_t ticks;
};

/* What may be taken beside the store of a search; time as for the machine. */
struct ledger ledger_beside(const struct search *search, const struct machine *machine);

/* What is taken, stores included, and what is left of it: at least 1, SIZE_MAX without a limit. */
size_t ledger_size(const struct ledger *ledger);
size_t ledger_left(const struct ledger *ledger);
/* Whether so many bytes more may be taken; notes the peak. */
bool ledger_fits(struct ledger *ledger, size_t more);

/* Memory of another size, with what was in it; size 0 gives it back. */
void *ledger_resize(struct ledger *ledger, void *memory, size_t old_size, size_t size);
/* Zeroed memory, with an address even if it is none. */
void *ledger_take(struct ledger *ledger, size_t count, size_t size);
/* Count and size as they were taken; NULL is fine. */
void ledger_give(struct ledger *ledger, void *memory, size_t count, size_t size);
/* Grows an array to at least so many items; is_zeroed: those that are new. */
bool ledger_room(struct ledger *ledger, void **items, size_t *capacity, size_t need, size_t size,
                 bool is_zeroed);
/* Takes memory from the ledger, which is borrowed. */
struct memory_source ledger_memory(struct ledger *ledger);

#define LEDGER_ROOM(ledger, items, capacity, need)                                                 \
    ledger_room((ledger), (void **)&(items), &(capacity), (need), sizeof *(items), false)
#define LEDGER_ROOM_ZEROED(ledger, items, capacity, need)                                          \
    ledger_room((ledger), (void **)&(items), &(capacity), (need), sizeof *(items), true)
#define LEDGER_GIVE(ledger, items, capacity)                                                       \
    ledger_give((ledger), (items), (capacity), sizeof *(items))

/* Looks at the clock. */
bool ledger_has_time(struct ledger *ledger);
/* To be asked for each row: looks at the clock now and then. */
bool ledger_goes_on(struct ledger *ledger);

#endif
