/* MEMO - remembers what actions do, by the part of the state that they look at.
 *
 * Neighbours among the actions of a process form a group. Which of them are enabled, and what they
 * do, depends only on the bits that some of them tests or reads: the key of the group. The first
 * state with a key runs the actions, any other one with that key gets the same results. A result
 * is what an action does to every such state: (state & keep) | set. It is found by running the
 * action twice, with all bits outside the key 0 and with all of them 1: where the two differ
 * afterwards the bit is kept.
 *
 * Groups whose actions look at too much, or nobody knows at what, have no key; those with too many
 * keys are given up while the search runs. Their actions are run as rows (quick.h).
 *
 * Source:   the transition caching of LTSmin (Blom, van de Pol, Weber 2010), with groups of actions
 *           and without the bits that are only written in the key.
 * Lifetime: groups in the arena of the program; a memo is heap memory of one expander.
 */
#ifndef VARABS_EXPLORE_MEMO_H
#define VARABS_EXPLORE_MEMO_H

#include "explore/machine.h"
#include "explore/quick.h"

struct memo_group {
    uint64_t mask[QUICK_WORDS]; /* the key's bits */
    uint32_t turn[QUICK_WORDS]; /* rotations of the words that make one number of them */
    struct range rows;
    bool has_key;
};

/* MEMO_ROWS: some action fails or overflows, so the rows have to be run. */
enum { MEMO_AHEAD = 2 }; /* results behind the last one that may be looked at */
enum { MEMO_ROWS = 1 << 30, MEMO_URGENT = 1 << 29, MEMO_COUNT = MEMO_URGENT - 1 };
#define MEMO_FREE UINT64_MAX /* no key: it never has all bits */

struct memo_entry {
    uint64_t key;
    uint32_t first; /* word of the results: keep, then set, of each successor */
    uint32_t count; /* successors, and flags */
};

struct memo_table {
    struct memo_group group;
    struct memo_entry *entries; /* NULL: run the rows */
    uint32_t shift;             /* of the product of a key to its place */
    uint32_t count, capacity;
};

struct memo {
    struct memo_table *tables; /* by group; NULL until memo_open */
    uint32_t table_count;
    uint64_t *results;
    uint32_t result_count, result_capacity;
    uint64_t *work; /* two states */
};

void memo_open(struct memo *memo, const struct program *program);
void memo_close(struct memo *memo);

/* Runs the actions for a key that is not there yet; NULL if the group is given up. */
const struct memo_entry *memo_fill(struct memo *memo, struct memo_table *table,
                                   const struct program *program, struct machine *machine,
                                   const uint64_t *state);

static inline uint64_t memo_key(const struct memo_group *group, const uint64_t *state,
                                uint32_t words) {
    uint64_t key = state[0] & group->mask[0];
    for (uint32_t i = 1; i < words; i++) {
        uint64_t part = state[i] & group->mask[i];
        key |= part << group->turn[i] | part >> ((64 - group->turn[i]) & 63);
    }
    return key;
}

/* The place of the key, or the free one where it belongs. */
static inline struct memo_entry *memo_place(const struct memo_table *table, uint64_t key) {
    uint64_t at = key * UINT64_C(0x9E3779B97F4A7C15) >> table->shift;
    while (table->entries[at].key != key && table->entries[at].key != MEMO_FREE)
        at = (at + 1) & (table->capacity - 1);
    return &table->entries[at];
}

/* Makes groups of the rows of one process, which go from location to location as in the dispatch of
 * its rows, and a dispatch for them. */
void memo_add(struct program *program, struct arena *arena, const struct dispatch *dispatch,
              uint32_t location_count);

#endif
