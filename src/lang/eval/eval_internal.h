/* EVAL INTERNAL - what the parts of the evaluator share.
 *
 * Invariants: after a fault is set, results are arbitrary but harmless, and nothing is stored.
 */
#pragma once

#include "base/map.h"
#include "lang/eval/eval.h"

struct eval_code;

struct known_shape {
    const struct type *type;
    const struct binding *locals; /* NULL: the same for all processes */
    const struct shape *shape;
    struct known_shape *next; /* with the same key */
};

/* Frames of running functions are taken from a list of blocks, which are reused. */
struct frame_block {
    struct frame_block *next;
    uint32_t used, capacity;
    struct binding items[];
};

struct eval_cache {
    struct map shapes;          /* key of type and locals -> struct known_shape */
    struct frame_block *frames; /* first block */
    struct frame_block *current;
    struct binding *loose; /* bindings of quantifier variables outside frames */
    uint32_t loose_count;
    struct eval_memory *memory; /* of evaluations that are made again, or NULL */
};

static inline bool has_fault(const struct environment *environment) {
    return environment->fault.kind != FAULT_NONE;
}

/* Notes the first one. False. */
bool eval_fault(struct environment *environment, enum fault_kind kind, struct span span);
struct eval_cache *eval_cache(struct environment *environment);
/* One step of a loop, one call; false if there were too many. */
bool eval_tick(struct environment *environment, struct span span);

/* One level deeper; false (and a fault) past the limit, else pair it with eval_leave. */
static inline bool eval_enter(struct environment *environment, struct span span) {
    if (environment->depth >= EVAL_MAX_DEPTH) eval_fault(environment, FAULT_STEPS, span);
    if (has_fault(environment)) return false;
    environment->depth++;
    return true;
}

static inline void eval_leave(struct environment *environment) { environment->depth--; }

/* Bindings (eval.c) */

/* NULL and a fault if the symbol has none here. */
const struct binding *eval_find(struct environment *environment, const struct symbol *symbol,
                                struct span span);
/* Sets the binding of a frame symbol; returns the one it had. */
struct binding eval_bind(struct environment *environment, const struct symbol *symbol,
                         struct binding binding);

/* Cells (eval.c) */

static inline int32_t eval_load(struct environment *environment, uint32_t address) {
    if (environment->read && address < environment->tracked_count)
        return environment->read(environment->context, address);
    return environment->cells[address];
}

/* Stores what the cell makes of the value (bool: not 0) and returns it; checks its range. */
int32_t eval_store(struct environment *environment, const struct binding *cell, int32_t value,
                   struct span span);
bool eval_copy(struct environment *environment, const struct binding *target,
               const struct binding *source, struct span span);
bool eval_same(struct environment *environment, const struct binding *left,
               const struct binding *right);
/* 0, or the lower bound where the range excludes 0. */
bool eval_default(struct environment *environment, const struct binding *place, struct span span);
struct binding eval_element(const struct binding *array, int64_t index);
struct binding eval_member(const struct binding *record, uint32_t field);

/* Expressions (eval_expr.c) */

/* Whether it is a comparison of clocks. */
bool eval_is_of_clocks(const struct expr *expr);
int32_t eval_value(struct environment *environment, const struct expr *expr);
bool eval_locate(struct environment *environment, const struct expr *expr, struct binding *place);
bool eval_drop(struct environment *environment, const struct expr *expr);
/* Stores the value of an expression of any type. */
bool eval_assign(struct environment *environment, const struct binding *target,
                 const struct expr *value, struct span span);
/* Its shape, remembered. */
const struct shape *eval_shape_of(struct environment *environment, const struct type *type);

/* Evaluations that go on from the last one (eval_again.c) */

/* The value, or 0 of an effect; the first times, and of what has no code, by the interpreter.
 * Between evaluations. */
int32_t eval_again(struct environment *environment, const struct expr *expr, bool is_effect);
/* The code that it runs; NULL if it has none. */
const struct eval_code *eval_code_again(struct environment *environment, const struct expr *expr,
                                        bool is_effect);

/* Statements and calls (eval_statement.c) */

/* Runs a call; *result is the place of its result, unless the function is void. */
bool eval_call(struct environment *environment, const struct expr *expr, struct binding *result);
bool eval_view(struct environment *environment, const struct expr *process,
               struct process_view *view);
bool eval_initial(struct environment *environment, const struct symbol *symbol,
                  const struct binding *binding);

/* The low 32 bits. */
static inline int32_t eval_fit(struct environment *environment, int64_t value) {
    if (value < INT32_MIN || value > INT32_MAX) environment->has_overflow = true;
    uint32_t low = (uint32_t)value;
    return low <= INT32_MAX ? (int32_t)low : (int32_t)(low - INT32_MAX - 1) + INT32_MIN;
}
