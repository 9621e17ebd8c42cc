/* Instructions, registers and places. */
#include "lang/eval/eval_code_internal.h"

#include <assert.h>

bool code_enter(struct coder *coder) {
    if (++coder->depth > CODE_MAX_DEPTH) coder->has_failed = true;
    return !coder->has_failed;
}

/* The first of so many neighbours. */
uint32_t code_registers(struct coder *coder, uint32_t count) {
    uint32_t first = coder->height;
    if (count > CODE_MAX_REGISTERS - first) {
        coder->has_failed = true;
        return 0;
    }
    coder->height += count;
    if (coder->height > coder->most) coder->most = coder->height;
    return first;
}

uint32_t code_emit(struct coder *coder, struct code_line line) {
    if (coder->code.count == CODE_MAX_INSTRUCTIONS) coder->has_failed = true;
    if (coder->has_failed) return 0;
    line.height = coder->height;
    VEC_PUSH(coder->environment->arena, &coder->code, line);
    return coder->code.count - 1;
}

uint32_t code_jump(struct coder *coder, enum code_op op, uint32_t reg) {
    return code_emit(coder, (struct code_line){.op = op, .b = (int32_t)reg});
}

void code_land(struct coder *coder, uint32_t jump) {
    if (coder->has_failed) return;
    assert(jump < coder->code.count);
    coder->code.items[jump].a = coder->code.count;
}

/* A constant goes into a new one. */
uint32_t code_register(struct coder *coder, struct code_value value) {
    if (!value.is_constant) return value.reg;
    uint32_t reg = code_registers(coder, 1);
    code_emit(coder, (struct code_line){.op = CODE_LOAD, .a = reg, .b = value.constant});
    return reg;
}

struct code_place code_local(struct coder *coder, const struct shape *shape) {
    if (!shape) return (struct code_place){0};
    return (struct code_place){.shape = shape,
                               .is_register = true,
                               .base = code_registers(coder, shape->cell_count),
                               .offset = NO_OFFSET};
}

/* So many cells after the beginning. */
struct code_place code_part(const struct code_place *place, uint32_t offset,
                            const struct shape *shape) {
    struct code_place part = *place;
    assert(offset + shape->cell_count <= place->shape->cell_count);
    part.base += offset;
    part.shape = shape;
    return part;
}

/* NULL, and a failure, where the interpreter has a fault. */
const struct shape *code_shape(struct coder *coder, const struct type *type) {
    struct environment *environment = coder->environment;
    if (coder->has_failed) return NULL;
    const struct shape *shape = eval_shape(environment, type);
    environment->fault = (struct fault){0};
    if (!shape) coder->has_failed = true;
    return shape;
}

/* Whether all cells that a place may mean never change: those of a variable are alike. */
static bool is_fixed(const struct coder *coder, const struct code_place *place) {
    const struct environment *environment = coder->environment;
    return !place->is_register && environment->is_fixed(environment->context, place->base);
}

struct code_value code_load(struct coder *coder, const struct code_place *place) {
    struct code_line load = {.op = CODE_READ, .b = (int32_t)place->base, .c = place->offset};
    if (coder->has_failed || !place->shape) return code_constant(0);
    assert(place->shape->kind == SHAPE_CELL);
    bool has_offset = place->offset != NO_OFFSET, has_value = is_fixed(coder, place);
    if (has_value && !has_offset) return code_constant(coder->environment->cells[place->base]);
    if (has_value) load.op = CODE_FIXED_AT;
    if (place->is_register) load.op = has_offset ? CODE_MOVE_AT : CODE_MOVE;
    load.a = code_registers(coder, 1);
    code_emit(coder, load);
    return (struct code_value){.reg = load.a};
}

/* Gives what was stored. */
struct code_value code_store(struct coder *coder, const struct code_place *place,
                             struct code_value value, struct span span) {
    const struct shape *shape = place->shape;
    if (!shape || is_fixed(coder, place)) coder->has_failed = true;
    if (coder->has_failed) return value;
    assert(shape->kind == SHAPE_CELL);
    if (value.is_constant && shape->is_bool) value.constant = value.constant != 0;
    bool is_fine =
        value.is_constant && value.constant >= shape->lower && value.constant <= shape->upper;
    uint32_t reg = code_register(coder, value);
    if (!is_fine)
        code_emit(coder,
                  (struct code_line){.op = CODE_CHECK, .a = reg, .shape = shape, .span = span});
    struct code_line store = {
        .op = CODE_WRITE, .a = reg, .b = (int32_t)place->base, .c = place->offset, .span = span};
    if (place->is_register && place->offset == NO_OFFSET)
        store = (struct code_line){.op = CODE_MOVE, .a = place->base, .b = (int32_t)reg};
    else if (place->is_register)
        store.op = CODE_KEEP_AT;
    code_emit(coder, store);
    return value.is_constant ? value : (struct code_value){.reg = reg};
}

/* Cell by cell, in the order of the interpreter. */
void code_copy(struct coder *coder, const struct code_place *target,
               const struct code_place *source, struct span span) {
    if (coder->has_failed || !target->shape || !source->shape) return;
    const struct shape *shape = target->shape, *from = source->shape;
    assert(shape->kind == from->kind && shape->cell_count == from->cell_count);
    if (shape->cell_count > CODE_MAX_CELLS) {
        coder->has_failed = true;
    } else if (shape->kind == SHAPE_CELL) {
        code_store(coder, target, code_load(coder, source), span);
    } else {
        bool is_array = shape->kind == SHAPE_ARRAY;
        uint32_t count =
            is_array ? shape->cell_count / shape->element->cell_count : shape->field_count;
        for (uint32_t i = 0, at = 0; i < count; i++) {
            const struct shape *to = is_array ? shape->element : shape->fields[i];
            struct code_place one = code_part(target, at, to);
            struct code_place other =
                code_part(source, at, is_array ? from->element : from->fields[i]);
            code_copy(coder, &one, &other, span);
            at += to->cell_count;
        }
    }
}

void code_default(struct coder *coder, const struct code_place *place, struct span span) {
    if (coder->has_failed || !place->shape) return;
    const struct shape *shape = place->shape;
    if (shape->cell_count > CODE_MAX_CELLS) {
        coder->has_failed = true;
    } else if (shape->kind == SHAPE_CELL) {
        bool has_zero = shape->lower <= 0 && shape->upper >= 0;
        code_store(coder, place, code_constant(has_zero ? 0 : shape->lower), span);
    } else {
        bool is_array = shape->kind == SHAPE_ARRAY;
        uint32_t count =
            is_array ? shape->cell_count / shape->element->cell_count : shape->field_count;
        for (uint32_t i = 0, at = 0; i < count; i++) {
            struct code_place part =
                code_part(place, at, is_array ? shape->element : shape->fields[i]);
            code_default(coder, &part, span);
            at += part.shape->cell_count;
        }
    }
}

void code_bind(struct coder *coder, const struct symbol *symbol, struct code_place place) {
    VEC_PUSH(coder->environment->arena, &coder->bindings, (struct code_binding){symbol, place});
}

const struct eval_code *eval_compile(struct environment *environment, const struct expr *expr,
                                     bool is_effect) {
    struct coder coder = {.environment = environment, .returns = NO_JUMP};
    assert(!has_fault(environment) && environment->is_fixed);
    struct code_value value = code_constant(0);
    if (is_effect)
        code_of_effect(&coder, expr);
    else
        value = code_of_value(&coder, expr);
    uint32_t reg = code_register(&coder, value);
    code_emit(&coder, (struct code_line){.op = CODE_END, .a = reg});
    if (coder.has_failed) return NULL;
    struct eval_code *code = ARENA_NEW(environment->arena, struct eval_code);
    *code = (struct eval_code){coder.code.items, coder.code.count, coder.most};
    return code;
}
