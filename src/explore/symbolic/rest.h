/* REST - terms of what is left of a unit's code, by where it goes on and the registers that are read
 * there.
 *
 * Two ways through the code often meet again with the same values in all registers that are still
 * read. What follows is then one term. Without that, a quantifier over a condition with two ways
 * has 2^n of them.
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

/* Looks for what is read where; is_value: r[0] in the end. Units that are too large have no rests. */
void rests_open(struct rests *rests, struct arena *arena, const struct code *code,
                const struct unit *unit, bool is_value);
void rests_close(struct rests *rests);

/* False where there is none with these registers. */
bool rests_find(const struct rests *rests, uint32_t at, const uint32_t *registers, uint32_t *term);
void rests_note(struct rests *rests, uint32_t at, const uint32_t *registers, uint32_t term);
