/* COUNT - how many vectors a set has, exactly.
 *
 * Invariants: a count has limbs of 32 bits, the lowest first; a counter gives all of its counts as
 *             many as the largest possible one needs.
 * Lifetime:   counts in the arena given; a counter remembers nodes, so none may be collected while
 *             it is used. counter_close frees its memory.
 */
#pragma once

#include "base/index.h"
#include "explore/symbolic/diagram/ldd.h"

struct count {
    uint32_t *limbs;
    uint32_t limb_count;
};

struct counter {
    const struct ldd *ldd;
    uint32_t limb_count;
    uint32_t *nodes, *limbs; /* heap, by place: a node and its count */
    size_t node_capacity, limb_capacity;
    struct index index; /* of the nodes */
};

/* bits: of a vector, so that there are at most 2^bits. Sums may be 2^32 times as large. */
void counter_init(struct counter *counter, const struct ldd *ldd, uint32_t bits);
void counter_close(struct counter *counter);

struct count count_zero(const struct counter *counter, struct arena *arena);
/* Adds the vectors of a set, each so many times. */
void count_add_set(struct counter *counter, struct count *count, uint32_t set, uint32_t times);

/* The number, or UINT64_MAX if it is larger. */
uint64_t count_value(const struct count *count);
/* In decimal digits. */
char *count_text(const struct count *count, struct arena *arena);
