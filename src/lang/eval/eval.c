/* The environment: stack, bindings, faults, and the public functions. */
#include "base/debug.h"
#include "lang/eval/eval_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CELLS = 256, FIRST_LOOSE = 16 };

const char *fault_name(enum fault_kind kind) {
    switch (kind) {
    case FAULT_NONE: return "no error";
    case FAULT_RANGE: return "range violation";
    case FAULT_INDEX: return "index out of bounds";
    case FAULT_DIVISION: return "division by zero";
    case FAULT_SHIFT: return "invalid shift count";
    case FAULT_POWER: return "negative exponent";
    case FAULT_ASSERT: return "failed assertion";
    case FAULT_SIZE: return "a range is reversed or a size is not positive";
    case FAULT_COUNT: return "too many or too few values";
    case FAULT_STEPS: return "too long, too deep or too large a computation";
    case FAULT_PROCESS: return "there is no such process";
    case FAULT_UNBOUND: return "use of a value that is not known here";
    case FAULT_STOPPED: return "stopped evaluation";
    }
    return "error";
}

/* The first fault of an evaluation counts. */
bool eval_fault(struct environment *environment, enum fault_kind kind, struct span span) {
    assert(kind != FAULT_NONE);
    if (!has_fault(environment)) environment->fault = (struct fault){kind, span};
    return false;
}

/* Made when it is asked for first. */
struct eval_cache *eval_cache(struct environment *environment) {
    if (!environment->cache) {
        environment->cache = ARENA_NEW(environment->arena, struct eval_cache);
        map_init(&environment->cache->shapes, environment->arena);
    }
    return environment->cache;
}

/* Frees the cells, which values of the environment point into. */
void eval_close(struct environment *environment) {
    free(environment->cells);
    environment->cells = NULL;
    environment->capacity = environment->stack = 0;
}

bool eval_tick(struct environment *environment, struct span span) {
    if (++environment->steps > EVAL_MAX_STEPS) eval_fault(environment, FAULT_STEPS, span);
    if (environment->steps % EVAL_POLL == 0 && environment->goes_on &&
        !environment->goes_on(environment->context))
        eval_fault(environment, FAULT_STOPPED, span);
    return !has_fault(environment);
}

/* Bindings */

const struct binding *eval_find(struct environment *environment, const struct symbol *symbol,
                                struct span span) {
    const struct binding *table = NULL;
    switch (symbol->scope) {
    case SCOPE_GLOBAL: table = environment->globals; break;
    case SCOPE_TEMPLATE:
        table = environment->locals;
        environment->uses_locals = true;
        break;
    case SCOPE_FRAME:
        table = environment->frame;
        if (!table && environment->cache && symbol->index < environment->cache->loose_count)
            table = environment->cache->loose;
        break;
    }
    if (table && table[symbol->index].shape) return &table[symbol->index];
    eval_fault(environment, FAULT_UNBOUND, span);
    return NULL;
}

static struct binding *loose_binding(struct environment *environment, uint32_t index) {
    struct eval_cache *cache = eval_cache(environment);
    if (index >= cache->loose_count) {
        uint32_t count = cache->loose_count ? cache->loose_count : FIRST_LOOSE;
        while (count <= index) count *= 2;
        struct binding *fresh = ARENA_ARRAY(environment->arena, struct binding, count);
        if (cache->loose_count) memcpy(fresh, cache->loose, cache->loose_count * sizeof *fresh);
        cache->loose = fresh;
        cache->loose_count = count;
    }
    return &cache->loose[index];
}

struct binding eval_bind(struct environment *environment, const struct symbol *symbol,
                         struct binding binding) {
    assert(symbol->scope == SCOPE_FRAME);
    struct binding *slot = environment->frame ? &environment->frame[symbol->index]
                                              : loose_binding(environment, symbol->index);
    struct binding before = *slot;
    *slot = binding;
    return before;
}

/* Cells */

uint32_t eval_push(struct environment *environment, uint32_t size) {
    uint32_t address = environment->stack;
    if (size > EVAL_MAX_CELLS || address > EVAL_MAX_CELLS - size) {
        eval_fault(environment, FAULT_STEPS, (struct span){0, 0});
        return address;
    }
    uint32_t need = address + size;
    if (need > environment->capacity || !environment->cells) {
        uint32_t capacity = environment->capacity ? environment->capacity : FIRST_CELLS;
        while (capacity < need) capacity *= 2;
        environment->cells = heap_resize(environment->cells, capacity, sizeof(int32_t));
        environment->capacity = capacity;
    }
    if (size) memset(environment->cells + address, 0, size * sizeof(int32_t));
    environment->stack = need;
    return address;
}

int32_t eval_store(struct environment *environment, const struct binding *cell, int32_t value,
                   struct span span) {
    const struct shape *shape = cell->shape;
    assert(shape->kind == SHAPE_CELL);
    if (has_fault(environment)) return 0;
    if (shape->is_bool) value = value != 0;
    if (value < shape->lower || value > shape->upper) {
        eval_fault(environment, FAULT_RANGE, span);
        return 0;
    }
    if (environment->write && cell->address < environment->tracked_count &&
        !environment->write(environment->context, cell->address, value)) {
        eval_fault(environment, FAULT_STOPPED, span);
        return 0;
    }
    DEBUG_CHECK(assert(cell->address < environment->stack));
    environment->cells[cell->address] = value;
    return value;
}

/* The index must be in the range of the array. */
struct binding eval_element(const struct binding *array, int64_t index) {
    const struct shape *shape = array->shape;
    assert(shape->kind == SHAPE_ARRAY && index >= shape->lower && index <= shape->upper);
    uint32_t offset = (uint32_t)(index - shape->lower) * shape->element->cell_count;
    return (struct binding){array->address + offset, shape->element};
}

/* By number of the field, in the order of the declaration. */
struct binding eval_member(const struct binding *record, uint32_t field) {
    const struct shape *shape = record->shape;
    assert(shape->kind == SHAPE_STRUCT && field < shape->field_count);
    return (struct binding){record->address + shape->offsets[field], shape->fields[field]};
}

/* Cell by cell, with range checks; false at a fault. */
bool eval_copy(struct environment *environment, const struct binding *target,
               const struct binding *source, struct span span) {
    const struct shape *shape = target->shape;
    assert(shape->kind == source->shape->kind && shape->cell_count == source->shape->cell_count);
    if (shape->kind == SHAPE_CELL) {
        eval_store(environment, target, eval_load(environment, source->address), span);
    } else if (shape->kind == SHAPE_ARRAY) {
        struct binding to = {target->address, shape->element};
        struct binding from = {source->address, source->shape->element};
        for (int64_t i = shape->lower; i <= shape->upper && !has_fault(environment); i++) {
            eval_copy(environment, &to, &from, span);
            to.address += to.shape->cell_count;
            from.address += from.shape->cell_count;
        }
    } else {
        for (uint32_t i = 0; i < shape->field_count && !has_fault(environment); i++) {
            struct binding to = eval_member(target, i), from = eval_member(source, i);
            eval_copy(environment, &to, &from, span);
        }
    }
    return !has_fault(environment);
}

/* Whether all cells are equal; false at a fault, too. */
bool eval_same(struct environment *environment, const struct binding *left,
               const struct binding *right) {
    assert(left->shape->cell_count == right->shape->cell_count);
    for (uint32_t i = 0; i < left->shape->cell_count && !has_fault(environment); i++) {
        int32_t value = eval_load(environment, left->address + i);
        if (has_fault(environment) || value != eval_load(environment, right->address + i))
            return false;
    }
    return !has_fault(environment);
}

bool eval_default(struct environment *environment, const struct binding *place, struct span span) {
    const struct shape *shape = place->shape;
    if (shape->kind == SHAPE_CELL) {
        bool has_zero = shape->lower <= 0 && shape->upper >= 0;
        eval_store(environment, place, has_zero ? 0 : shape->lower, span);
    } else if (shape->kind == SHAPE_ARRAY) {
        for (int64_t i = shape->lower; i <= shape->upper && !has_fault(environment); i++) {
            struct binding element = eval_element(place, i);
            eval_default(environment, &element, span);
        }
    } else {
        for (uint32_t i = 0; i < shape->field_count && !has_fault(environment); i++) {
            struct binding member = eval_member(place, i);
            eval_default(environment, &member, span);
        }
    }
    return !has_fault(environment);
}

/* Entries: each evaluation starts with fresh counters and leaves the stack as it was. */

static uint32_t begin(struct environment *environment) {
    environment->steps = environment->depth = 0;
    return environment->stack;
}

static bool end(struct environment *environment, uint32_t stack) {
    assert(environment->stack >= stack && !environment->depth);
    environment->stack = stack;
    return !has_fault(environment);
}

int32_t eval_int(struct environment *environment, const struct expr *expr) {
    if (has_fault(environment)) return 0;
    uint32_t stack = begin(environment);
    int32_t value = environment->is_fixed ? eval_again(environment, expr, false)
                                          : eval_value(environment, expr);
    return end(environment, stack) ? value : 0;
}

bool eval_effect(struct environment *environment, const struct expr *expr) {
    if (has_fault(environment)) return false;
    uint32_t stack = begin(environment);
    if (environment->is_fixed)
        eval_again(environment, expr, true);
    else
        eval_drop(environment, expr);
    return end(environment, stack);
}

bool eval_into(struct environment *environment, const struct expr *expr,
               const struct binding *target) {
    if (has_fault(environment)) return false;
    uint32_t stack = begin(environment);
    eval_assign(environment, target, expr, expr->span);
    return end(environment, stack);
}

bool eval_lvalue(struct environment *environment, const struct expr *expr, struct binding *place) {
    if (has_fault(environment)) return false;
    uint32_t stack = begin(environment);
    eval_locate(environment, expr, place);
    return end(environment, stack);
}

bool eval_channel(struct environment *environment, const struct expr *expr, uint32_t *address) {
    assert(type_strip(expr->type)->kind == TYPE_CHAN);
    struct binding place = {0, NULL};
    bool is_fine = eval_lvalue(environment, expr, &place);
    *address = place.address;
    return is_fine;
}

bool eval_initialise(struct environment *environment, const struct symbol *symbol,
                     const struct binding *binding) {
    assert(binding->shape);
    if (has_fault(environment)) return false;
    uint32_t stack = begin(environment);
    struct binding *frame = environment->frame;
    if (symbol->scope != SCOPE_FRAME) environment->frame = NULL;
    eval_initial(environment, symbol, binding);
    environment->frame = frame;
    return end(environment, stack);
}

const struct shape *eval_shape(struct environment *environment, const struct type *type) {
    if (has_fault(environment)) return NULL;
    uint32_t stack = begin(environment);
    const struct shape *shape = eval_shape_of(environment, type);
    return end(environment, stack) ? shape : NULL;
}

bool eval_binds_place(const struct symbol *parameter, const struct expr *argument) {
    if (!parameter->is_reference) return false;
    if (!symbol_is_const(parameter)) return true;
    const struct expr *root = argument;
    while (root->kind == EXPR_INDEX || (root->kind == EXPR_FIELD && !root->symbol))
        root = root->child[0];
    if (root->kind != EXPR_NAME && root->kind != EXPR_FIELD) return false;
    const struct symbol *symbol = root->symbol;
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return false;
    return symbol->is_reference || !symbol_is_const(symbol) || !type_is_number(argument->type);
}

bool clock_holds_at_first(void *context, const struct clock_comparison *comparison) {
    const struct expr *expr = comparison->expr;
    (void)context;
    bool is_number_first = type_is_number(expr->child[0]->type);
    int32_t left = is_number_first ? comparison->number : 0;
    int32_t right = is_number_first ? 0 : comparison->number;
    switch (expr->op) {
    case OP_LT: return left < right;
    case OP_LE: return left <= right;
    case OP_GE: return left >= right;
    case OP_GT: return left > right;
    case OP_NE: return left != right;
    default: assert(expr->op == OP_EQ); return left == right;
    }
}

const struct shape *eval_shape_in(struct environment *environment, const struct binding *locals,
                                  const struct type *type) {
    environment->locals = locals;
    environment->frame = NULL;
    environment->fault = (struct fault){0};
    const struct shape *shape = eval_shape(environment, type);
    environment->fault = (struct fault){0};
    return shape;
}

uint32_t shape_field(const struct shape *shape, uint32_t offset) {
    uint32_t field = shape->field_count - 1;
    while (shape->offsets[field] > offset) field--;
    return field;
}

const struct shape *shape_cell(const struct shape *shape, uint32_t offset) {
    assert(offset < shape->cell_count);
    while (shape->kind != SHAPE_CELL) {
        if (shape->kind == SHAPE_ARRAY) {
            offset %= shape->element->cell_count;
            shape = shape->element;
        } else {
            uint32_t field = shape_field(shape, offset);
            offset -= shape->offsets[field];
            shape = shape->fields[field];
        }
    }
    return shape;
}
