/* CODE - what the labels of a model become before a search: tests, bytecode and stores.
 *
 * A unit is what runs at once: a guard, the update of an edge, a whole step, a predicate. It first
 * tests bits of the packed state (all tests must hold), then runs its bytecode, if any, and then
 * puts constants into the packed state.
 *
 * Bytecode works on 32-bit registers and on fields of the state. An instruction that can fail has
 * the span of its expression in code.spans. Whatever the compiler cannot translate is one OP_EVAL
 * that calls the interpreter (lang/eval/eval.h) on the packed state.
 *
 * Lifetime: in the arena of the code; read only while a search runs.
 */
#pragma once

#include "explore/code/layout.h"

/* The effects of an instruction on registers and fields, for those who go over code. */
enum {
    PURE = 1 << 0,       /* writes r[a], and does nothing else */
    READS_A = 1 << 1,    /* r[a] */
    READS_B = 1 << 2,    /* r[b] */
    READS_C = 1 << 3,    /* r[c] */
    READS_PAIR = 1 << 4, /* r[b] and r[b + 1] */
    READS_ANY = 1 << 5,  /* any registers */
    LOOKS_A = 1 << 6,    /* f[a] */
    LOOKS_B = 1 << 7,    /* f[b] */
    LOOKS_AT = 1 << 8,   /* any field that the index may mean (reads.h) */
    LOOKS_ANY = 1 << 9   /* at anything */
};

/* r[] registers, f[] fields; jumps go to instruction a. */
#define OPCODES(X)                                                                                 \
    X(END, 0)                     /* the unit holds; r[0] is its value */                          \
    X(FAIL, 0)                    /* the unit does not hold */                                     \
    X(LOAD, PURE)                 /* r[a] = b */                                                   \
    X(MOVE, PURE | READS_B)       /* r[a] = r[b] */                                                \
    X(GET, PURE | LOOKS_B)        /* r[a] = f[b] */                                                \
    X(SET, READS_B)               /* f[a] = r[b], in its range */                                  \
    X(ADD_FIELD, LOOKS_A)         /* f[a] += b, in its range */                                    \
    X(PUT, 0)                     /* puts[a] */                                                    \
    X(GET_AT, READS_C | LOOKS_AT) /* r[a] = f[b + r[c]] */                                         \
    X(SET_AT, READS_A | READS_C)  /* f[b + r[c]] = r[a], in its range */                           \
    X(CELL_AT, READS_C)           /* r[a] = initial cell b + r[c] (constants) */                   \
    X(REGISTER_AT, READS_ANY)     /* r[a] = r[b + r[c]] */                                         \
    X(KEEP_AT, READS_ANY)         /* r[b + r[c]] = r[a] */                                         \
    X(EXPECT, LOOKS_A)            /* overflow unless f[a] is b */                                  \
    X(BOUND, READS_A)             /* index error unless b <= r[a] <= c */                          \
    X(RANGE, READS_A)             /* range error unless b <= r[a] <= c */                          \
    X(FAULT, 0)                   /* error of kind a */                                            \
    X(TICK, 0)                    /* one more round of a loop */                                   \
    X(EVAL, LOOKS_ANY)            /* r[a] = sites[b] */                                            \
    X(STUCK, PURE | LOOKS_ANY)    /* r[a] = machine.is_stuck */                                    \
    X(NEGATE, PURE | READS_B)     /* r[a] = -r[b] */                                               \
    X(NOT, PURE | READS_B)        /* r[a] = !r[b] */                                               \
    X(TRUTH, PURE | READS_B)      /* r[a] = r[b] != 0 */                                           \
    X(ABSOLUTE, PURE | READS_B)   /* r[a] = |r[b]| */                                              \
    X(JUMP, 0)                                                                                     \
    X(JUMP_ZERO, READS_B)         /* if r[b] == 0 */                                               \
    X(JUMP_NOT_ZERO, READS_B)     /* if r[b] != 0 */                                               \
    X(JUMP_FIELD_EQ, LOOKS_B)     /* if f[b] == c */                                               \
    X(JUMP_FIELD_NE, LOOKS_B)     /* if f[b] != c */                                               \
    X(JUMP_LT, READS_B | READS_C) /* if r[b] < r[c] and so on; the next six with the constant c */ \
    X(JUMP_LE, READS_B | READS_C)                                                                  \
    X(JUMP_GE, READS_B | READS_C)                                                                  \
    X(JUMP_GT, READS_B | READS_C)                                                                  \
    X(JUMP_EQ, READS_B | READS_C)                                                                  \
    X(JUMP_NE, READS_B | READS_C)                                                                  \
    X(JUMP_LT_I, READS_B)                                                                          \
    X(JUMP_LE_I, READS_B)                                                                          \
    X(JUMP_GE_I, READS_B)                                                                          \
    X(JUMP_GT_I, READS_B)                                                                          \
    X(JUMP_EQ_I, READS_B)                                                                          \
    X(JUMP_NE_I, READS_B)                                                                          \
    X(ADD, PURE | READS_B | READS_C) /* r[a] = r[b] + r[c] and so on */                            \
    X(SUBTRACT, PURE | READS_B | READS_C)                                                          \
    X(MULTIPLY, PURE | READS_B | READS_C)                                                          \
    X(ADD_I, PURE | READS_B) /* r[a] = r[b] + c and so on */                                       \
    X(MULTIPLY_I, PURE | READS_B)                                                                  \
    X(COMPARE_LT, PURE | READS_B | READS_C)                                                        \
    X(COMPARE_LE, PURE | READS_B | READS_C)                                                        \
    X(COMPARE_EQ, PURE | READS_B | READS_C)                                                        \
    X(COMPARE_NE, PURE | READS_B | READS_C)                                                        \
    X(OPERATE, READS_PAIR) /* r[a] = r[b] o r[b + 1], o = enum op c */

enum opcode {
#define X(name, traits) OP_CODE_##name,
    OPCODES(X)
#undef X
};

static inline unsigned opcode_traits(uint32_t op) {
    static const uint16_t of_all[] = {
#define X(name, traits) traits,
        OPCODES(X)
#undef X
    };
    return of_all[op];
}

static inline bool opcode_jumps(uint32_t op) {
    return op >= OP_CODE_JUMP && op <= OP_CODE_JUMP_NE_I;
}

struct instruction {
    uint16_t op;
    uint16_t indexed; /* of GET_AT and SET_AT: place in code.indexed plus one; 0: not known */
    uint32_t a;
    int32_t b, c;
};

/* The fields that an index may mean: first, first + step and so on, count of them. */
struct indexed_fields {
    uint32_t first, count, step;
};

/* Holds if (words[word] & mask) == value, or, negated, if it is not. Never of a scratch word: tests
 * are looked at where there are none. */
struct test {
    uint64_t mask, value;
    uint32_t word;
    bool is_negated;
};

/* words[word] = (words[word] & keep) | value */
struct put {
    uint64_t keep, value;
    uint32_t word;
};

#define NO_CODE UINT32_MAX

struct unit {
    uint32_t first_test, test_count;
    uint32_t first_put, put_count;
    uint32_t entry; /* instruction, or NO_CODE */
    uint32_t end;   /* after the last instruction */
    bool can_fault; /* over: an evaluation may fail */
};

enum site_kind { SITE_VALUE, SITE_EFFECT, SITE_CHANNEL };

/* A call of the interpreter. */
struct site {
    enum site_kind kind;
    const struct expr *expr;
    const struct process *process; /* NULL for queries and hooks */
    const struct edge *edge;       /* whose selects have values, or NULL */
    const int32_t *selects;
};

struct code {
    struct arena *arena;
    const struct layout *layout;
    VEC(struct instruction) instructions;
    VEC(struct span) spans; /* by instruction */
    VEC(struct indexed_fields) indexed;
    VEC(struct test) tests;
    VEC(struct put) puts;
    VEC(struct site) sites;
    uint32_t register_count; /* enough for every unit */
};
