/* COMPILE INTERNAL - what the parts of the compiler share.
 *
 * Facts: values that fields and registers are known to have at this point of the unit. A pending
 * fact is not in memory yet; it is written when something may look there, at a jump, or never.
 *
 * Invariants: where is_dead, control cannot get here and nothing is emitted.
 */
#pragma once

#include "explore/code/compile.h"

enum { MAX_FACTS = 192, MAX_UNROLL = 64, MAX_ITEM = 2500, MAX_DEPTH = 200, MAX_LOCAL = 2048 };
enum { MAX_INSTRUCTIONS = 1 << 23, MAX_WORK = 1 << 16 };

/* Constant, or in a register; a temporary register has no other reader. Values that are not
 * constant lie between lower and upper. */
struct value {
    bool is_constant, is_temporary;
    int32_t constant;
    uint32_t reg;
    int32_t lower, upper;
};

/* Cells of the network's memory or registers, with an offset in a register if it is not known. */
struct lvalue {
    const struct shape *shape; /* NULL: none */
    bool is_register;
    bool has_index;
    uint32_t base;         /* address or register */
    uint32_t index;        /* register */
    uint32_t first, count; /* has_index: the cells that may be meant are among these, */
    uint32_t step;         /* and differ from base by multiples of it */
};

struct fact {
    uint32_t id; /* field, or register with REGISTER_ID */
    int32_t value;
    bool is_pending;
    bool is_fixed; /* a register that is never written again */
};
#define REGISTER_ID 0x80000000u

struct facts {
    uint32_t count;
    struct fact items[MAX_FACTS];
};

/* Most of the places are free. */
static inline void copy_facts(struct facts *to, const struct facts *from) {
    assert(from->count <= MAX_FACTS);
    memcpy(to->items, from->items, from->count * sizeof *to->items);
    to->count = from->count;
}

/* A field that was read and has not changed since. */
struct loaded_field {
    uint32_t field, reg;
};

struct label {
    VEC(uint32_t) jumps;
    struct facts *facts; /* known at all jumps to here; NULL = there is none yet */
    bool is_deferred;    /* there is a jump to here that is not written yet */
};

struct compiler {
    struct arena *arena;
    struct arena scratch; /* of one unit */
    struct code *code;
    const struct network *network;
    struct environment environment; /* shapes and constants */
    struct map processes;
    struct map too_large; /* labels that were not compiled: the attempts that are left */
    bool interprets;
    /* of the unit */
    struct unit unit;
    struct facts facts;
    VEC(struct test) tests;
    VEC(struct loaded_field) copies;
    VEC(uint32_t) touched; /* scratch fields that were written */
    uint32_t first_instruction;
    uint32_t barrier; /* no peephole reaches back over this instruction */
    uint32_t next_register;
    bool is_dead;
    struct label *deferred; /* where control goes from the last instruction, is_dead */
    struct facts deferred_facts;
    bool is_after;   /* the state has changed: tests would look at the one before */
    bool is_settled; /* scratch fields are not looked at any more */
    /* of the item: what the interpreter would do as a whole */
    bool has_failed;
    bool unrolls;
    bool is_unused;      /* the value of the assignment is not used */
    uint32_t item_limit; /* instructions */
    uint32_t depth;
    uint32_t work; /* expressions and statements so far: loops and calls are gone through again */
    struct span span;
    /* of the current scope */
    const struct process *process;
    struct lvalue *frame; /* by symbol.index */
    struct lvalue *loose; /* quantifier variables outside frames */
    uint32_t loose_count;
    struct call *call;
    struct label fails; /* the unit does not hold */
};

/* A call that is being inlined. */
struct call {
    struct lvalue result;
    struct label end;
};

static inline struct value constant_value(int32_t value) {
    return (struct value){.is_constant = true, .constant = value, .lower = value, .upper = value};
}

/* compile_emit.c: instructions, facts, labels */

void compile_fail(struct compiler *compiler);
/* One level deeper; fails past a limit. To be paired with depth--. */
static inline void compile_enter(struct compiler *compiler) {
    if (++compiler->depth > MAX_DEPTH || ++compiler->work > MAX_WORK) compile_fail(compiler);
}
uint32_t new_registers(struct compiler *compiler, uint32_t count);
uint32_t emit(struct compiler *compiler, enum opcode op, uint32_t a, int32_t b, int32_t c);
void emit_fault(struct compiler *compiler, enum opcode op, uint32_t a, int32_t b, int32_t c,
                struct span span);
const struct fact *find_fact(const struct compiler *compiler, uint32_t id);
void set_fact(struct compiler *compiler, uint32_t id, int32_t value, bool is_pending,
              bool is_fixed);
void drop_fact(struct compiler *compiler, uint32_t id);
void drop_facts(struct compiler *compiler); /* all but fixed ones; flush first */
void drop_registers(struct compiler *compiler, uint32_t first); /* from that one on */
void flush_facts(struct compiler *compiler);
void drop_copies(struct compiler *compiler, uint32_t field, uint32_t reg); /* of either */
void drop_cells(struct compiler *compiler, const struct lvalue *place);
uint32_t value_register(struct compiler *compiler, struct value value);
struct value temporary(struct compiler *compiler);
/* Jumps (after flushing) to a label that is bound later. */
void jump(struct compiler *compiler, enum opcode op, int32_t b, int32_t c, struct label *label);
void jump_always(struct compiler *compiler, struct label *label);
/* Removes code of the unit whose result is not read. */
void sweep(struct compiler *compiler);
void bind_label(struct compiler *compiler, struct label *label);
static inline bool is_jumped_to(const struct label *label) {
    return label->jumps.count || label->is_deferred;
}
void add_test(struct compiler *compiler, uint32_t field, int32_t value, bool is_negated);
uint32_t emit_puts(struct compiler *compiler, uint32_t *first);

/* compile_operator.c */

/* The value in a register that nothing else writes, if it is not constant. */
struct value keep_value(struct compiler *compiler, struct value value);
struct value fold_values(struct compiler *compiler, enum op op, int32_t left, int32_t right,
                         struct span span);
struct value with_constant(struct compiler *compiler, enum opcode op, struct value left,
                           int32_t right);
struct value operate_values(struct compiler *compiler, enum op op, struct value left,
                            struct value right, struct span span);

/* compile_expr.c */

struct value compile_value(struct compiler *compiler, const struct expr *expr);
struct value compile_address(struct compiler *compiler, const struct expr *expr);
struct lvalue compile_place(struct compiler *compiler, const struct expr *expr);
void compile_effect(struct compiler *compiler, const struct expr *expr);
/* Jumps to the label if the value is (not) 0. */
void jump_if(struct compiler *compiler, const struct expr *expr, bool when, struct label *label);
/* Whether an expression without effects has a known value here; emits nothing. */
bool is_known(struct compiler *compiler, const struct expr *expr, int32_t *value);
const struct shape *compile_shape(struct compiler *compiler, const struct type *type);

/* compile_place.c: loads and stores */

struct value load_place(struct compiler *compiler, const struct lvalue *place);
/* Gives what was stored. */
struct value store_place(struct compiler *compiler, const struct lvalue *place, struct value value,
                         struct span span);
void copy_place(struct compiler *compiler, const struct lvalue *target, const struct lvalue *source,
                struct span span);
struct value same_place(struct compiler *compiler, const struct lvalue *left,
                        const struct lvalue *right);
void default_place(struct compiler *compiler, const struct lvalue *place, struct span span);
struct lvalue element_place(struct compiler *compiler, const struct lvalue *array,
                            struct value index, struct span span);
struct lvalue leaf_place(const struct lvalue *place, uint32_t offset, const struct shape *shape);
struct lvalue register_place(struct compiler *compiler, const struct shape *shape);
/* A new variable with a value: a temporary register becomes the variable. */
struct lvalue value_place(struct compiler *compiler, const struct shape *shape, struct value value,
                          struct span span);

/* compile_statement.c */

/* Inlines a call; a place without shape for void. */
struct lvalue compile_call(struct compiler *compiler, const struct expr *expr);
const struct process *compile_process(struct compiler *compiler, const struct expr *expr);
