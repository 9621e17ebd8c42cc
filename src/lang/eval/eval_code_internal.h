/* EVAL CODE INTERNAL - what the parts of the compiler share. */
#pragma once

#include "lang/eval/eval_code.h"

enum { CODE_MAX_INSTRUCTIONS = 1 << 13, CODE_MAX_REGISTERS = 1 << 11, CODE_MAX_CELLS = 64 };
enum { CODE_MAX_DEPTH = 200 };

/* Registers or cells; with an offset that a register holds, or NO_OFFSET. */
struct code_place {
    const struct shape *shape; /* NULL: none */
    bool is_register;
    uint32_t base;
    int32_t offset;
};

/* A constant, or in a register that nobody else writes. */
struct code_value {
    bool is_constant;
    int32_t constant;
    uint32_t reg;
};

struct code_binding {
    const struct symbol *symbol;
    struct code_place place;
};

struct coder {
    struct environment *environment;
    VEC(struct code_line) code;
    VEC(struct code_binding) bindings; /* the innermost last */
    uint32_t height, most;             /* registers in use, and ever */
    uint32_t depth;
    bool has_failed;
    /* of the innermost call */
    bool is_call;
    struct code_place result;
    uint32_t returns; /* the last jump to its end, each leads to the one before; NO_JUMP */
};

#define NO_JUMP UINT32_MAX

static inline struct code_value code_constant(int32_t value) {
    return (struct code_value){.is_constant = true, .constant = value};
}

/* eval_code.c */

/* One level deeper; to be paired with depth--. False where the coder has failed. */
bool code_enter(struct coder *coder);
uint32_t code_registers(struct coder *coder, uint32_t count);
/* Gives where it stands. */
uint32_t code_emit(struct coder *coder, struct code_line line);
uint32_t code_jump(struct coder *coder, enum code_op op, uint32_t reg);
void code_land(struct coder *coder, uint32_t jump); /* it leads to what comes next */
uint32_t code_register(struct coder *coder, struct code_value value);
struct code_place code_local(struct coder *coder, const struct shape *shape);
struct code_place code_part(const struct code_place *place, uint32_t offset,
                            const struct shape *shape);
const struct shape *code_shape(struct coder *coder, const struct type *type);
struct code_value code_load(struct coder *coder, const struct code_place *place);
struct code_value code_store(struct coder *coder, const struct code_place *place,
                             struct code_value value, struct span span);
void code_copy(struct coder *coder, const struct code_place *target,
               const struct code_place *source, struct span span);
void code_default(struct coder *coder, const struct code_place *place, struct span span);
void code_bind(struct coder *coder, const struct symbol *symbol, struct code_place place);

/* eval_code_expr.c */

struct code_value code_of_value(struct coder *coder, const struct expr *expr);
struct code_place code_of_place(struct coder *coder, const struct expr *expr);
void code_of_effect(struct coder *coder, const struct expr *expr);
void code_assign(struct coder *coder, const struct code_place *target, const struct expr *value,
                 struct span span);
/* A loop over a range: begins with the first value in the place of the variable. */
struct code_rounds {
    uint32_t counter, top;
    int32_t upper;
};
struct code_rounds code_begin_rounds(struct coder *coder, const struct symbol *bound,
                                     struct span span);
void code_end_rounds(struct coder *coder, const struct code_rounds *rounds);

/* eval_code_statement.c */

struct code_place code_of_call(struct coder *coder, const struct expr *expr);
