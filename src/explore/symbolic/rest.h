/* REST - terms of the rest of a unit's code, from an instruction on, by the terms in the registers
 * that are still read there.
 *
 * Two paths through the code often meet again with the same in all these registers. What follows is
 * then one term. Without that, a quantifier over n values and a condition with two paths has 2^n
 * paths.
 *
 * Lifetime: memory of the arena, and of the heap until rests_close. Borrows the code and the unit.
 */
#pragma once

#include "base/index.h"
#include "base/vec.h"
#include "explore/code/code.h"

struct rest {
    uint32_t at, first, term; /* instruction; its registers, of values */
};

struct rests {
    struct arena *arena;
    const struct code *code;
    const struct unit *unit;
    uint64_t *live; /* registers that are read from an instruction on, by bits; NULL: not known */
    uint32_t words;
    VEC(struct rest) items;
    VEC(uint32_t) values;
    struct index index;
};

/* Finds out which registers are read where; is_value: r[0] is read in the end. Units that are too
 * large have no rests. */
void rests_open(struct rests *rests, struct arena *arena, const struct code *code,
                const struct unit *unit, bool is_value);
void rests_close(struct rests *rests);

/* False if none is known from this instruction on with these registers. */
bool rests_find(const struct rests *rests, uint32_t at, const uint32_t *registers, uint32_t *term);
void rests_note(struct rests *rests, uint32_t at, const uint32_t *registers, uint32_t term);
