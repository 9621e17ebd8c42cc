/* QUICK - the table from which plain actions are run.
 *
 * Quick actions only test, put and add, as most do, and states are at most QUICK_WORDS words. Such
 * an action is a row of numbers: mask, value, keep and set, each as long as a state, and then those
 * below. It is enabled if (state & mask) == value, and leads to ((state & keep) | set) + add; where
 * the field that is added to is at its end, the action itself has to look. Actions that do more
 * have rows as well, for their tests, and are always at their end.
 *
 * Invariants: rows of one process and location are next to each other.
 * Lifetime:   in the arena of the program.
 */
#pragma once

#include "explore/successor/program.h"

enum { QUICK_ADD, QUICK_END_MASK, QUICK_END_VALUE, QUICK_INFO, QUICK_EXTRA };

static inline uint32_t quick_size(uint32_t words) { return 4 * words + QUICK_EXTRA; }
/* QUICK_INFO: the action, the word with the field that is added to, and flags. */
#define QUICK_TESTED ((uint64_t)1 << 61) /* mask and value are all that it tests */
#define QUICK_CODED ((uint64_t)1 << 60)  /* tested, then nothing but code and puts */
#define QUICK_COMMITTED ((uint64_t)1 << 62)
static inline uint32_t quick_action(uint64_t info) { return (uint32_t)info; }
static inline uint32_t quick_word(uint64_t info) { return (uint32_t)(info >> 32) & 15; }

/* Adds rows and a dispatch for the actions from the first on, all led by one process. Gives the
 * dispatch, until the next call, or NULL if there are no rows. */
const struct dispatch *quick_add(struct program *program, struct arena *arena,
                                 const struct process *process, uint32_t first_action);
