/* EVAL CODE - an expression of one process as instructions, with calls inlined.
 *
 * Registers hold local variables, selected values and what is computed on the way; a place is
 * registers, or cells of the environment. Reads and writes of cells below tracked_count, and what
 * is asked about locations, are the only instructions that the outside notices. In front of each
 * of them, what lies in registers from `height` on is not needed any more.
 *
 * Invariants: the same reads, writes, ticks and faults in the same order as by the interpreter, but
 *             for reads of cells that the evaluation has read or written before.
 * Lifetime:   in the arena of the environment.
 * Errors:     NULL for what is too large or of a kind that is not known here: queries, processes
 *             in front of a dot, arguments after those for all parameters.
 */
#pragma once

#include "lang/eval/eval_internal.h"

/* r[] registers, cells by address; jumps go to instruction a. A cell or register with an offset in
 * r[c], unless c is NO_OFFSET. */
enum code_op {
    CODE_END,       /* the value is r[a] */
    CODE_LOAD,      /* r[a] = b */
    CODE_MOVE,      /* r[a] = r[b] */
    CODE_MOVE_AT,   /* r[a] = r[b + r[c]] */
    CODE_KEEP_AT,   /* r[b + r[c]] = r[a] */
    CODE_FIXED_AT,  /* r[a] = cell b + r[c], which never changes */
    CODE_READ,      /* r[a] = cell b + r[c] */
    CODE_WRITE,     /* cell b + r[c] = r[a], which is in its range */
    CODE_AT,        /* r[a] = whether the process is at a location */
    CODE_CHECK,     /* r[a] as a cell of the shape takes it */
    CODE_OFFSET,    /* r[a] = cells in front of element r[b] of the shape */
    CODE_OPERATE,   /* r[a] = r[b] o r[c] */
    CODE_OPERATE_I, /* r[a] = r[b] o c */
    CODE_NEGATE,    /* r[a] = -r[b] */
    CODE_NOT,       /* r[a] = !r[b] */
    CODE_TRUTH,     /* r[a] = r[b] != 0 */
    CODE_ABSOLUTE,  /* r[a] = |r[b]| */
    CODE_JUMP,
    CODE_JUMP_IF,     /* if r[b] */
    CODE_JUMP_UNLESS, /* if !r[b] */
    CODE_ROUND,       /* if r[b] is below c: one more */
    CODE_TICK,        /* one more round or call */
    CODE_FAULT        /* of kind b */
};

#define NO_OFFSET (-1)

struct code_line {
    enum code_op op;
    enum op operator;
    uint32_t a;
    int32_t b, c;
    uint32_t height;
    union {
        const struct shape *shape;
        const struct symbol *location;
    };
    struct span span;
};

struct eval_code {
    struct code_line *lines;
    uint32_t count, register_count;
};

/* For the current locals and frame. */
const struct eval_code *eval_compile(struct environment *environment, const struct expr *expr,
                                     bool is_effect);
