/* Nodes as they are, with types: what is made may be evaluated. */
#include "expr/build.h"

#include "lang/print/print.h"

#include <assert.h>

static struct expr *node(struct arena *arena, enum expr_kind kind) {
    struct expr *expr = ARENA_NEW(arena, struct expr);
    expr->kind = kind;
    return expr;
}

static const struct type int_type = {.kind = TYPE_INT}, bool_type = {.kind = TYPE_BOOL};

/* An int32, or 2147483648 to stand below a minus. */
struct expr *build_int(struct arena *arena, int64_t value) {
    assert(value >= INT32_MIN && value <= -(int64_t)INT32_MIN); /* the last below a minus */
    struct expr *expr = node(arena, EXPR_INT);
    expr->type = &int_type;
    expr->value = value;
    return expr;
}

/* true or false, of type bool. */
struct expr *build_bool(struct arena *arena, bool value) {
    struct expr *expr = node(arena, EXPR_BOOL);
    expr->type = &bool_type;
    expr->value = value;
    return expr;
}

/* Borrows the symbol, which gives type and name. */
struct expr *build_name(struct arena *arena, const struct symbol *symbol) {
    struct expr *expr = node(arena, EXPR_NAME);
    expr->name = symbol->name;
    expr->symbol = (struct symbol *)symbol;
    expr->type = symbol->type;
    return expr;
}

struct expr *build_copy(struct arena *arena, const struct expr *expr) {
    struct expr *copy = ARENA_NEW(arena, struct expr);
    *copy = *expr;
    return copy;
}

struct expr *build_binary(struct arena *arena, enum op op, const struct expr *left,
                          const struct expr *right) {
    assert(op >= OP_POW && op <= OP_XOR && left && right);
    struct expr *expr = node(arena, EXPR_BINARY);
    bool is_truth = op >= OP_LT && op != OP_BIT_AND && op != OP_BIT_XOR && op != OP_BIT_OR;
    expr->op = op;
    expr->type = is_truth ? &bool_type : &int_type;
    expr->child[0] = (struct expr *)left;
    expr->child[1] = (struct expr *)right;
    return expr;
}

/* A plain =; both sides are shared, and types fit already. */
struct expr *build_assignment(struct arena *arena, const struct expr *target,
                              const struct expr *value) {
    assert(target && value);
    struct expr *expr = ARENA_NEW(arena, struct expr);
    expr->kind = EXPR_ASSIGN;
    expr->op = OP_ASSIGN;
    expr->child[0] = (struct expr *)target;
    expr->child[1] = (struct expr *)value;
    return expr;
}

struct expr *cell_path(struct arena *arena, const struct symbol *symbol, const struct shape *shape,
                       uint32_t offset) {
    assert(offset < shape->cell_count);
    struct expr *path = build_name(arena, symbol);
    while (shape->kind != SHAPE_CELL) {
        const struct type *plain = type_strip(path->type);
        struct expr *next = ARENA_NEW(arena, struct expr);
        next->child[0] = path;
        if (shape->kind == SHAPE_ARRAY) {
            uint32_t size = shape->element->cell_count;
            next->kind = EXPR_INDEX;
            next->child[1] = build_int(arena, shape->lower + (int64_t)(offset / size));
            next->type = plain->element;
            offset %= size;
            shape = shape->element;
        } else {
            uint32_t field = shape_field(shape, offset);
            next->kind = EXPR_FIELD;
            next->name = plain->fields[field].name;
            next->field_index = field;
            next->type = plain->fields[field].type;
            offset -= shape->offsets[field];
            shape = shape->fields[field];
        }
        path = next;
    }
    assert(offset == 0);
    return path;
}

const struct type *cell_type(const struct type *type, const struct shape *shape, uint32_t offset) {
    assert(offset < shape->cell_count);
    while (shape->kind != SHAPE_CELL) {
        const struct type *plain = type_strip(type);
        if (shape->kind == SHAPE_ARRAY) {
            offset %= shape->element->cell_count;
            type = plain->element;
            shape = shape->element;
            continue;
        }
        uint32_t field = shape_field(shape, offset);
        offset -= shape->offsets[field];
        type = plain->fields[field].type;
        shape = shape->fields[field];
    }
    return type;
}

void print_local_type(struct buffer *out, const struct type *type) {
    struct type plain = *type_base(type);
    plain.prefix = 0;
    print_base_type(out, &plain);
}
