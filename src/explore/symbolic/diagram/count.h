/* COUNT - how many vectors a set has, or how often something happens in them, exactly.
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

/* Adds what a set has of its own, besides what is below its values; the set is of that level. */
typedef void count_own(void *context, uint32_t set, uint32_t level, struct count *sum);

struct counter {
    const struct ldd *ldd;
    uint32_t limb_count;
    count_own *own; /* or NULL: each vector counts one */
    void *context;
    uint32_t *nodes, *limbs; /* heap, by place: a node and its count */
    size_t node_capacity, limb_capacity;
    struct index index; /* of the nodes */
};

/* bits: of a vector, so that there are at most 2^bits. Sums may be 2^32 times as large. */
void counter_init(struct counter *counter, const struct ldd *ldd, uint32_t bits);
/* As counter_init, for what is own to sets; vectors themselves count nothing. */
void counter_init_own(struct counter *counter, const struct ldd *ldd, uint32_t bits, count_own *own,
                      void *context);
void counter_close(struct counter *counter);

struct count count_zero(const struct counter *counter, struct arena *arena);
/* Adds what a set of whole vectors has, so many times. */
void count_add_set(struct counter *counter, struct count *count, uint32_t set, uint32_t times);

/* The number, or UINT64_MAX if it is larger. */
uint64_t count_value(const struct count *count);
/* In decimal digits. */
char *count_text(const struct count *count, struct arena *arena);
