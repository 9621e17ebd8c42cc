/* Expressions as instructions (eval_expr.c is the reference). */
#include "lang/eval/eval_code_internal.h"
#include "lang/eval/eval_operate.h"

#include <assert.h>

static struct code_value fail(struct coder *coder) {
    coder->has_failed = true;
    return code_constant(0);
}

static struct code_value new_value(struct coder *coder) {
    return (struct code_value){.reg = code_registers(coder, 1)};
}

/* False where the result is an error or does not fit. */
static bool fold(struct coder *coder, enum op op, int32_t left, int32_t right, int32_t *result) {
    struct environment unheard = {.arena = coder->environment->arena};
    *result = eval_operate(&unheard, op, left, right, (struct span){0, 0});
    return !has_fault(&unheard) && !unheard.has_overflow;
}

static struct code_value operate(struct coder *coder, enum op op, struct code_value left,
                                 struct code_value right, struct span span) {
    int32_t result;
    if (coder->has_failed) return left;
    if (left.is_constant && right.is_constant &&
        fold(coder, op, left.constant, right.constant, &result))
        return code_constant(result);
    uint32_t reg = code_register(coder, left);
    struct code_line line = {
        .op = CODE_OPERATE_I, .operator= op, .b = (int32_t)reg, .c = right.constant, .span = span};
    if (!right.is_constant) {
        line.op = CODE_OPERATE;
        line.c = (int32_t)right.reg;
    }
    struct code_value value = new_value(coder);
    line.a = value.reg;
    code_emit(coder, line);
    return value;
}

/* r[a] = o r[b] */
static struct code_value unary(struct coder *coder, enum code_op op, struct code_value operand) {
    uint32_t reg = code_register(coder, operand);
    struct code_value value = new_value(coder);
    code_emit(coder, (struct code_line){.op = op, .a = value.reg, .b = (int32_t)reg});
    return value;
}

static void set(struct coder *coder, struct code_value target, struct code_value value) {
    struct code_line move = {.op = CODE_MOVE, .a = target.reg, .b = (int32_t)value.reg};
    if (value.is_constant)
        move = (struct code_line){.op = CODE_LOAD, .a = target.reg, .b = value.constant};
    code_emit(coder, move);
}

/* && || imply: the left side decides if it is false, or true. */
static struct code_value short_circuit(struct coder *coder, const struct expr *expr) {
    bool decides = expr->op == OP_OR, result = expr->op != OP_AND;
    struct code_value left = code_of_value(coder, expr->child[0]);
    if (left.is_constant && (left.constant != 0) == decides) return code_constant(result);
    if (left.is_constant) {
        struct code_value right = code_of_value(coder, expr->child[1]);
        if (right.is_constant) return code_constant(right.constant != 0);
        return unary(coder, CODE_TRUTH, right);
    }
    struct code_value value = new_value(coder);
    set(coder, value, code_constant(result));
    uint32_t end = code_jump(coder, decides ? CODE_JUMP_IF : CODE_JUMP_UNLESS, left.reg);
    struct code_value right = code_of_value(coder, expr->child[1]);
    if (right.is_constant)
        set(coder, value, code_constant(right.constant != 0));
    else
        code_emit(coder,
                  (struct code_line){.op = CODE_TRUTH, .a = value.reg, .b = (int32_t)right.reg});
    code_land(coder, end);
    return value;
}

/* Arrays and structs are equal if all their cells are. */
static struct code_value compare_cells(struct coder *coder, const struct expr *expr) {
    struct code_place left = code_of_place(coder, expr->child[0]);
    struct code_place right = code_of_place(coder, expr->child[1]);
    if (coder->has_failed || !left.shape || !right.shape) return fail(coder);
    if (left.shape->kind == SHAPE_CELL || left.shape->cell_count > CODE_MAX_CELLS)
        return fail(coder); /* channels, too */
    assert(left.shape->cell_count == right.shape->cell_count);
    static const struct shape cell = {.kind = SHAPE_CELL, .cell_count = 1};
    struct code_value value = new_value(coder);
    set(coder, value, code_constant(expr->op == OP_NE));
    uint32_t differs = NO_JUMP;
    for (uint32_t i = 0; i < left.shape->cell_count && !coder->has_failed; i++) {
        struct code_place one = code_part(&left, i, &cell), other = code_part(&right, i, &cell);
        struct code_value first = code_load(coder, &one), second = code_load(coder, &other);
        struct code_value same = operate(coder, OP_EQ, first, second, expr->span);
        uint32_t jump = code_jump(coder, CODE_JUMP_UNLESS, code_register(coder, same));
        if (coder->has_failed) break;
        coder->code.items[jump].a = differs;
        differs = jump;
    }
    set(coder, value, code_constant(expr->op == OP_EQ));
    while (differs != NO_JUMP && !coder->has_failed) {
        uint32_t before = coder->code.items[differs].a;
        code_land(coder, differs);
        differs = before;
    }
    return value;
}

static struct code_value binary(struct coder *coder, const struct expr *expr) {
    if (op_is_connective(expr->op)) return short_circuit(coder, expr);
    if (eval_is_of_clocks(expr)) return fail(coder);
    if ((expr->op == OP_EQ || expr->op == OP_NE) && !type_is_number(expr->child[0]->type))
        return compare_cells(coder, expr);
    struct code_value left = code_of_value(coder, expr->child[0]);
    struct code_value right = code_of_value(coder, expr->child[1]);
    return operate(coder, expr->op, left, right, expr->span);
}

/* The value of an expression of any type goes to a place. */
void code_assign(struct coder *coder, const struct code_place *target, const struct expr *value,
                 struct span span) {
    if (coder->has_failed || !target->shape) return;
    if (target->shape->kind == SHAPE_CELL) {
        code_store(coder, target, code_of_value(coder, value), span);
    } else {
        struct code_place source = code_of_place(coder, value);
        code_copy(coder, target, &source, span);
    }
}

static struct code_value assign(struct coder *coder, const struct expr *expr,
                                struct code_place *target) {
    *target = code_of_place(coder, expr->child[0]);
    if (coder->has_failed || !target->shape) return fail(coder);
    if (target->shape->kind != SHAPE_CELL) {
        code_assign(coder, target, expr->child[1], expr->span);
        return code_constant(0);
    }
    struct code_value value = code_of_value(coder, expr->child[1]);
    enum op op = op_of_assignment(expr->op);
    if (op != OP_NONE) value = operate(coder, op, code_load(coder, target), value, expr->span);
    return code_store(coder, target, value, expr->span);
}

static struct code_value step(struct coder *coder, const struct expr *expr,
                              struct code_place *target) {
    *target = code_of_place(coder, expr->child[0]);
    if (coder->has_failed || !target->shape) return fail(coder);
    bool is_up = expr->op == OP_PRE_INC || expr->op == OP_POST_INC;
    struct code_value old = code_load(coder, target);
    struct code_value next = operate(coder, OP_ADD, old, code_constant(is_up ? 1 : -1), expr->span);
    struct code_value stored = code_store(coder, target, next, expr->span);
    return expr->op == OP_PRE_INC || expr->op == OP_PRE_DEC ? stored : old;
}

static struct code_value cond(struct coder *coder, const struct expr *expr) {
    struct code_value condition = code_of_value(coder, expr->child[0]);
    if (condition.is_constant) return code_of_value(coder, expr->child[condition.constant ? 1 : 2]);
    struct code_value value = new_value(coder);
    uint32_t other = code_jump(coder, CODE_JUMP_UNLESS, condition.reg);
    set(coder, value, code_of_value(coder, expr->child[1]));
    uint32_t end = code_jump(coder, CODE_JUMP, 0);
    code_land(coder, other);
    set(coder, value, code_of_value(coder, expr->child[2]));
    code_land(coder, end);
    return value;
}

/* The variable is set anew in each round, whatever the last one made of it. */
struct code_rounds code_begin_rounds(struct coder *coder, const struct symbol *bound,
                                     struct span span) {
    const struct shape *shape = code_shape(coder, bound->type);
    struct code_rounds rounds = {0};
    if (!shape || shape->kind != SHAPE_CELL) coder->has_failed = true;
    if (coder->has_failed) return rounds;
    struct code_place place = code_local(coder, shape);
    rounds.counter = code_register(coder, code_constant(shape->lower));
    rounds.upper = shape->upper;
    rounds.top = code_emit(coder, (struct code_line){.op = CODE_TICK, .span = span});
    code_emit(coder,
              (struct code_line){.op = CODE_MOVE, .a = place.base, .b = (int32_t)rounds.counter});
    code_bind(coder, bound, place);
    return rounds;
}

void code_end_rounds(struct coder *coder, const struct code_rounds *rounds) {
    code_emit(coder, (struct code_line){.op = CODE_ROUND,
                                        .a = rounds->top,
                                        .b = (int32_t)rounds->counter,
                                        .c = rounds->upper});
    coder->bindings.count -= !coder->has_failed;
}

static struct code_value quantify(struct coder *coder, const struct expr *expr) {
    struct code_value result = new_value(coder);
    bool is_sum = expr->op == OP_SUM, is_all = expr->op == OP_FORALL;
    set(coder, result, code_constant(is_all));
    struct code_rounds rounds = code_begin_rounds(coder, expr->bound, expr->span);
    uint32_t height = coder->height;
    struct code_value value = code_of_value(coder, expr->child[0]);
    if (is_sum) {
        set(coder, result, operate(coder, OP_ADD, result, value, expr->span));
        code_end_rounds(coder, &rounds);
    } else {
        uint32_t reg = code_register(coder, value);
        uint32_t goes_on = code_jump(coder, is_all ? CODE_JUMP_IF : CODE_JUMP_UNLESS, reg);
        set(coder, result, code_constant(!is_all));
        uint32_t end = code_jump(coder, CODE_JUMP, 0);
        code_land(coder, goes_on);
        code_end_rounds(coder, &rounds);
        code_land(coder, end);
    }
    coder->height = height < coder->height ? height : coder->height;
    return result;
}

static struct code_value call(struct coder *coder, const struct expr *expr) {
    struct code_place result = code_of_call(coder, expr);
    if (coder->has_failed || !result.shape) return code_constant(0);
    return code_load(coder, &result);
}

static struct code_value name(struct coder *coder, const struct expr *expr) {
    if (expr->symbol->kind == SYMBOL_LOCATION) {
        struct code_value value = new_value(coder);
        if (!coder->environment->is_at) return fail(coder);
        code_emit(coder,
                  (struct code_line){.op = CODE_AT, .a = value.reg, .location = expr->symbol});
        return value;
    }
    struct code_place place = code_of_place(coder, expr);
    if (!place.shape || place.shape->kind != SHAPE_CELL) return fail(coder);
    return code_load(coder, &place);
}

static struct code_value load(struct coder *coder, const struct expr *expr) {
    struct code_place place = code_of_place(coder, expr);
    if (!place.shape || place.shape->kind != SHAPE_CELL) return fail(coder);
    return code_load(coder, &place);
}

static struct code_value negate(struct coder *coder, const struct expr *operand) {
    if (operand->kind == EXPR_INT) return code_constant((int32_t)-operand->value);
    struct code_value value = code_of_value(coder, operand);
    if (value.is_constant && value.constant > INT32_MIN) return code_constant(-value.constant);
    return unary(coder, CODE_NEGATE, value);
}

static struct code_value value_of(struct coder *coder, const struct expr *expr) {
    struct code_place place;
    switch (expr->kind) {
    case EXPR_INT:
        return expr->value <= INT32_MAX ? code_constant((int32_t)expr->value) : fail(coder);
    case EXPR_BOOL: return code_constant((int32_t)expr->value);
    case EXPR_NAME: return name(coder, expr);
    case EXPR_UNARY:
        if (expr->op == OP_NEG) return negate(coder, expr->child[0]);
        assert(expr->op == OP_NOT);
        return unary(coder, CODE_NOT, code_of_value(coder, expr->child[0]));
    case EXPR_BINARY: return binary(coder, expr);
    case EXPR_ASSIGN: return assign(coder, expr, &place);
    case EXPR_STEP: return step(coder, expr, &place);
    case EXPR_COND: return cond(coder, expr);
    case EXPR_CALL: return call(coder, expr);
    case EXPR_INDEX:
    case EXPR_FIELD: return load(coder, expr);
    case EXPR_QUANTIFY: return quantify(coder, expr);
    case EXPR_BUILTIN: return unary(coder, CODE_ABSOLUTE, code_of_value(coder, expr->arguments[0]));
    default: return fail(coder);
    }
}

struct code_value code_of_value(struct coder *coder, const struct expr *expr) {
    struct code_value value = code_constant(0);
    if (code_enter(coder)) value = value_of(coder, expr);
    coder->depth--;
    return value;
}

/* Places */

static struct code_place named_place(struct coder *coder, const struct expr *expr) {
    struct environment *environment = coder->environment;
    if (symbol_is_clock(expr->symbol)) { /* what it is set to is told each time */
        coder->has_failed = true;
        return (struct code_place){0};
    }
    for (uint32_t i = coder->bindings.count; i-- > 0;)
        if (coder->bindings.items[i].symbol == expr->symbol) return coder->bindings.items[i].place;
    const struct binding *binding = NULL;
    if (expr->symbol->scope != SCOPE_FRAME || (!coder->is_call && environment->frame))
        binding = eval_find(environment, expr->symbol, expr->span);
    environment->fault = (struct fault){0};
    if (!binding || binding->address + binding->shape->cell_count > environment->tracked_count) {
        coder->has_failed = true;
        return (struct code_place){0};
    }
    return (struct code_place){
        .shape = binding->shape, .base = binding->address, .offset = NO_OFFSET};
}

static struct code_place element_place(struct coder *coder, const struct expr *expr) {
    struct code_place array = code_of_place(coder, expr->child[0]);
    struct code_value index = code_of_value(coder, expr->child[1]);
    if (coder->has_failed || !array.shape) return (struct code_place){0};
    const struct shape *shape = array.shape;
    assert(shape->kind == SHAPE_ARRAY);
    if (index.is_constant && index.constant >= shape->lower && index.constant <= shape->upper) {
        uint32_t before = (uint32_t)(index.constant - shape->lower);
        return code_part(&array, before * shape->element->cell_count, shape->element);
    }
    uint32_t reg = code_register(coder, index);
    struct code_value offset = new_value(coder);
    code_emit(coder, (struct code_line){.op = CODE_OFFSET,
                                        .a = offset.reg,
                                        .b = (int32_t)reg,
                                        .shape = shape,
                                        .span = expr->span});
    if (array.offset != NO_OFFSET)
        offset = operate(coder, OP_ADD, offset, (struct code_value){.reg = (uint32_t)array.offset},
                         expr->span);
    array.offset = (int32_t)offset.reg;
    array.shape = shape->element;
    return array;
}

static struct code_place place_of(struct coder *coder, const struct expr *expr) {
    struct code_place place = {0};
    switch (expr->kind) {
    case EXPR_NAME: return named_place(coder, expr);
    case EXPR_INDEX: return element_place(coder, expr);
    case EXPR_FIELD:
        if (expr->symbol) break; /* of a process */
        place = code_of_place(coder, expr->child[0]);
        if (coder->has_failed || !place.shape) return place;
        assert(place.shape->kind == SHAPE_STRUCT);
        return code_part(&place, place.shape->offsets[expr->field_index],
                         place.shape->fields[expr->field_index]);
    case EXPR_ASSIGN: assign(coder, expr, &place); return place;
    case EXPR_STEP: step(coder, expr, &place); return place;
    case EXPR_CALL: return code_of_call(coder, expr);
    default: break;
    }
    coder->has_failed = true;
    return place;
}

struct code_place code_of_place(struct coder *coder, const struct expr *expr) {
    struct code_place place = {0};
    if (code_enter(coder)) place = place_of(coder, expr);
    coder->depth--;
    return place;
}

/* For the effects only. */
void code_of_effect(struct coder *coder, const struct expr *expr) {
    struct code_place place;
    if (code_enter(coder)) {
        if (expr->kind == EXPR_ASSIGN) {
            assign(coder, expr, &place);
        } else if (expr->kind == EXPR_CALL) {
            code_of_call(coder, expr);
        } else if (expr->kind == EXPR_COND) {
            uint32_t reg = code_register(coder, code_of_value(coder, expr->child[0]));
            uint32_t other = code_jump(coder, CODE_JUMP_UNLESS, reg);
            code_of_effect(coder, expr->child[1]);
            uint32_t end = code_jump(coder, CODE_JUMP, 0);
            code_land(coder, other);
            code_of_effect(coder, expr->child[2]);
            code_land(coder, end);
        } else if (type_is_number(expr->type)) {
            code_of_value(coder, expr);
        } else {
            code_of_place(coder, expr);
        }
    }
    coder->depth--;
}
