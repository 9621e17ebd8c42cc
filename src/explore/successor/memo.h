/* MEMO - remembers what actions do, by the part of the state that they look at.
 *
 * Which actions of a group are enabled, and what they do, depends only on the bits that some of
 * them tests or reads: the key. The first state with a key runs the actions, any other one with
 * that key gets the same results. A result is what an action does to every such state: (state &
 * keep) | set. It is found by running the action twice, with all bits outside the key 0 and with
 * all of them 1: where the two differ afterwards the bit is kept.
 *
 * All actions of a process are one group at first. While the search runs, a group with too many
 * keys is split, into groups for each location, of actions that look at much the same; neighbours
 * with few keys are merged. Actions of which it is not known what they look at, or that look at too
 * much, are run as rows (quick.h).
 *
 * What the update of a loose instance does is remembered in the same way, by what it reads alone.
 *
 * Source:   transition caching as in LTSmin (Blom, van de Pol, Weber 2010); there keys have the
 *           bits that are only written as well.
 * Lifetime: groups in the arena of the program; a memo is memory of one expander.
 */
#pragma once

#include "explore/code/machine.h"
#include "explore/successor/quick.h"

enum { MEMO_AHEAD = 2 }; /* results after the last one that may be looked at */
/* MEMO_ROWS: some action fails or overflows, so the rows have to be run. */
enum { MEMO_ROWS = 1 << 30, MEMO_COUNT = MEMO_ROWS - 1 };
#define MEMO_FREE UINT64_MAX /* no key: keys never have all bits */

struct memo_entry {
    uint64_t key;
    uint32_t first; /* word of the results: keep, then set, of each successor */
    uint32_t count; /* successors, and flags */
};

struct memo_table {
    struct memo_group group;
    struct memo_entry *entries;
    uint32_t shift;                     /* of the product of a key to its place */
    uint32_t count, capacity;           /* capacity 0: entries are not its own */
    bool is_given_up;                   /* too many keys: group.has_key is false by now */
    bool is_settled;                    /* not to be merged any more */
    struct memo_table *halves[2];       /* of a merged one */
    const struct memo_process *process; /* of a whole process */
};

struct memo_list;

/* A group, or, without table, a process by location. */
struct memo_item {
    struct memo_table *table;
    const struct dispatch *dispatch;
    struct memo_list *lists; /* of groups, by location */
};

struct memo_list {
    struct memo_item *items; /* heap */
    uint32_t count;
};

struct memo {
    const struct program *program; /* NULL until memo_open */
    bool is_committed;             /* of committed states: other actions are not enabled */
    struct memo_list list;         /* all quick actions */
    uint64_t *results;
    uint32_t result_count, result_capacity;
    uint32_t word_count; /* of all entries and results */
    uint64_t *work;      /* two states */
    bool has_given_up;   /* some group, since the last look at them */
    uint64_t age, next;  /* states so far, and when the groups are looked at */
    struct arena arena;  /* tables */
    VEC(struct memo_table *) tables;
    VEC(struct memo_list *) lists;
};

/* Of the quick actions; or, with memo_begin, of nothing yet. */
void memo_open(struct memo *memo, const struct program *program, bool is_committed);
void memo_begin(struct memo *memo, const struct program *program);
void memo_close(struct memo *memo);

/* Runs the actions for a key that is not there yet; NULL if the group is given up, or it is late.
 */
const struct memo_entry *memo_fill(struct memo *memo, struct memo_table *table,
                                   struct machine *machine, const uint64_t *state);

/* A table for what one unit does; without a key if that depends on too much, or there are too
 * many. */
struct memo_table *memo_add_unit(struct memo *memo, const struct unit *unit);
/* The same for one unit. MEMO_ROWS: it fails, overflows or does not hold, so it has to be run. */
const struct memo_entry *memo_fill_unit(struct memo *memo, struct memo_table *table,
                                        struct machine *machine, const struct unit *unit,
                                        const uint64_t *state);

/* Splits and merges groups. */
void memo_arrange(struct memo *memo);

/* To be called for each state. */
static inline void memo_pass(struct memo *memo) {
    if (++memo->age == memo->next) memo_arrange(memo);
}

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

/* Does to the state what the unit of the table does; false if it has to be run. */
static inline bool memo_apply(struct memo *memo, struct memo_table *table, struct machine *machine,
                              const struct unit *unit, uint64_t *state) {
    uint32_t words = memo->program->layout->stored_words;
    if (!table->group.has_key) return false;
    uint64_t key = memo_key(&table->group, state, words);
    const struct memo_entry *entry = memo_place(table, key);
    if (entry->key != key) entry = memo_fill_unit(memo, table, machine, unit, state);
    if (!entry || entry->count & MEMO_ROWS) return false;
    const uint64_t *result = memo->results + entry->first;
    for (uint32_t i = 0; i < words; i++) state[i] = (state[i] & result[i]) | result[words + i];
    return true;
}

/* Makes groups of the rows of one process. */
void memo_add(struct program *program, struct arena *arena, const struct dispatch *rows,
              uint32_t location_count);
