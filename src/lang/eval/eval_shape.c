/* Shapes: types with their bounds computed. */
#include "lang/eval/eval_internal.h"

#include "base/str.h"

#include <assert.h>

static const struct shape bool_shape = {
    .kind = SHAPE_CELL, .cell_count = 1, .upper = 1, .is_bool = true};
/* `int` without a range; as a constant it has all 32 bits. */
static const struct shape default_shape = {
    .kind = SHAPE_CELL, .cell_count = 1, .lower = INT16_MIN, .upper = INT16_MAX};
static const struct shape full_shape = {
    .kind = SHAPE_CELL, .cell_count = 1, .lower = INT32_MIN, .upper = INT32_MAX};
/* Channels, and doubles and strings, which are not used: a cell that nothing reads, so that they
 * have an address. */
static const struct shape idle_shape = {.kind = SHAPE_CELL, .cell_count = 1};
/* What a clock can be set to. */
static const struct shape clock_shape = {.kind = SHAPE_CELL, .cell_count = 1, .upper = INT32_MAX};

static const struct shape *refuse(struct environment *environment, struct span span) {
    eval_fault(environment, FAULT_SIZE, span);
    return NULL;
}

static struct shape *cell_shape(struct environment *environment, int32_t lower, int32_t upper) {
    assert(lower <= upper);
    struct shape *shape = ARENA_NEW(environment->arena, struct shape);
    *shape = (struct shape){.kind = SHAPE_CELL, .cell_count = 1, .lower = lower, .upper = upper};
    return shape;
}

static const struct shape *int_shape(struct environment *environment, const struct type *type) {
    if (!type->lower) return type->prefix & PREFIX_CONST ? &full_shape : &default_shape;
    int32_t lower = eval_value(environment, type->lower);
    int32_t upper = eval_value(environment, type->upper);
    if (has_fault(environment)) return NULL;
    return lower <= upper ? cell_shape(environment, lower, upper) : refuse(environment, type->span);
}

static const struct shape *scalar_shape(struct environment *environment, const struct type *type) {
    int32_t size = eval_value(environment, type->size);
    if (has_fault(environment)) return NULL;
    if (size <= 0) return refuse(environment, type->span);
    struct shape *shape = cell_shape(environment, 0, size - 1);
    shape->is_scalar = true;
    return shape;
}

static bool index_range(struct environment *environment, const struct type *type, int32_t *lower,
                        int32_t *upper) {
    if (type->index) {
        const struct shape *index = eval_shape_of(environment, type->index);
        if (!index) return false;
        assert(index->kind == SHAPE_CELL);
        *lower = index->lower;
        *upper = index->upper;
        return true;
    }
    int32_t size = eval_value(environment, type->size);
    if (has_fault(environment)) return false;
    *lower = 0;
    *upper = size - (size > INT32_MIN);
    if (size > 0) return true;
    refuse(environment, type->span);
    return false;
}

static const struct shape *array_shape(struct environment *environment, const struct type *type) {
    struct shape *shape = ARENA_NEW(environment->arena, struct shape);
    shape->kind = SHAPE_ARRAY;
    if (!index_range(environment, type, &shape->lower, &shape->upper)) return NULL;
    shape->element = eval_shape_of(environment, type->element);
    if (!shape->element) return NULL;
    int64_t count = ((int64_t)shape->upper - shape->lower + 1) * shape->element->cell_count;
    if (count > EVAL_MAX_CELLS) {
        eval_fault(environment, FAULT_STEPS, type->span);
        return NULL;
    }
    assert(count > 0);
    shape->cell_count = (uint32_t)count;
    return shape;
}

static const struct shape *struct_shape(struct environment *environment, const struct type *type) {
    struct shape *shape = ARENA_NEW(environment->arena, struct shape);
    const struct shape **fields =
        ARENA_ARRAY(environment->arena, const struct shape *, type->field_count);
    uint32_t *offsets = ARENA_ARRAY(environment->arena, uint32_t, type->field_count);
    *shape = (struct shape){.kind = SHAPE_STRUCT,
                            .fields = fields,
                            .offsets = offsets,
                            .field_count = type->field_count};
    for (uint32_t i = 0; i < type->field_count; i++) {
        fields[i] = eval_shape_of(environment, type->fields[i].type);
        if (!fields[i]) return NULL;
        offsets[i] = shape->cell_count;
        shape->cell_count += fields[i]->cell_count;
        if (shape->cell_count > EVAL_MAX_CELLS) {
            eval_fault(environment, FAULT_STEPS, type->span);
            return NULL;
        }
    }
    return shape;
}

static const struct shape *compute(struct environment *environment, const struct type *type) {
    switch (type->kind) {
    case TYPE_INT: return int_shape(environment, type);
    case TYPE_SCALAR: return scalar_shape(environment, type);
    case TYPE_STRUCT: return struct_shape(environment, type);
    case TYPE_ARRAY: return array_shape(environment, type);
    default: eval_fault(environment, FAULT_UNBOUND, type->span); return NULL;
    }
}

static uint64_t shape_key(const struct type *type, const struct binding *locals) {
    return locals ? hash_mix(map_key(type), map_key(locals)) : map_key(type);
}

static const struct shape *find_known(const struct eval_cache *cache, const struct type *type,
                                      const struct binding *locals) {
    const struct known_shape *known = map_get(&cache->shapes, shape_key(type, locals));
    while (known && (known->type != type || known->locals != locals)) known = known->next;
    return known ? known->shape : NULL;
}

static void remember(struct environment *environment, const struct type *type,
                     const struct binding *locals, const struct shape *shape) {
    struct map *shapes = &eval_cache(environment)->shapes;
    uint64_t key = shape_key(type, locals);
    struct known_shape *known = ARENA_NEW(environment->arena, struct known_shape);
    *known = (struct known_shape){type, locals, shape, map_get(shapes, key)};
    map_put(shapes, key, known);
}

/* Bounds read constants only, so a shape is computed once: for all processes, or once for each if
 * it turned out to read something of the process. */
const struct shape *eval_shape_of(struct environment *environment, const struct type *type) {
    type = type_strip(type);
    if (type->kind == TYPE_BOOL) return &bool_shape;
    if (type->kind == TYPE_CLOCK) return &clock_shape;
    if (type->kind == TYPE_CHAN || type->kind == TYPE_DOUBLE || type->kind == TYPE_STRING)
        return &idle_shape;
    if (type->kind == TYPE_INT && !type->lower) return int_shape(environment, type);
    const struct eval_cache *cache = eval_cache(environment);
    const struct shape *shape = find_known(cache, type, NULL);
    if (!shape && environment->locals) {
        shape = find_known(cache, type, environment->locals);
        if (shape) environment->uses_locals = true;
    }
    if (shape || !eval_enter(environment, type->span)) return shape;
    bool used_locals = environment->uses_locals;
    struct binding *frame = environment->frame;
    environment->uses_locals = false;
    environment->frame = NULL; /* a bound may hold quantifiers, numbered where the type stands */
    shape = compute(environment, type);
    environment->frame = frame;
    if (shape)
        remember(environment, type, environment->uses_locals ? environment->locals : NULL, shape);
    environment->uses_locals |= used_locals;
    eval_leave(environment);
    return shape;
}
