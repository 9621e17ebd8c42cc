/* ENFORCE - the rows from which a coalition can see to something, by fixpoints.
 *
 * Every goal is one of three: a state of `base` next; `base` at some time, and until then `stay`
 * (is_least); or `stay` for ever, but for what comes after a state of `base`. The result is a
 * rank by row: NO_RANK where the coalition cannot; otherwise it chooses at a row so that the next
 * rank is less, or, where the goal is not to be reached, is again a rank.
 *
 * enforce_by_state   with perfect information: exact. With views: more than uniform strategies can
 *                    do, as a choice is made in each state anew, though among all that is possible
 *                    somewhere in its class (ST6).
 * enforce_by_component  less than uniform strategies can do: all states of a component at once, by
 *                    one choice for each class, the same as long as the component counts.
 *
 * Errors: limits of the states. is_open: somewhere too many choices would have had to be tried,
 * which
 *         were taken as found (by state) or as not found (by component).
 */
#pragma once

#include "explore/strategy/picker.h"

struct goal {
    bool is_next, is_least;
    const uint64_t *base, *stay; /* by row; NULL: none, all */
};

struct enforced {
    uint32_t *rank;
    bool is_open;
};

static inline bool in_base(const struct goal *goal, uint32_t row) {
    return goal->base && bit_get(goal->base, row);
}
static inline bool in_stay(const struct goal *goal, uint32_t row) {
    return !goal->stay || bit_get(goal->stay, row);
}

/* The rows that a row's choice has to lead to, given the ranks. */
static inline struct aim aim_at(const struct goal *goal, const uint32_t *rank, uint32_t row) {
    return (struct aim){rank, goal->is_least ? rank[row] : 1};
}

/* The rank is memory of the ledger: enforced_close. */
bool enforce_by_state(struct enforced *enforced, struct picker *picker, const struct goal *goal);
bool enforce_by_component(struct enforced *enforced, struct picker *picker,
                          const struct goal *goal);
void enforced_close(struct enforced *enforced, struct all_states *states);
