/* TERM - values that depend on the levels of a vector, as far as they are not known yet.
 *
 * Predicates over many variables are decided level by level: what is left of one when the values of
 * the first levels are known is a term again. Sums of levels keep their known part as one number,
 * so that a sum over many levels leaves few different terms.
 *
 * Invariants: equal terms have the same number, as far as is seen; a value lies between lower and
 *             upper; sums, comparisons and operations never leave 32 bits, and faults are only
 *             leaves of TERM_IF.
 * Lifetime:   in the arena of the terms.
 * Errors:     where a term would have to wrap around, or there are too many, has_failed is set and
 *             terms mean nothing.
 */
#pragma once

#include "base/index.h"
#include "base/vec.h"
#include "lang/eval/eval.h"

#include <stdbool.h>

enum { TERMS_MAX = 1 << 20 };
#define NO_LEVEL UINT32_MAX

enum term_kind {
    TERM_CONSTANT, /* a: the value */
    TERM_FAULT,    /* a: index of faults */
    TERM_LEVEL,    /* a: the level */
    TERM_SUM,      /* a + the summands; their coefficients are not 0 */
    TERM_AT_MOST,  /* whether term b is at most a */
    TERM_EQUAL,    /* whether term b is a */
    TERM_OPERATE,  /* operator a of terms b and c, which cannot fail */
    TERM_IF        /* term b where term a is not 0, else term c */
};

struct summand {
    int32_t factor;
    uint32_t term; /* ascending */
};

struct term {
    enum term_kind kind;
    int32_t a;
    uint32_t b, c;
    uint32_t first; /* level that it depends on, the lowest; NO_LEVEL = none */
    int32_t lower, upper;
    struct summand *summands;
    uint32_t summand_count;
};

struct term_step { /* what was substituted before */
    uint32_t term, level, value, result;
};

struct terms {
    struct arena *arena;
    VEC(struct term) items;
    VEC(struct fault) faults;
    struct index index;
    struct term_step *steps; /* one a place */
    bool has_failed;
};

void terms_init(struct terms *terms, struct arena *arena);

static inline const struct term *term_at(const struct terms *terms, uint32_t term) {
    return &terms->items.items[term];
}

uint32_t term_constant(struct terms *terms, int32_t value);
uint32_t term_fault(struct terms *terms, struct fault fault);
uint32_t term_level(struct terms *terms, uint32_t level, uint32_t mask);
/* x * factor + y * other + constant */
uint32_t term_add(struct terms *terms, uint32_t x, int64_t factor, uint32_t y, int64_t other,
                  int64_t constant);
uint32_t term_compare(struct terms *terms, enum op op, uint32_t x, uint32_t y);
/* Operators of the language on numbers, but for those whose evaluation may fail. */
uint32_t term_operate(struct terms *terms, enum op op, uint32_t x, uint32_t y);
uint32_t term_if(struct terms *terms, uint32_t condition, uint32_t then, uint32_t otherwise);

/* The term when a level has the value; no lower level is left in it. */
uint32_t term_know(struct terms *terms, uint32_t term, uint32_t level, uint32_t value);
