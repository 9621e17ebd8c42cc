/* CODE - what the labels of a model become before a search: tests, bytecode and stores.
 *
 * A unit is what runs at once: a guard, the update of an edge, a whole step, a predicate. It first
 * tests bits of the packed state (all tests must hold), then runs its bytecode, if any, and then
 * puts constants into the packed state.
 *
 * Bytecode works on 32-bit registers and on fields of the state. An instruction that can fail has
 * the span of its expression in code.spans. Whatever the compiler cannot translate is one OP_EVAL
 * that calls the interpreter (lang/eval.h) on the packed state.
 *
 * Lifetime: in the arena of the code; read only while a search runs.
 */
#ifndef VARABS_EXPLORE_CODE_H
#define VARABS_EXPLORE_CODE_H

#include "explore/layout.h"

/* r[] registers, f[] fields; jumps go to instruction a. */
#define OPCODES(X)                                                                                 \
    X(END)         /* the unit holds; r[0] is its value */                                         \
    X(FAIL)        /* the unit does not hold */                                                    \
    X(LOAD)        /* r[a] = b */                                                                  \
    X(MOVE)        /* r[a] = r[b] */                                                               \
    X(GET)         /* r[a] = f[b] */                                                               \
    X(SET)         /* f[a] = r[b], in its range */                                                 \
    X(ADD_FIELD)   /* f[a] += b, in its range */                                                   \
    X(PUT)         /* puts[a] */                                                                   \
    X(GET_AT)      /* r[a] = f[b + r[c]] */                                                        \
    X(SET_AT)      /* f[b + r[c]] = r[a], in its range */                                          \
    X(CELL_AT)     /* r[a] = initial cell b + r[c] (constants) */                                  \
    X(REGISTER_AT) /* r[a] = r[b + r[c]] */                                                        \
    X(KEEP_AT)     /* r[b + r[c]] = r[a] */                                                        \
    X(EXPECT)      /* overflow unless f[a] is b */                                                 \
    X(BOUND)       /* index error unless b <= r[a] <= c */                                         \
    X(RANGE)       /* range error unless b <= r[a] <= c */                                         \
    X(FAULT)       /* error of kind a */                                                           \
    X(TICK)        /* one more round of a loop */                                                  \
    X(EVAL)        /* r[a] = sites[b] */                                                           \
    X(STUCK)       /* r[a] = machine.is_stuck */                                                   \
    X(NEGATE)      /* r[a] = -r[b] */                                                              \
    X(NOT)         /* r[a] = !r[b] */                                                              \
    X(TRUTH)       /* r[a] = r[b] != 0 */                                                          \
    X(ABSOLUTE)    /* r[a] = |r[b]| */                                                             \
    X(JUMP)                                                                                        \
    X(JUMP_ZERO)     /* if r[b] == 0 */                                                            \
    X(JUMP_NOT_ZERO) /* if r[b] != 0 */                                                            \
    X(JUMP_FIELD_EQ) /* if f[b] == c */                                                            \
    X(JUMP_FIELD_NE) /* if f[b] != c */                                                            \
    X(JUMP_LT)       /* if r[b] < r[c] and so on; the next six with the constant c */              \
    X(JUMP_LE)                                                                                     \
    X(JUMP_GE)                                                                                     \
    X(JUMP_GT)                                                                                     \
    X(JUMP_EQ)                                                                                     \
    X(JUMP_NE)                                                                                     \
    X(JUMP_LT_I)                                                                                   \
    X(JUMP_LE_I)                                                                                   \
    X(JUMP_GE_I)                                                                                   \
    X(JUMP_GT_I)                                                                                   \
    X(JUMP_EQ_I)                                                                                   \
    X(JUMP_NE_I)                                                                                   \
    X(ADD) /* r[a] = r[b] + r[c] and so on */                                                      \
    X(SUBTRACT)                                                                                    \
    X(MULTIPLY)                                                                                    \
    X(ADD_I) /* r[a] = r[b] + c and so on */                                                       \
    X(MULTIPLY_I)                                                                                  \
    X(COMPARE_LT)                                                                                  \
    X(COMPARE_LE)                                                                                  \
    X(COMPARE_EQ)                                                                                  \
    X(COMPARE_NE)                                                                                  \
    X(OPERATE) /* r[a] = r[b] o r[b + 1], o = enum op c */

enum opcode {
#define X(name) OP_CODE_##name,
    OPCODES(X)
#undef X
};

struct instruction {
    uint32_t op, a;
    int32_t b, c;
};

/* Holds if (words[word] & mask) == value, or, negated, if it is not. */
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
    uint32_t end;   /* behind the last instruction */
    bool can_fault;
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
    VEC(struct test) tests;
    VEC(struct put) puts;
    VEC(struct site) sites;
    uint32_t register_count; /* enough for every unit */
};

#endif
