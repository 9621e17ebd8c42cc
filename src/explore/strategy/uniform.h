/* UNIFORM - a search for a uniform strategy, choice by choice.
 *
 * A partial strategy is played from the starts on; where it reaches a state in which something has
 * to be chosen, the values of that variable are tried. A failure knows the choices that it is due
 * to: those on a way to where it happened, and those that let it happen; the latest of them is
 * changed next (conflict-directed backjumping). States of `closed` need no choice any more; no
 * strategy is sought beyond `possible`. Where the goal is to be reached, a cycle fails as soon as
 * it closes, and so does a state in which the coalition lets nothing happen.
 *
 * Lifetime: memory of the ledger, given back by uniform_close.
 * Errors:   ABLE_OPEN past the budget, or past a limit of the ledger.
 */
#pragma once

#include "explore/strategy/enforce.h"

#define NO_VALUE (UINT32_MAX - 1)

enum { UNIFORM_MAX_LEVELS = 1 << 12 };

/* A value to be tried, and the rows that it would add. */
struct uniform_option {
    uint32_t move, fresh;
};

struct uniform_level {
    uint32_t variable;
    uint32_t first, count, chosen; /* in options */
    uint32_t reached_count, expanded;
};

struct uniform {
    const struct views *views;
    const struct goal *goal;
    const uint64_t *closed, *possible;
    uint64_t tries, budget; /* values that were tried, and how many may be, in all searches */
    /* private */
    uint32_t *value; /* by variable, where it has a level */
    uint64_t effort;
    uint32_t *level_of; /* by variable: level plus one */
    uint32_t *reached, *parent, reached_count, expanded;
    uint32_t *position_of; /* by row: in reached, plus one */
    uint32_t *stack, *next_step, *seen, mark;
    struct uniform_level *levels;
    uint64_t *conflicts; /* by level */
    uint64_t *conflict;
    uint32_t level_count, most_levels, conflict_words;
    VEC(struct uniform_option) options;
};

bool uniform_open(struct uniform *uniform, const struct views *views, const struct goal *goal,
                  uint64_t budget);
void uniform_close(struct uniform *uniform);

/* Whether one strategy reaches the goal from all of the rows. */
enum able uniform_search(struct uniform *uniform, const uint32_t *starts, uint32_t count);
/* The value of a variable in the strategy that was found last: NO_VALUE where none was needed. */
uint32_t uniform_value(const struct uniform *uniform, uint32_t variable);
