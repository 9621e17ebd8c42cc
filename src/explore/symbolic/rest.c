/* Goes backwards through the code and adds registers that are read, until there are no more. */
#include "explore/symbolic/rest.h"

#include <assert.h>

enum {
    MAX_WORDS = 1 << 16, /* of all instructions */
    MAX_VALUES = 1 << 22 /* of all rests */
};
#define NO_REGISTER UINT32_MAX

static bool is_last(uint32_t op) {
    return op == OP_CODE_END || op == OP_CODE_FAIL || op == OP_CODE_FAULT || op == OP_CODE_JUMP;
}

static uint64_t *live_at(const struct rests *rests, uint32_t at) {
    assert(at >= rests->unit->entry && at < rests->unit->end);
    return rests->live + (size_t)(at - rests->unit->entry) * rests->words;
}

static void add_register(uint64_t *live, uint32_t number) {
    live[number / 64] |= (uint64_t)1 << number % 64;
}

static void add_all(const struct rests *rests, uint64_t *live, uint32_t from) {
    const uint64_t *other = live_at(rests, from);
    for (uint32_t w = 0; w < rests->words; w++) live[w] |= other[w];
}

static void add_reads(const struct rests *rests, uint64_t *live, const struct instruction *at) {
    unsigned traits = opcode_traits(at->op);
    if (traits & READS_ANY)
        for (uint32_t i = 0; i <= rests->code->register_count; i++) add_register(live, i);
    if (traits & READS_A) add_register(live, at->a);
    if (traits & (READS_B | READS_PAIR)) add_register(live, (uint32_t)at->b);
    if (traits & READS_PAIR) add_register(live, (uint32_t)at->b + 1);
    if (traits & READS_C) add_register(live, (uint32_t)at->c);
}

/* Whether it overwrites r[a]. */
static bool is_written(uint32_t op) {
    return opcode_traits(op) & PURE || op == OP_CODE_GET_AT || op == OP_CODE_CELL_AT ||
           op == OP_CODE_OPERATE;
}

/* Adds the registers that are read from the instruction on. True if some are new. */
static bool widen(const struct rests *rests, uint32_t number, uint64_t *own) {
    const struct instruction *at = &rests->code->instructions.items[number];
    memset(own, 0, rests->words * sizeof *own);
    if (!is_last(at->op)) add_all(rests, own, number + 1);
    if (opcode_jumps(at->op)) add_all(rests, own, at->a);
    if (is_written(at->op)) own[at->a / 64] &= ~((uint64_t)1 << at->a % 64);
    add_reads(rests, own, at);
    uint64_t *live = live_at(rests, number), more = 0;
    for (uint32_t w = 0; w < rests->words; w++) {
        more |= own[w] & ~live[w];
        live[w] |= own[w];
    }
    return more != 0;
}

void rests_open(struct rests *rests, struct arena *arena, const struct code *code,
                const struct unit *unit, bool is_value) {
    uint32_t count = unit->end - unit->entry, words = code->register_count / 64 + 1;
    *rests = (struct rests){.arena = arena, .code = code, .unit = unit, .words = words};
    if ((uint64_t)count * words > MAX_WORDS) return;
    rests->live = ARENA_ARRAY(arena, uint64_t, (size_t)count * words);
    uint64_t *own = ARENA_ARRAY(arena, uint64_t, words);
    for (uint32_t i = unit->entry; i < unit->end; i++)
        if (is_value && code->instructions.items[i].op == OP_CODE_END)
            add_register(live_at(rests, i), 0);
    for (bool is_more = true; is_more;) { /* each round adds a bit */
        is_more = false;
        for (uint32_t i = unit->end; i-- > unit->entry;) is_more |= widen(rests, i, own);
    }
}

void rests_close(struct rests *rests) { index_close(&rests->index); }

/* The first register from a number on that is read, or NO_REGISTER. */
static uint32_t next_live(const struct rests *rests, const uint64_t *live, uint32_t number) {
    uint64_t bits = 0;
    for (uint32_t w = number / 64; w < rests->words; w++, number = w * 64) {
        bits = live[w] >> number % 64;
        if (bits) return number + (uint32_t)__builtin_ctzll(bits);
    }
    return NO_REGISTER;
}

static uint64_t hash_of(const struct rests *rests, uint32_t at, const uint32_t *registers) {
    const uint64_t *live = live_at(rests, at);
    uint64_t hash = at;
    for (uint32_t i = next_live(rests, live, 0); i != NO_REGISTER;
         i = next_live(rests, live, i + 1))
        hash = index_mix(hash, registers[i]);
    return hash;
}

static bool is_same(const struct rests *rests, const struct rest *rest, uint32_t at,
                    const uint32_t *registers) {
    if (rest->at != at) return false;
    const uint64_t *live = live_at(rests, at);
    const uint32_t *value = rests->values.items + rest->first;
    for (uint32_t i = next_live(rests, live, 0); i != NO_REGISTER;
         i = next_live(rests, live, i + 1))
        if (*value++ != registers[i]) return false;
    return true;
}

bool rests_find(const struct rests *rests, uint32_t at, const uint32_t *registers, uint32_t *term) {
    if (!rests->live) return false;
    struct index_probe probe = index_begin(hash_of(rests, at, registers));
    while (index_next(&rests->index, &probe)) {
        const struct rest *rest = &rests->items.items[probe.number];
        *term = rest->term;
        if (is_same(rests, rest, at, registers)) return true;
    }
    return false;
}

void rests_note(struct rests *rests, uint32_t at, const uint32_t *registers, uint32_t term) {
    if (!rests->live || rests->values.count > MAX_VALUES) return;
    struct rest rest = {at, rests->values.count, term};
    const uint64_t *live = live_at(rests, at);
    for (uint32_t i = next_live(rests, live, 0); i != NO_REGISTER;
         i = next_live(rests, live, i + 1))
        VEC_PUSH(rests->arena, &rests->values, registers[i]);
    index_add(&rests->index, hash_of(rests, at, registers), rests->items.count);
    VEC_PUSH(rests->arena, &rests->items, rest);
}
