/* Expressions (the evaluator's eval_expr.c is the reference). */
#include "explore/code/compile_internal.h"
#include "expr/find.h"

#include <assert.h>

/* NULL, and a failure, where bounds are not compile-time values. */
const struct shape *compile_shape(struct compiler *compiler, const struct type *type) {
    const struct binding *locals = compiler->process ? compiler->process->locals : NULL;
    const struct shape *shape = eval_shape_in(&compiler->environment, locals, type);
    if (!shape) compile_fail(compiler); /* the interpreter knows what is wrong */
    return shape;
}

/* Names */

static struct lvalue *bound_place(struct compiler *compiler, const struct symbol *symbol) {
    if (compiler->frame) return &compiler->frame[symbol->index];
    if (symbol->index >= compiler->loose_count) {
        uint32_t count = symbol->index * 2 + 8;
        struct lvalue *fresh = ARENA_ARRAY(compiler->arena, struct lvalue, count);
        if (compiler->loose_count)
            memcpy(fresh, compiler->loose, compiler->loose_count * sizeof *fresh);
        compiler->loose = fresh;
        compiler->loose_count = count;
    }
    return &compiler->loose[symbol->index];
}

static struct lvalue binding_place(struct compiler *compiler, const struct binding *binding) {
    if (!binding->shape) compile_fail(compiler);
    return (struct lvalue){.shape = binding->shape, .base = binding->address};
}

static struct lvalue name_place(struct compiler *compiler, const struct symbol *symbol) {
    struct lvalue none = {0};
    switch (symbol->scope) {
    case SCOPE_GLOBAL:
        if (symbol->kind == SYMBOL_VARIABLE)
            return binding_place(compiler, &compiler->network->globals[symbol->index]);
        break;
    case SCOPE_TEMPLATE:
        if (compiler->process && symbol->kind != SYMBOL_LOCATION)
            return binding_place(compiler, &compiler->process->locals[symbol->index]);
        break;
    case SCOPE_FRAME: return *bound_place(compiler, symbol);
    }
    compile_fail(compiler);
    return none;
}

/* Whether a process is at a location. */
static struct value location_value(struct compiler *compiler, const struct process *process,
                                   const struct symbol *location) {
    assert(location->kind == SYMBOL_LOCATION);
    if (!process) {
        compile_fail(compiler);
        return constant_value(0);
    }
    uint32_t field = layout_location(compiler->code->layout, process->index);
    const struct fact *fact = find_fact(compiler, field);
    int32_t number = (int32_t)location->location;
    if (fact) return constant_value(fact->value == number);
    if (!compiler->code->layout->fields[field].mask) return constant_value(number == 0);
    struct value value = temporary(compiler), wanted = temporary(compiler);
    emit(compiler, OP_CODE_GET, value.reg, (int32_t)field, 0);
    emit(compiler, OP_CODE_LOAD, wanted.reg, number, 0);
    emit(compiler, OP_CODE_COMPARE_EQ, value.reg, (int32_t)value.reg, (int32_t)wanted.reg);
    return value;
}

/* Operators */

static bool is_number(const struct type *type) {
    type = type_strip(type);
    return type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_SCALAR;
}

/* == and != of arrays, structs and channels. */
static struct value compare_places(struct compiler *compiler, const struct expr *expr) {
    struct lvalue left = compile_place(compiler, expr->child[0]);
    struct lvalue right = compile_place(compiler, expr->child[1]);
    if (type_strip(expr->child[0]->type)->kind == TYPE_CHAN) {
        if (left.has_index || right.has_index) compile_fail(compiler);
        return constant_value((left.base == right.base) == (expr->op == OP_EQ));
    }
    struct value same = same_place(compiler, &left, &right);
    if (expr->op == OP_EQ || same.is_constant) {
        if (same.is_constant) same.constant = same.constant == (expr->op == OP_EQ);
        return same;
    }
    emit(compiler, OP_CODE_NOT, same.reg, (int32_t)same.reg, 0);
    return same;
}

/* Both operands of a strict operator, left first. */
static bool operands(struct compiler *compiler, const struct expr *expr, struct value *left,
                     struct value *right) {
    *left = compile_value(compiler, expr->child[0]);
    if (expr_has_effect(expr->child[1])) *left = keep_value(compiler, *left);
    *right = compile_value(compiler, expr->child[1]);
    return !compiler->is_dead && !compiler->has_failed;
}

/* 1 or 0, from jumps. */
static struct value truth_value(struct compiler *compiler, const struct expr *expr) {
    struct label is_false = {0}, end = {0};
    struct value result = temporary(compiler);
    result.lower = 0;
    result.upper = 1;
    jump_if(compiler, expr, false, &is_false);
    if (!is_jumped_to(&is_false)) return constant_value(!compiler->is_dead);
    bool can_hold = !compiler->is_dead;
    if (can_hold) {
        emit(compiler, OP_CODE_LOAD, result.reg, 1, 0);
        jump_always(compiler, &end);
    }
    bind_label(compiler, &is_false);
    if (!can_hold) return constant_value(0);
    emit(compiler, OP_CODE_LOAD, result.reg, 0, 0);
    bind_label(compiler, &end);
    return result;
}

static struct value binary(struct compiler *compiler, const struct expr *expr) {
    if (op_is_connective(expr->op)) return truth_value(compiler, expr);
    if ((expr->op == OP_EQ || expr->op == OP_NE) && !is_number(expr->child[0]->type))
        return compare_places(compiler, expr);
    struct value left, right;
    if (!operands(compiler, expr, &left, &right)) return constant_value(0);
    return operate_values(compiler, expr->op, left, right, expr->span);
}

static struct value unary(struct compiler *compiler, const struct expr *expr) {
    if (expr->op == OP_NEG && expr->child[0]->kind == EXPR_INT)
        return constant_value((int32_t)-expr->child[0]->value);
    struct value value = compile_value(compiler, expr->child[0]);
    bool is_not = expr->op == OP_NOT;
    if (value.is_constant)
        return is_not ? constant_value(!value.constant)
                      : constant_value((int32_t)(0u - (uint32_t)value.constant));
    return with_constant(compiler, is_not ? OP_CODE_NOT : OP_CODE_NEGATE, value, 0);
}

/* Assignments */

static struct value assign(struct compiler *compiler, const struct expr *expr,
                           struct lvalue *target) {
    bool is_unused = compiler->is_unused;
    compiler->is_unused = false;
    *target = compile_place(compiler, expr->child[0]);
    if (compiler->is_dead || compiler->has_failed) return constant_value(0);
    if (target->shape->kind != SHAPE_CELL) {
        struct lvalue source = compile_place(compiler, expr->child[1]);
        copy_place(compiler, target, &source, expr->span);
        return constant_value(0);
    }
    struct value value = compile_value(compiler, expr->child[1]);
    enum op op = op_of_assignment(expr->op);
    if (op != OP_NONE && !compiler->is_dead && !compiler->has_failed) {
        struct value old = load_place(compiler, target);
        value = operate_values(compiler, op, old, value, expr->span);
    }
    compiler->is_unused = is_unused;
    value = store_place(compiler, target, value, expr->span);
    compiler->is_unused = false;
    return value;
}

static struct value step(struct compiler *compiler, const struct expr *expr,
                         struct lvalue *target) {
    bool is_unused = compiler->is_unused;
    compiler->is_unused = false;
    *target = compile_place(compiler, expr->child[0]);
    if (compiler->is_dead || compiler->has_failed) return constant_value(0);
    bool is_before = expr->op == OP_PRE_INC || expr->op == OP_PRE_DEC;
    struct value old = load_place(compiler, target);
    if (!is_before && !is_unused) old = keep_value(compiler, old);
    bool is_up = expr->op == OP_PRE_INC || expr->op == OP_POST_INC;
    struct value stored =
        operate_values(compiler, OP_ADD, old, constant_value(is_up ? 1 : -1), expr->span);
    compiler->is_unused = is_unused;
    stored = store_place(compiler, target, stored, expr->span);
    compiler->is_unused = false;
    return is_before ? stored : old;
}

bool is_known(struct compiler *compiler, const struct expr *expr, int32_t *constant) {
    struct code *code = compiler->code;
    uint32_t count = code->instructions.count, puts = code->puts.count;
    uint32_t barrier = compiler->barrier;
    if (expr_has_effect(expr) || compiler->is_dead || compiler->has_failed) return false;
    struct facts before;
    copy_facts(&before, &compiler->facts);
    struct unit unit = compiler->unit;
    struct value value = compile_value(compiler, expr);
    bool is_clean = code->instructions.count == count && !compiler->is_dead;
    if (compiler->has_failed) return false;
    code->instructions.count = code->spans.count = count;
    code->puts.count = puts;
    compiler->copies.count = 0;
    compiler->unit = unit;
    compiler->barrier = barrier;
    compiler->is_dead = false;
    compiler->deferred = NULL;
    copy_facts(&compiler->facts, &before);
    *constant = value.constant;
    return is_clean && value.is_constant;
}

typedef struct value choice_value(struct compiler *compiler, const struct expr *expr);

/* One of two values of a kind, which the other branch need not have. */
static struct value cond(struct compiler *compiler, const struct expr *expr, choice_value *choose) {
    int32_t constant;
    if (is_known(compiler, expr->child[0], &constant))
        return choose(compiler, expr->child[constant ? 1 : 2]);
    struct label other = {0}, end = {0};
    struct value result = temporary(compiler);
    struct shape full = {
        .kind = SHAPE_CELL, .cell_count = 1, .lower = INT32_MIN, .upper = INT32_MAX};
    struct lvalue place = {.shape = &full, .is_register = true, .base = result.reg};
    jump_if(compiler, expr->child[0], false, &other);
    if (!compiler->is_dead) {
        store_place(compiler, &place, choose(compiler, expr->child[1]), expr->span);
        if (is_jumped_to(&other)) jump_always(compiler, &end);
    }
    if (is_jumped_to(&other)) {
        bind_label(compiler, &other);
        store_place(compiler, &place, choose(compiler, expr->child[2]), expr->span);
        bind_label(compiler, &end);
    }
    return load_place(compiler, &place);
}

/* The address of a channel. */
struct value compile_address(struct compiler *compiler, const struct expr *expr) {
    if (compiler->is_dead || compiler->has_failed) return constant_value(0);
    struct value address = constant_value(0);
    compile_enter(compiler);
    if (expr->kind == EXPR_COND) {
        address = cond(compiler, expr, compile_address);
    } else {
        struct lvalue place = compile_place(compiler, expr);
        address = constant_value((int32_t)place.base);
        if (place.has_index)
            address = with_constant(
                compiler, OP_CODE_ADD_I,
                (struct value){.reg = place.index, .lower = INT32_MIN, .upper = INT32_MAX},
                (int32_t)place.base);
    }
    compiler->depth--;
    return compiler->is_dead ? constant_value(0) : address;
}

/* Quantifiers */

struct quantifier_loop {
    const struct expr *expr;
    struct lvalue bound, result;
    struct label decided;
};

static void quantifier_body(struct compiler *compiler, struct quantifier_loop *loop) {
    const struct expr *body = loop->expr->child[0];
    if (loop->expr->op != OP_SUM) {
        jump_if(compiler, body, loop->expr->op == OP_EXISTS, &loop->decided);
        return;
    }
    struct value sum = load_place(compiler, &loop->result);
    if (expr_has_effect(body)) sum = keep_value(compiler, sum);
    struct value value = compile_value(compiler, body);
    if (compiler->is_dead || compiler->has_failed) return;
    store_place(compiler, &loop->result, operate_values(compiler, OP_ADD, sum, value, body->span),
                body->span);
}

/* With the variable in a register. */
static void quantifier_rounds(struct compiler *compiler, struct quantifier_loop *loop,
                              const struct shape *range) {
    assert(range->kind == SHAPE_CELL && range->lower <= range->upper);
    struct label end = {0};
    uint32_t reg = loop->bound.base;
    drop_fact(compiler, reg | REGISTER_ID);
    flush_facts(compiler);
    drop_facts(compiler);
    emit(compiler, OP_CODE_LOAD, reg, range->lower, 0);
    uint32_t top = compiler->barrier = compiler->code->instructions.count;
    quantifier_body(compiler, loop);
    if (!compiler->is_dead) {
        jump(compiler, OP_CODE_JUMP_EQ_I, (int32_t)reg, range->upper, &end);
        emit(compiler, OP_CODE_ADD_I, reg, (int32_t)reg, 1);
        emit_fault(compiler, OP_CODE_TICK, 0, 0, 0, loop->expr->span);
        emit(compiler, OP_CODE_JUMP, top, 0, 0);
        compiler->is_dead = true;
    }
    bind_label(compiler, &end);
}

static const struct shape any_number = {
    .kind = SHAPE_CELL, .cell_count = 1, .lower = INT32_MIN, .upper = INT32_MAX};

static struct value quantify(struct compiler *compiler, const struct expr *expr) {
    const struct shape *range = compile_shape(compiler, expr->bound->type);
    if (!range) return constant_value(0);
    struct quantifier_loop loop = {.expr = expr};
    loop.bound = register_place(compiler, range);
    loop.result = register_place(compiler, &any_number);
    struct lvalue before = *bound_place(compiler, expr->bound);
    *bound_place(compiler, expr->bound) = loop.bound;
    bool is_forall = expr->op == OP_FORALL;
    store_place(compiler, &loop.result, constant_value(is_forall), expr->span);
    if (compiler->unrolls && (int64_t)range->upper - range->lower < MAX_UNROLL) {
        for (int64_t i = range->lower; i <= range->upper && !compiler->is_dead; i++) {
            if (compiler->has_failed) break;
            set_fact(compiler, loop.bound.base | REGISTER_ID, (int32_t)i, true, false);
            quantifier_body(compiler, &loop);
        }
    } else if (!compiler->is_dead) {
        quantifier_rounds(compiler, &loop, range);
    }
    *bound_place(compiler, expr->bound) = before;
    if (expr->op == OP_SUM || !is_jumped_to(&loop.decided))
        return compiler->is_dead ? constant_value(0) : load_place(compiler, &loop.result);
    struct label end = {0};
    if (!compiler->is_dead) jump_always(compiler, &end);
    bind_label(compiler, &loop.decided);
    store_place(compiler, &loop.result, constant_value(!is_forall), expr->span);
    bind_label(compiler, &end);
    return load_place(compiler, &loop.result);
}

/* Values */

static struct value field_value(struct compiler *compiler, const struct expr *expr) {
    if (expr->symbol && expr->symbol->kind == SYMBOL_LOCATION)
        return location_value(compiler, compile_process(compiler, expr->child[0]), expr->symbol);
    struct lvalue place = compile_place(compiler, expr);
    return load_place(compiler, &place);
}

static struct value absolute(struct compiler *compiler, const struct expr *expr) {
    struct value value = compile_value(compiler, expr->arguments[0]);
    if (value.is_constant)
        return constant_value(value.constant < 0 ? (int32_t)(0u - (uint32_t)value.constant)
                                                 : value.constant);
    return with_constant(compiler, OP_CODE_ABSOLUTE, value, 0);
}

static struct value value_of(struct compiler *compiler, const struct expr *expr) {
    struct lvalue place;
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_BOOL: return constant_value((int32_t)expr->value);
    case EXPR_NAME:
        if (expr->symbol->kind == SYMBOL_LOCATION)
            return location_value(compiler, compiler->process, expr->symbol);
        place = name_place(compiler, expr->symbol);
        return load_place(compiler, &place);
    case EXPR_UNARY: return unary(compiler, expr);
    case EXPR_BINARY: return binary(compiler, expr);
    case EXPR_ASSIGN: return assign(compiler, expr, &place);
    case EXPR_STEP: return step(compiler, expr, &place);
    case EXPR_COND: return cond(compiler, expr, compile_value);
    case EXPR_CALL:
        place = compile_call(compiler, expr);
        return place.shape ? load_place(compiler, &place) : constant_value(0);
    case EXPR_INDEX: place = compile_place(compiler, expr); return load_place(compiler, &place);
    case EXPR_FIELD: return field_value(compiler, expr);
    case EXPR_QUANTIFY: return quantify(compiler, expr);
    case EXPR_BUILTIN: return absolute(compiler, expr);
    case EXPR_DEADLOCK: return with_constant(compiler, OP_CODE_STUCK, constant_value(0), 0);
    default: compile_fail(compiler); return constant_value(0);
    }
}

/* An arbitrary constant where this cannot be reached, or is left to the interpreter. */
struct value compile_value(struct compiler *compiler, const struct expr *expr) {
    if (compiler->is_dead || compiler->has_failed) return constant_value(0);
    compile_enter(compiler);
    compiler->is_unused = false;
    struct value value = compiler->has_failed ? constant_value(0) : value_of(compiler, expr);
    compiler->depth--;
    return compiler->is_dead ? constant_value(0) : value;
}

/* The place of an expression that can be assigned to or has several cells. */
struct lvalue compile_place(struct compiler *compiler, const struct expr *expr) {
    struct lvalue place = {0};
    if (compiler->is_dead || compiler->has_failed) return place;
    switch (expr->kind) {
    case EXPR_NAME: return name_place(compiler, expr->symbol);
    case EXPR_INDEX: {
        place = compile_place(compiler, expr->child[0]);
        struct value index = compile_value(compiler, expr->child[1]);
        if (compiler->is_dead || compiler->has_failed) return (struct lvalue){0};
        return element_place(compiler, &place, index, expr->span);
    }
    case EXPR_FIELD:
        if (expr->symbol) {
            const struct process *process = compile_process(compiler, expr->child[0]);
            if (!process) return place;
            return binding_place(compiler, &process->locals[expr->symbol->index]);
        }
        place = compile_place(compiler, expr->child[0]);
        if (!place.shape) return place;
        return leaf_place(&place, place.shape->offsets[expr->field_index],
                          place.shape->fields[expr->field_index]);
    case EXPR_ASSIGN: assign(compiler, expr, &place); return place;
    case EXPR_STEP: step(compiler, expr, &place); return place;
    case EXPR_CALL: return compile_call(compiler, expr);
    default: compile_fail(compiler); return place;
    }
}

/* The value, if there is one, is not used. */
void compile_effect(struct compiler *compiler, const struct expr *expr) {
    struct lvalue place;
    if (compiler->is_dead || compiler->has_failed) return;
    compiler->is_unused = true;
    if (expr->kind == EXPR_ASSIGN)
        assign(compiler, expr, &place);
    else if (expr->kind == EXPR_STEP)
        step(compiler, expr, &place);
    else if (expr->kind == EXPR_CALL)
        compile_call(compiler, expr);
    else
        compile_value(compiler, expr);
    compiler->is_unused = false;
}

/* Conditions */

static void jump_compare(struct compiler *compiler, const struct expr *expr, bool when,
                         struct label *label) {
    struct value left, right;
    if (!operands(compiler, expr, &left, &right)) return;
    enum op op = when ? expr->op : op_negated(expr->op);
    if (left.is_constant && right.is_constant) {
        if (fold_values(compiler, op, left.constant, right.constant, expr->span).constant)
            jump_always(compiler, label);
        return;
    }
    if (left.is_constant) {
        struct value other = left;
        left = right;
        right = other;
        op = op_turned(op);
    }
    static_assert(OP_GT - OP_LT == 3 && OP_NE - OP_LT == 5, "the order of the jumps");
    assert(op >= OP_LT && op <= OP_NE);
    uint32_t kind = (uint32_t)(op - OP_LT);
    if (!right.is_constant) {
        jump(compiler, (enum opcode)(OP_CODE_JUMP_LT + kind), (int32_t)left.reg, (int32_t)right.reg,
             label);
        return;
    }
    /* A field that was just read for this is compared where it is, unless the other side has given
     * it a value, which is known then and not written yet. */
    struct code *code = compiler->code;
    struct instruction *last = &code->instructions.items[code->instructions.count - 1];
    if (left.is_temporary && code->instructions.count > compiler->barrier &&
        last->op == OP_CODE_GET && last->a == left.reg && (op == OP_EQ || op == OP_NE) &&
        !find_fact(compiler, (uint32_t)last->b)) {
        assert((uint32_t)last->b < code->layout->field_count);
        int32_t field = last->b;
        drop_copies(compiler, (uint32_t)field, NO_SLOT);
        code->instructions.count = --code->spans.count;
        jump(compiler, op == OP_EQ ? OP_CODE_JUMP_FIELD_EQ : OP_CODE_JUMP_FIELD_NE, field,
             right.constant, label);
        if (op == OP_NE) set_fact(compiler, (uint32_t)field, right.constant, false, false);
        return;
    }
    jump(compiler, (enum opcode)(OP_CODE_JUMP_LT_I + kind), (int32_t)left.reg, right.constant,
         label);
}

void jump_if(struct compiler *compiler, const struct expr *expr, bool when, struct label *label) {
    if (compiler->is_dead || compiler->has_failed) return;
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) {
        jump_if(compiler, expr->child[0], !when, label);
        return;
    }
    bool is_compare = expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_NE;
    if (is_compare && is_number(expr->child[0]->type)) {
        jump_compare(compiler, expr, when, label);
        return;
    }
    if (expr->kind == EXPR_BINARY && op_is_connective(expr->op)) {
        /* The left side decides with this value; imply is !left || right. */
        bool decisive = expr->op != OP_AND, is_left_negated = expr->op == OP_IMPLY;
        if (when == decisive) {
            jump_if(compiler, expr->child[0], decisive != is_left_negated, label);
            jump_if(compiler, expr->child[1], when, label);
        } else {
            struct label skip = {0};
            jump_if(compiler, expr->child[0], decisive != is_left_negated, &skip);
            jump_if(compiler, expr->child[1], when, label);
            bind_label(compiler, &skip);
        }
        return;
    }
    struct value value = compile_value(compiler, expr);
    if (compiler->is_dead || compiler->has_failed) return;
    if (value.is_constant) {
        if ((value.constant != 0) == when) jump_always(compiler, label);
        return;
    }
    jump(compiler, when ? OP_CODE_JUMP_NOT_ZERO : OP_CODE_JUMP_ZERO, (int32_t)value.reg, 0, label);
}
