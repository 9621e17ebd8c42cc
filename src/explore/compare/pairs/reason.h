/* REASON - which step of a bad pair says why it is bad, for refuting by states (refute.h) and by
 * sets of them (sets/refute_sets.h).
 */
#pragma once

#include "explore/compare/pairs/pair_look.h"

/* When a pair was found to be bad. */
struct death {
    uint32_t time; /* 0: it was not, as far as is known */
    bool has_held; /* it is known to be good but for time */
};

/* Which pairs are bad. */
struct deaths {
    bool moves[SIDE_COUNT];
    bool is_timed; /* time is compared, too */
    const void *context;
    /* Of the pair of two nodes, which were looked at last. */
    struct death (*death_of)(const void *context, const uint32_t nodes[SIDE_COUNT]);
};

/* A step of a bad pair, and of what follows it the pair that died first. */
struct reason {
    bool is_found, is_silent;
    enum side side;
    uint32_t node, choices;
    uint32_t choice; /* PAIR_NONE if there are no choices */
    uint32_t died;   /* of the choice; 0 likewise */
};

/* Why a pair that died at a time is bad: a step of which all choices were bad before. If possible,
 * one that nothing follows. */
struct reason reason_of(const struct deaths *deaths, const struct pair_look *look, uint32_t died);
