/* EVAL - interpreter of checked expressions and statements on a memory of int32 cells.
 *
 * A binding says where the cells of a symbol start and what they look like. Globals, the symbols
 * of one process and the current frame each have a table of bindings indexed by symbol.index.
 * Addresses below tracked_count are the slots of the network: reading and writing them goes
 * through the hooks if they are set, which is how the value analysis enumerates exactly the slots
 * that an evaluation looks at.
 *
 * Invariants: arithmetic is 32-bit and wraps; / and % truncate towards zero; && || ?: imply and
 *             quantifiers stop as soon as the result is known.
 * Lifetime:   shapes live in the environment's arena. No evaluation allocates once the shapes and
 *             frames it needs are there.
 * Errors:     an invalid evaluation gives a fault with the span of the expression, never a crash;
 *             steps and depth are bounded.
 */
#pragma once

#include "lang/syntax/ast.h"

enum shape_kind { SHAPE_CELL, SHAPE_ARRAY, SHAPE_STRUCT };

/* A type with all bounds computed. Shapes are immutable and may be shared. */
struct shape {
    enum shape_kind kind;
    uint32_t cell_count;
    int32_t lower, upper;              /* SHAPE_CELL: range; SHAPE_ARRAY: index range */
    bool is_bool, is_scalar;           /* SHAPE_CELL */
    const struct shape *element;       /* SHAPE_ARRAY */
    const struct shape *const *fields; /* SHAPE_STRUCT */
    const uint32_t *offsets;           /* SHAPE_STRUCT: first cell of each field */
    uint32_t field_count;
};

/* Depth counts expressions, statements and calls inside each other. */
enum { EVAL_MAX_CELLS = 1 << 24, EVAL_MAX_DEPTH = 6000, EVAL_MAX_STEPS = 1 << 24 };
enum { EVAL_POLL = 1 << 10 };

struct binding {
    uint32_t address;
    const struct shape *shape; /* NULL = not bound */
};

enum fault_kind {
    FAULT_NONE,
    FAULT_RANGE,
    FAULT_INDEX,
    FAULT_DIVISION,
    FAULT_SHIFT,
    FAULT_POWER,
    FAULT_ASSERT,
    FAULT_SIZE,    /* a reversed range, an empty array */
    FAULT_COUNT,   /* too many or too few initial values */
    FAULT_STEPS,   /* ran too long or too deep, or needs too many cells */
    FAULT_PROCESS, /* Process(1) where there is no such process */
    FAULT_UNBOUND, /* read something that has no binding here (not a compile-time value) */
    FAULT_STOPPED  /* a hook asked to stop */
};

struct fault {
    enum fault_kind kind;
    struct span span;
};

/* What Process.member looks into. */
struct process_view {
    const struct binding *locals; /* of that process */
    uint32_t process;             /* the caller's number of it, for is_process_at */
};

/* A comparison of clocks that an evaluation comes to, with what its numbers are there. */
struct clock_comparison {
    const struct expr *expr; /* x ~ n, n ~ x, x - y ~ n, n ~ x - y or x ~ y */
    uint32_t clocks[2];      /* addresses, from left to right; NO_CLOCK = there is none */
    int32_t number;          /* 0 if there is none */
};
#define NO_CLOCK UINT32_MAX

/* Whether it holds while all clocks are 0. Its context is not looked at. */
bool clock_holds_at_first(void *context, const struct clock_comparison *comparison);

/* How far one who tries combinations of values has come in a run: in runs, in cells that have a
 * value, in choices. Choices below alike are those of the run before. */
struct eval_mark {
    uint64_t run;
    uint32_t touched, choices, alike;
    bool has_watched;
};

/* Start from a zeroed environment with an arena and push cells; eval_close frees them. Everything
 * else may be set and reset between evaluations. Evaluations return with stack as it was. */
struct environment {
    struct arena *arena; /* for shapes and frames; they are kept, so its use is bounded */
    int32_t *cells;      /* heap memory, moves when eval_push grows it; addresses are stable */
    uint32_t capacity;   /* of cells */
    uint32_t stack;      /* first free address */
    uint32_t tracked_count;
    const struct binding *globals; /* by symbol.index */
    /* Of the current process, or NULL. Shapes that depend on parameters of a template are kept by
     * this pointer: one table is one process as long as the environment lives. */
    const struct binding *locals;
    /* frame_size bindings of the current edge, the selects bound by the caller, or NULL wherever
     * there is no edge (invariants, queries, initialisers): then the evaluator binds quantifier
     * variables in a growing frame of its own. Functions get frames from the evaluator. */
    struct binding *frame;
    /* Whether the process of the current evaluation is at a location (its own location names used
     * as bools); NULL = FAULT_UNBOUND. */
    bool (*is_at)(void *context, const struct symbol *location);
    int32_t (*read)(void *context, uint32_t address);              /* NULL = cells[address] */
    bool (*write)(void *context, uint32_t address, int32_t value); /* false = FAULT_STOPPED;
                                                    called after the range check, before storing */
    /* For queries. find_process: the process that a name or a set with arguments stands for; false
     * = FAULT_INDEX. All three: NULL = FAULT_UNBOUND. */
    bool (*find_process)(void *context, const struct symbol *symbol, const int32_t *arguments,
                         uint32_t count, struct process_view *view);
    bool (*is_process_at)(void *context, uint32_t process, const struct symbol *location);
    bool (*is_deadlocked)(void *context);
    /* The cell for an argument that a call has after those for all parameters, by its number from
     * 0: it holds the value while the function runs. NULL, or false = FAULT_UNBOUND. */
    bool (*find_cell)(void *context, const struct function *function, uint32_t number,
                      uint32_t *address);
    /* Whether a comparison of clocks holds. Clocks have cells that are never read; what is stored
     * there is at least 0. NULL = FAULT_UNBOUND. */
    bool (*clock_holds)(void *context, const struct clock_comparison *comparison);
    /* Asked every EVAL_POLL steps: false = FAULT_STOPPED. NULL = go on. */
    bool (*goes_on)(void *context);
    /* Whether a cell below tracked_count keeps its value for ever. If it is set, what is evaluated
     * again and again runs as code, from the first read on that differs from the last evaluation
     * (eval_again.c). Then expressions live as long as the environment, a frame has the
     * same bindings each time that an expression is evaluated in it, and what read returns is in
     * cells afterwards. NULL = always interpret. */
    bool (*is_fixed)(void *context, uint32_t address);
    /* Where the caller is; and what makes it go on to where it was in the run before, as if all
     * had been read and written again but for values that were written. NULL = there are no runs.
     */
    struct eval_mark (*mark)(void *context);
    void (*skip)(void *context, const struct eval_mark *to);
    void *context;
    struct fault fault;    /* the first; evaluation unwinds as soon as it is set, and does nothing
                              until the caller clears it */
    bool has_overflow;     /* some intermediate value did not fit 32 bits; never cleared here */
    uint32_t steps, depth; /* of the current evaluation */
    /* private */
    struct eval_cache *cache;
    bool uses_locals; /* some binding of locals was looked up */
};

void eval_close(struct environment *environment);

/* What a fault is called in messages: "range violation", "index out of bounds", ... */
const char *fault_name(enum fault_kind kind);

/* The shape of a type; NULL and a fault if a bound cannot be computed, a range is reversed, an
 * array has no or too many cells. Constants that the type reads must have their values. */
const struct shape *eval_shape(struct environment *environment, const struct type *type);
/* The same in a process with these locals, or NULL, and in no function; no fault is left behind. */
const struct shape *eval_shape_in(struct environment *environment, const struct binding *locals,
                                  const struct type *type);
/* The field of a struct that has the cell at an offset. */
uint32_t shape_field(const struct shape *shape, uint32_t offset);
/* The shape of the cell at an offset. */
const struct shape *shape_cell(const struct shape *shape, uint32_t offset);

/* Value of an int, bool or scalar expression; 0 with environment->fault set on failure. */
int32_t eval_int(struct environment *environment, const struct expr *expr);

/* Evaluates for its effects (an update item, a call). False on a fault. */
bool eval_effect(struct environment *environment, const struct expr *expr);

/* Assigns the value of an expression, of any type, to these cells. False on a fault. */
bool eval_into(struct environment *environment, const struct expr *expr,
               const struct binding *target);

/* Address and shape of an lvalue (name, index, field, (b ? x : y), x = 1 ...). An lvalue inside the
 * result of a call lies after the stack: read it before the next evaluation. */
bool eval_lvalue(struct environment *environment, const struct expr *expr, struct binding *place);

/* Index of a channel expression: the symbol of the channel variable at the bottom (through
 * reference parameters: the binding's address identifies it) and the cell. Channels have cells
 * too (one a channel, never read), so that a channel is an address. */
bool eval_channel(struct environment *environment, const struct expr *expr, uint32_t *address);

/* Stores the initial value of a symbol (its initialiser, or 0, or the lower bound where the range
 * excludes 0) into the cells of its binding. */
bool eval_initialise(struct environment *environment, const struct symbol *symbol,
                     const struct binding *binding);

/* Whether a parameter shares the place of its argument: references to what can be changed do, and
 * constant ones to variables. Other numbers are converted to its type. */
bool eval_binds_place(const struct symbol *parameter, const struct expr *argument);

/* Makes room for size more cells after the stack, all 0; returns their address. More than
 * EVAL_MAX_CELLS in total are a fault. */
uint32_t eval_push(struct environment *environment, uint32_t size);
