/* The first and second way: what the memo knows, before rows. */
#include "base/debug.h"
#include "explore/successor/successor_internal.h"

#include <assert.h>

/* The end of the list, with room for what all rows and the memo may write. */
ALWAYS_INLINE uint64_t *end_of_list(struct expander *expander, uint32_t words) {
    reserve(expander, expander->program->quick.count / quick_size(words) + MEMO_AHEAD + 1);
    return expander->states + (size_t)expander->count * words;
}

/* Whether a quick action is enabled. */
ALWAYS_INLINE bool is_quick(const uint64_t *row, const uint64_t *state, uint32_t words) {
    uint64_t difference = 0;
    for (uint32_t i = 0; i < words; i++) difference |= (state[i] & row[i]) ^ row[words + i];
    return !difference;
}

ALWAYS_INLINE bool is_at_end(const uint64_t *extra, const uint64_t *state) {
    return (state[quick_word(extra[QUICK_INFO])] & extra[QUICK_END_MASK]) == extra[QUICK_END_VALUE];
}

/* Actions that the quick way is not enough for. */
static bool run_enabled(struct expander *expander, uint64_t info) {
    if (expander->is_committed && !(info & QUICK_COMMITTED)) return true;
    const struct action *action = &expander->program->actions.items[quick_action(info)];
    return info & QUICK_TESTED ? run_tested(expander, action) : run_action(expander, action);
}

/* An enabled action whose code has to run; the state goes to the end of the list, where there is
 * room. */
ALWAYS_INLINE enum outcome run_coded(struct expander *expander, const uint64_t *state, uint64_t *to,
                                     uint32_t index, uint32_t words) {
    const struct program *program = expander->program;
    const struct layout *layout = program->layout;
    const struct unit *unit = &program->actions.items[index].unit;
    for (uint32_t i = 0; i < words; i++) to[i] = state[i];
    for (uint32_t i = words; i < layout->word_count; i++) to[i] = layout->initial[i];
    enum outcome outcome = machine_run(&expander->machine, unit->entry, to);
    if (outcome == RUN_TRUE) unit_puts(&program->code, unit, to);
    return outcome;
}

/* Some rows; their successors go to the end of the list. What is not enabled is computed as well,
 * and then overwritten: that is faster than a branch that cannot be predicted. */
ALWAYS_INLINE bool run_rows(struct expander *expander, const struct row_range *range,
                            const uint64_t *state, uint32_t words, bool is_special,
                            uint64_t **end) {
    uint32_t size = quick_size(words);
    const uint64_t *row = expander->program->quick.items + (size_t)range->first * size;
    const uint64_t *last = row + (size_t)range->count * size;
    for (; row < last; row += size) {
        const uint64_t *extra = row + 4 * words;
        bool is_enabled = is_quick(row, state, words);
        if (is_enabled && (is_special || is_at_end(extra, state))) {
            uint64_t info = extra[QUICK_INFO];
            if (!is_special && info & QUICK_CODED) {
                enum outcome outcome = run_coded(expander, state, *end, quick_action(info), words);
                *end += outcome == RUN_TRUE ? words : 0;
                if (expander->machine.rounds >= MAX_ROUNDS && !goes_on(expander)) return false;
                if (outcome == RUN_TRUE || outcome == RUN_FALSE) continue;
            }
            expander->count = (uint32_t)((size_t)(*end - expander->states) / words);
            if (!run_enabled(expander, info)) return false;
            *end = end_of_list(expander, words);
            continue;
        }
        for (uint32_t i = 0; i < words; i++)
            (*end)[i] = (state[i] & row[2 * words + i]) | row[3 * words + i];
        (*end)[words == 1 ? 0 : quick_word(extra[QUICK_INFO])] += extra[QUICK_ADD];
        *end += is_enabled ? words : 0;
    }
    return true;
}

/* The successors that a group is known to give; the first ones are written in any case, as that is
 * faster than to look how many there are. */
ALWAYS_INLINE void run_known(const struct memo *memo, const struct memo_entry *entry,
                             const uint64_t *state, uint32_t words, uint64_t **end) {
    const uint64_t *result = memo->results + entry->first;
    uint32_t count = entry->count & MEMO_COUNT;
    uint64_t *to = *end;
    for (uint32_t k = 0; k < MEMO_AHEAD; k++)
        for (uint32_t i = 0; i < words; i++)
            to[k * words + i] =
                (state[i] & result[2 * k * words + i]) | result[(2 * k + 1) * words + i];
    for (uint32_t k = MEMO_AHEAD; k < count; k++)
        for (uint32_t i = 0; i < words; i++)
            to[k * words + i] =
                (state[i] & result[2 * k * words + i]) | result[(2 * k + 1) * words + i];
    *end += count * words;
}

/* False at a limit or after an overflow, or if some action fails. */
ALWAYS_INLINE bool run_group(struct expander *expander, struct memo *memo, struct memo_table *table,
                             const uint64_t *state, uint32_t words, uint64_t **end) {
    const struct memo_group *group = &table->group;
    if (group->has_key) {
        uint64_t key = memo_key(group, state, words);
        const struct memo_entry *entry = memo_place(table, key);
        if (entry->key != key) {
            entry = memo_fill(memo, table, &expander->machine, state);
            if (expander->machine.rounds >= MAX_ROUNDS && !goes_on(expander)) return false;
        }
        if (entry && !(entry->count & MEMO_ROWS)) {
            run_known(memo, entry, state, words, end);
            return true;
        }
    }
    for (uint32_t i = 0; i < group->range_count; i++)
        if (!run_rows(expander, &group->rows[i], state, words, expander->is_committed, end))
            return false;
    return !expander->error_count;
}

/* All quick actions, by groups. */
ALWAYS_INLINE bool run_groups(struct expander *expander, const uint64_t *state, uint32_t words,
                              uint64_t **end) {
    struct memo *memo = &expander->memos[expander->is_committed];
    if (!memo->program) memo_open(memo, expander->program, expander->is_committed);
    memo_pass(memo);
    const struct memo_list *list = &memo->list;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct memo_item *item = &list->items[i], *last = item + 1;
        if (!item->table) {
            const struct dispatch *at = item->dispatch;
            const struct memo_list *here = &item->lists[state[at->word] >> at->shift & at->mask];
            if (!here->count) continue;
            item = here->items;
            last = item + here->count;
        }
        for (; item < last; item++)
            if (!run_group(expander, memo, item->table, state, words, end)) return false;
    }
    return true;
}

/* All quick actions, in their order. */
ALWAYS_INLINE bool run_in_order(struct expander *expander, const uint64_t *state, uint32_t words,
                                bool is_special, uint64_t **end) {
    const struct program *program = expander->program;
    for (uint32_t d = 0; d < program->quick_dispatch.count; d++) {
        const struct row_range *range = dispatch_rows(&program->quick_dispatch.items[d], state);
        if (!run_rows(expander, range, state, words, is_special, end)) return false;
    }
    return true;
}

/* Where some action fails the order matters: one of the errors is the first. */
ALWAYS_INLINE bool run_quick(struct expander *expander, uint32_t words) {
    uint64_t state[QUICK_WORDS];
    uint64_t *end = end_of_list(expander, words);
    bool is_special = expander->is_recording || expander->is_committed;
    bool in_order = expander->is_recording || expander->rows_first;
    for (uint32_t i = 0; i < words; i++) state[i] = expander->from[i];
    expander->rows_first -= !expander->is_recording && expander->rows_first;
    if (!in_order && !run_groups(expander, state, words, &end)) {
        if (!expander->error_count) return false;
        expander->error_count = 0;
        expander->count = expander->first;
        end = end_of_list(expander, words);
        in_order = true;
    }
    if (in_order && !run_in_order(expander, state, words, is_special, &end)) return false;
    expander->count = (uint32_t)((size_t)(end - expander->states) / words);
    DEBUG_CHECK(assert(expander->count <= expander->capacity));
    return true;
}

/* One copy of the code for each size of a state. */
bool run_quick_actions(struct expander *expander) {
    assert(expander->word_count && expander->word_count <= QUICK_WORDS);
    switch (expander->word_count) {
    case 1: return run_quick(expander, 1);
    case 2: return run_quick(expander, 2);
    case 3: return run_quick(expander, 3);
    default: return run_quick(expander, 4);
    }
}
