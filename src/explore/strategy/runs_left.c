#include "explore/strategy/runs_left.h"

#include <assert.h>

static bool is_base(const struct runs_left *left, uint32_t state) {
    return (left->flags.items[state] & RUNS_BASE) != 0;
}

/* Whether all targets of a state are in a set. */
static bool all_in(const struct runs_left *left, uint32_t state, const uint8_t *set) {
    uint32_t first = state ? left->ends.items[state - 1] : 0, end = left->ends.items[state];
    assert(first < end || is_base(left, state)); /* a state without steps stays itself */
    for (uint32_t i = first; i < end; i++)
        if (!set[left->targets.items[i]]) return false;
    return first < end;
}

/* Whether all runs reach the base: states count whose steps all lead to states that count. */
static bool arrives(const struct runs_left *left, bool (*go_on)(void *context), void *context) {
    uint32_t count = left->ends.count, open = 0;
    uint8_t *counts = ARENA_ARRAY(left->arena, uint8_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        counts[i] = is_base(left, i);
        open += !counts[i];
    }
    for (bool changes = true; changes && open && go_on(context);) {
        changes = false;
        for (uint32_t i = count; i-- > 0;) {
            if (counts[i] || !all_in(left, i, counts)) continue;
            counts[i] = changes = true;
            open--;
        }
    }
    return !open;
}

bool runs_left_win(const struct runs_left *left, bool is_next, bool is_least,
                   bool (*go_on)(void *context), void *context) {
    for (uint32_t i = 0; is_next && i < left->targets.count; i++)
        if (!is_base(left, left->targets.items[i])) return false;
    if (is_next) return true;
    assert(left->ends.count == left->flags.count); /* all that are reached are played */
    for (uint32_t i = 0; i < left->flags.count; i++)
        if (!left->flags.items[i]) return false;
    return !is_least || arrives(left, go_on, context);
}
