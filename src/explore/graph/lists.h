/* LISTS - lists of items, each kept once and known by its number.
 *
 * Most steps of a model, and most of its states, have one of a few lists: of who must have chosen
 * what, of what can be chosen, of values that are seen. Equal lists have the same bytes.
 *
 * Invariants: number 0 is the empty list. Numbers go by first appearance.
 * Lifetime:   memory of the ledger, given back by lists_close.
 * Errors:     LISTS_FULL past a limit, which the ledger notes.
 */
#pragma once

#include "base/index.h"
#include "explore/graph/ledger.h"

#define LISTS_FULL UINT32_MAX

struct lists {
    struct ledger *ledger;
    size_t item_size; /* bytes */
    char *items;      /* one list after the other */
    uint64_t *first;  /* by number, count + 1 of them: in items */
    uint32_t count;
    struct index index;
};

/* With the empty list; false at a limit. Close it either way. */
bool lists_open(struct lists *lists, struct ledger *ledger, size_t item_size);
void lists_close(struct lists *lists);
/* The number of a list. */
uint32_t lists_number(struct lists *lists, const void *items, uint32_t count);
/* Gives a list the next number, though it may be there: it is not looked for, and not found. */
bool lists_add(struct lists *lists, const void *items, uint32_t count);

static inline const void *lists_items(const struct lists *lists, uint32_t number, uint32_t *count) {
    *count = (uint32_t)(lists->first[number + 1] - lists->first[number]);
    return lists->items + lists->first[number] * lists->item_size;
}
