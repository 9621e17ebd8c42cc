/* Loads and stores. */
#include "explore/code/compile_internal.h"

#include <assert.h>

static const struct packed *field_of(const struct compiler *compiler, uint32_t slot) {
    assert(slot < compiler->network->slot_count);
    return &compiler->code->layout->fields[slot];
}

/* Cells of a local variable, each in a register of its own. */
struct lvalue register_place(struct compiler *compiler, const struct shape *shape) {
    if (!shape) return (struct lvalue){0};
    return (struct lvalue){
        .shape = shape, .is_register = true, .base = new_registers(compiler, shape->cell_count)};
}

/* Offset in cells from the place; the shape must lie inside. */
struct lvalue leaf_place(const struct lvalue *place, uint32_t offset, const struct shape *shape) {
    assert(offset + shape->cell_count <= place->shape->cell_count);
    struct lvalue leaf = *place;
    leaf.base += offset;
    leaf.shape = shape;
    return leaf;
}

/* array[index]; the index is checked. */
struct lvalue element_place(struct compiler *compiler, const struct lvalue *array,
                            struct value index, struct span span) {
    const struct shape *shape = array->shape;
    if (!shape) return *array;
    assert(shape->kind == SHAPE_ARRAY);
    uint32_t size = shape->element->cell_count;
    if (index.is_constant) {
        if (index.constant >= shape->lower && index.constant <= shape->upper)
            return leaf_place(array, (uint32_t)(index.constant - shape->lower) * size,
                              shape->element);
        emit_fault(compiler, OP_CODE_FAULT, FAULT_INDEX, 0, 0, span);
        return (struct lvalue){0};
    }
    emit_fault(compiler, OP_CODE_BOUND, index.reg, shape->lower, shape->upper, span);
    uint32_t offset = new_registers(compiler, 1);
    emit(compiler, OP_CODE_ADD_I, offset, (int32_t)index.reg, -shape->lower);
    if (size != 1) emit(compiler, OP_CODE_MULTIPLY_I, offset, (int32_t)offset, (int32_t)size);
    struct lvalue element = leaf_place(array, 0, shape->element);
    if (array->has_index) {
        emit(compiler, OP_CODE_ADD, offset, (int32_t)offset, (int32_t)array->index);
        element.step = array->step % size ? 1 : size;
    } else {
        element.first = array->base;
        element.count = shape->cell_count;
        element.step = size;
    }
    assert(element.count >= size);
    element.has_index = true;
    element.index = offset;
    return element;
}

/* Says of the last instruction which fields it may mean. */
static void note_fields(struct compiler *compiler, const struct lvalue *place) {
    struct code *code = compiler->code;
    if (compiler->is_dead || compiler->has_failed) return;
    struct instruction *at = &code->instructions.items[code->instructions.count - 1];
    uint32_t before = (place->base - place->first) / place->step * place->step;
    uint32_t rest = place->count - (place->base - place->first - before);
    struct indexed_fields some = {.first = (uint32_t)at->b - before,
                                  .count = (rest + place->step - 1) / place->step,
                                  .step = place->step};
    assert(place->base >= place->first && place->base - place->first < place->count);
    assert(some.first == compiler->network->slot_of[place->base - before]);
    const struct indexed_fields *last =
        code->indexed.count ? &code->indexed.items[code->indexed.count - 1] : NULL;
    bool is_last =
        last && last->first == some.first && last->count == some.count && last->step == some.step;
    if (!is_last && code->indexed.count == UINT16_MAX) return;
    if (!is_last) VEC_PUSH(code->arena, &code->indexed, some);
    at->indexed = (uint16_t)code->indexed.count;
}

static struct value load_dynamic(struct compiler *compiler, const struct lvalue *place) {
    assert(place->has_index && place->shape->kind == SHAPE_CELL);
    struct value value = temporary(compiler);
    uint32_t slot = place->is_register ? NO_SLOT : compiler->network->slot_of[place->base];
    enum opcode op = place->is_register ? OP_CODE_REGISTER_AT
                     : slot == NO_SLOT  ? OP_CODE_CELL_AT
                                        : OP_CODE_GET_AT;
    flush_facts(compiler);
    emit(compiler, op, value.reg, (int32_t)(op == OP_CODE_GET_AT ? slot : place->base),
         (int32_t)place->index);
    if (op == OP_CODE_GET_AT) note_fields(compiler, place);
    return value;
}

static struct value load_slot(struct compiler *compiler, uint32_t slot) {
    const struct packed *field = field_of(compiler, slot);
    if (!field->mask) return constant_value(field->lower);
    int64_t upper = field->lower + (int64_t)field->mask;
    struct value value = temporary(compiler);
    value.lower = field->lower;
    value.upper = upper < field->declared_upper ? (int32_t)upper : field->declared_upper;
    for (uint32_t i = 0; i < compiler->copies.count; i++) {
        if (compiler->copies.items[i].field != slot) continue;
        value.is_temporary = false;
        value.reg = compiler->copies.items[i].reg;
        return value;
    }
    emit(compiler, OP_CODE_GET, value.reg, (int32_t)slot, 0);
    VEC_PUSH(&compiler->scratch, &compiler->copies, (struct loaded_field){slot, value.reg});
    return value;
}

/* The value of one cell; places with an index are looked up. */
struct value load_place(struct compiler *compiler, const struct lvalue *place) {
    if (!place->shape || place->shape->kind != SHAPE_CELL) {
        if (!compiler->is_dead) compile_fail(compiler);
        return constant_value(0);
    }
    if (place->has_index) return load_dynamic(compiler, place);
    uint32_t slot = place->is_register ? NO_SLOT : compiler->network->slot_of[place->base];
    if (!place->is_register && slot == NO_SLOT)
        return constant_value(compiler->network->cells[place->base]);
    const struct fact *fact =
        find_fact(compiler, place->is_register ? place->base | REGISTER_ID : slot);
    if (fact) return constant_value(fact->value);
    if (place->is_register)
        return (struct value){
            .reg = place->base, .lower = place->shape->lower, .upper = place->shape->upper};
    return load_slot(compiler, slot);
}

static void touch(struct compiler *compiler, uint32_t slot) {
    if (field_of(compiler, slot)->is_scratch)
        VEC_PUSH(&compiler->scratch, &compiler->touched, slot);
}

/* x = x, with x unknown, is nothing. */
static bool is_same_slot(const struct compiler *compiler, uint32_t slot, struct value value) {
    for (uint32_t i = 0; i < compiler->copies.count && !value.is_constant; i++)
        if (compiler->copies.items[i].field == slot && compiler->copies.items[i].reg == value.reg)
            return true;
    return false;
}

/* x = x + c, with x unknown, as one instruction; what was read is swept if nothing else looks at
 * it. */
static bool add_to_field(struct compiler *compiler, uint32_t slot, struct value value) {
    struct code *code = compiler->code;
    uint32_t count = code->instructions.count;
    if (!value.is_temporary || count < compiler->barrier + 2) return false;
    struct instruction *add = &code->instructions.items[count - 1];
    const struct instruction *get = add - 1;
    if (get->op != OP_CODE_GET || (uint32_t)get->b != slot || add->op != OP_CODE_ADD_I ||
        add->a != value.reg || (uint32_t)add->b != get->a || field_of(compiler, slot)->is_bool)
        return false;
    *add = (struct instruction){OP_CODE_ADD_FIELD, 0, slot, add->c, 0};
    code->spans.items[count - 1] = compiler->span;
    return true;
}

static bool is_bit(struct value value) { return value.lower >= 0 && value.upper <= 1; }

/* Whether a value certainly goes into a field. */
static bool is_within(struct value value, const struct packed *field) {
    if (value.is_constant) return false; /* or it would be a fact by now */
    if (field->is_bool) return field->mask == 1;
    return value.lower >= field->declared_lower && value.upper <= field->declared_upper &&
           field_holds(field, value.lower) && field_holds(field, value.upper);
}

static struct value store_slot(struct compiler *compiler, uint32_t slot, struct value value,
                               struct span span) {
    const struct packed *field = field_of(compiler, slot);
    if (is_same_slot(compiler, slot, value)) return value;
    touch(compiler, slot);
    drop_copies(compiler, slot, NO_SLOT);
    if (value.is_constant) {
        if (field->is_bool) value.constant = value.constant != 0;
        if (value.constant >= field->declared_lower && value.constant <= field->declared_upper &&
            field_holds(field, value.constant)) {
            if (!compiler->is_dead) set_fact(compiler, slot, value.constant, true, false);
            return value;
        }
    }
    compiler->span = span;
    bool is_unused = compiler->is_unused && !compiler->is_dead && !compiler->has_failed;
    bool is_safe = is_within(value, field);
    if (!compiler->is_dead && !is_safe) compiler->unit.can_fault = true;
    if (is_unused && add_to_field(compiler, slot, value)) {
        drop_fact(compiler, slot);
        return value;
    }
    uint32_t reg = value_register(compiler, value);
    if (is_safe)
        emit(compiler, OP_CODE_SET, slot, (int32_t)reg, 0);
    else
        emit_fault(compiler, OP_CODE_SET, slot, (int32_t)reg, 0, span);
    drop_fact(compiler, slot);
    if (field->is_bool && !value.is_constant && !is_bit(value)) {
        struct value truth = temporary(compiler);
        emit(compiler, OP_CODE_TRUTH, truth.reg, (int32_t)value.reg, 0);
        return truth;
    }
    return value;
}

static struct value normalise(struct compiler *compiler, const struct shape *shape,
                              struct value value) {
    if (!shape->is_bool) return value;
    if (value.is_constant) return constant_value(value.constant != 0);
    if (is_bit(value)) return value;
    struct value truth = temporary(compiler);
    truth.lower = 0;
    truth.upper = 1;
    emit(compiler, OP_CODE_TRUTH, truth.reg, (int32_t)value.reg, 0);
    return truth;
}

static struct value store_register(struct compiler *compiler, const struct lvalue *place,
                                   struct value value, struct span span) {
    const struct shape *shape = place->shape;
    value = normalise(compiler, shape, value);
    if (value.is_constant && (value.constant < shape->lower || value.constant > shape->upper)) {
        emit_fault(compiler, OP_CODE_FAULT, FAULT_RANGE, 0, 0, span);
        return value;
    }
    if (!value.is_constant && (shape->lower > value.lower || shape->upper < value.upper))
        emit_fault(compiler, OP_CODE_RANGE, value.reg, shape->lower, shape->upper, span);
    if (place->has_index) {
        uint32_t reg = value_register(compiler, value);
        flush_facts(compiler);
        emit(compiler, OP_CODE_KEEP_AT, reg, (int32_t)place->base, (int32_t)place->index);
        drop_cells(compiler, place);
    } else if (value.is_constant) {
        if (!compiler->is_dead)
            set_fact(compiler, place->base | REGISTER_ID, value.constant, true, false);
    } else {
        drop_fact(compiler, place->base | REGISTER_ID);
        if (value.reg != place->base)
            emit(compiler, OP_CODE_MOVE, place->base, (int32_t)value.reg, 0);
    }
    return value;
}

struct lvalue value_place(struct compiler *compiler, const struct shape *shape, struct value value,
                          struct span span) {
    assert(shape->kind == SHAPE_CELL);
    struct lvalue place = {.shape = shape, .is_register = true, .base = value.reg};
    if (value.is_constant || !value.is_temporary || shape->is_bool)
        place = register_place(compiler, shape);
    else
        drop_copies(compiler, NO_SLOT, value.reg);
    store_place(compiler, &place, value, span); /* checks the range; no move to itself */
    return place;
}

static struct value store_dynamic(struct compiler *compiler, const struct lvalue *place,
                                  struct value value, struct span span) {
    uint32_t slot = compiler->network->slot_of[place->base];
    if (slot == NO_SLOT) compile_fail(compiler); /* a clock, which nothing tests */
    if (slot == NO_SLOT) return value;
    value = normalise(compiler, place->shape, value);
    uint32_t reg = value_register(compiler, value);
    flush_facts(compiler);
    emit_fault(compiler, OP_CODE_SET_AT, reg, (int32_t)slot, (int32_t)place->index, span);
    note_fields(compiler, place);
    drop_cells(compiler, place);
    for (uint32_t i = 0; i < place->count; i++) {
        uint32_t other = compiler->network->slot_of[place->first + i];
        if (other != NO_SLOT) touch(compiler, other);
    }
    return value;
}

struct value store_place(struct compiler *compiler, const struct lvalue *place, struct value value,
                         struct span span) {
    if (!place->shape || compiler->is_dead || compiler->has_failed) return value;
    assert(place->shape->kind == SHAPE_CELL);
    if (place->is_register) return store_register(compiler, place, value, span);
    if (place->has_index) return store_dynamic(compiler, place, value, span);
    uint32_t slot = compiler->network->slot_of[place->base];
    if (slot == NO_SLOT) compile_fail(compiler); /* a clock: constants are not assigned */
    if (slot == NO_SLOT) return value;
    return store_slot(compiler, slot, value, span);
}

/* Cells of structured values, in order. */

typedef void (*leaf_visitor)(struct compiler *compiler, uint32_t target, uint32_t source,
                             const struct shape *shape, const struct shape *other, void *context);

static void each_leaf(struct compiler *compiler, const struct shape *shape,
                      const struct shape *other, uint32_t target, uint32_t source,
                      leaf_visitor visit, void *context) {
    if (compiler->has_failed || compiler->is_dead) return;
    if (shape->cell_count > MAX_LOCAL) {
        compile_fail(compiler);
    } else if (shape->kind == SHAPE_CELL) {
        visit(compiler, target, source, shape, other, context);
    } else if (shape->kind == SHAPE_ARRAY) {
        for (int64_t i = 0; i <= (int64_t)shape->upper - shape->lower; i++)
            each_leaf(compiler, shape->element, other->element,
                      target + (uint32_t)i * shape->element->cell_count,
                      source + (uint32_t)i * other->element->cell_count, visit, context);
    } else {
        for (uint32_t i = 0; i < shape->field_count; i++)
            each_leaf(compiler, shape->fields[i], other->fields[i], target + shape->offsets[i],
                      source + other->offsets[i], visit, context);
    }
}

struct copied_places {
    const struct lvalue *target, *source;
    struct span span;
    struct value *result;
};

static void copy_leaf(struct compiler *compiler, uint32_t target, uint32_t source,
                      const struct shape *shape, const struct shape *other, void *context) {
    const struct copied_places *pair = context;
    struct lvalue to = leaf_place(pair->target, target, shape);
    struct lvalue from = leaf_place(pair->source, source, other);
    store_place(compiler, &to, load_place(compiler, &from), pair->span);
}

/* Cell by cell; the shapes are alike. */
void copy_place(struct compiler *compiler, const struct lvalue *target, const struct lvalue *source,
                struct span span) {
    if (!target->shape || !source->shape) return;
    assert(target->shape->cell_count == source->shape->cell_count);
    struct copied_places pair = {target, source, span, NULL};
    each_leaf(compiler, target->shape, source->shape, 0, 0, copy_leaf, &pair);
}

static void default_leaf(struct compiler *compiler, uint32_t target, uint32_t source,
                         const struct shape *shape, const struct shape *other, void *context) {
    const struct copied_places *pair = context;
    struct lvalue to = leaf_place(pair->target, target, shape);
    (void)source, (void)other;
    bool has_zero = shape->lower <= 0 && shape->upper >= 0;
    store_place(compiler, &to, constant_value(has_zero ? 0 : shape->lower), pair->span);
}

/* Cell by cell, as Uppaal initialises them. */
void default_place(struct compiler *compiler, const struct lvalue *place, struct span span) {
    if (!place->shape) return;
    struct copied_places pair = {place, place, span, NULL};
    each_leaf(compiler, place->shape, place->shape, 0, 0, default_leaf, &pair);
}

struct leaf_comparison {
    struct copied_places pair;
    struct label differs;
};

static void same_leaf(struct compiler *compiler, uint32_t target, uint32_t source,
                      const struct shape *shape, const struct shape *other, void *context) {
    struct leaf_comparison *comparison = context;
    struct lvalue one = leaf_place(comparison->pair.target, target, shape);
    struct lvalue two = leaf_place(comparison->pair.source, source, other);
    struct value left = load_place(compiler, &one), right = load_place(compiler, &two);
    if (left.is_constant && right.is_constant) {
        if (left.constant != right.constant) jump_always(compiler, &comparison->differs);
    } else {
        uint32_t a = value_register(compiler, left), b = value_register(compiler, right);
        jump(compiler, OP_CODE_JUMP_NE, (int32_t)a, (int32_t)b, &comparison->differs);
    }
}

/* Whether all cells are equal, as 0 or 1. */
struct value same_place(struct compiler *compiler, const struct lvalue *left,
                        const struct lvalue *right) {
    if (!left->shape || !right->shape) return constant_value(0);
    assert(left->shape->cell_count == right->shape->cell_count);
    struct leaf_comparison comparison = {.pair = {left, right, compiler->span, NULL}};
    struct value result = temporary(compiler);
    struct label end = {0};
    each_leaf(compiler, left->shape, right->shape, 0, 0, same_leaf, &comparison);
    if (!compiler->is_dead) {
        emit(compiler, OP_CODE_LOAD, result.reg, 1, 0);
        jump_always(compiler, &end);
    }
    if (is_jumped_to(&comparison.differs)) {
        bind_label(compiler, &comparison.differs);
        emit(compiler, OP_CODE_LOAD, result.reg, 0, 0);
    }
    bind_label(compiler, &end);
    return result;
}
