/* Expressions: arithmetic, places, quantifiers. */
#include "lang/eval/eval_internal.h"
#include "lang/eval/eval_operate.h"

#include <assert.h>

static int32_t compare(struct environment *environment, const struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    assert(expr->op == OP_EQ || expr->op == OP_NE);
    bool is_same;
    if (type_is_number(left->type)) {
        int32_t value = eval_value(environment, left);
        is_same = !has_fault(environment) && value == eval_value(environment, right);
    } else {
        struct binding one, other;
        if (!eval_locate(environment, left, &one) || !eval_locate(environment, right, &other))
            return 0;
        is_same = type_strip(left->type)->kind == TYPE_CHAN ? one.address == other.address
                                                            : eval_same(environment, &one, &other);
    }
    return is_same == (expr->op == OP_EQ);
}

bool eval_is_of_clocks(const struct expr *expr) {
    if (op_negated(expr->op) == OP_NONE) return false;
    for (int i = 0; i < 2; i++) {
        enum type_kind kind = type_strip(expr->child[i]->type)->kind;
        if (kind == TYPE_CLOCK || kind == TYPE_DIFFERENCE) return true;
    }
    return false;
}

/* The clocks of a side of a comparison; or its number. */
static void measure(struct environment *environment, const struct expr *side,
                    struct clock_comparison *comparison, uint32_t *count) {
    struct binding clock;
    enum type_kind kind = type_strip(side->type)->kind;
    if (kind == TYPE_DIFFERENCE) {
        for (int i = 0; i < 2; i++) measure(environment, side->child[i], comparison, count);
    } else if (kind != TYPE_CLOCK) {
        comparison->number = eval_value(environment, side);
    } else if (eval_locate(environment, side, &clock)) {
        assert(*count < 2);
        comparison->clocks[(*count)++] = clock.address;
    }
}

static int32_t compare_clocks(struct environment *environment, const struct expr *expr) {
    struct clock_comparison comparison = {.expr = expr, .clocks = {NO_CLOCK, NO_CLOCK}};
    uint32_t count = 0;
    for (int i = 0; i < 2 && !has_fault(environment); i++)
        measure(environment, expr->child[i], &comparison, &count);
    if (has_fault(environment)) return 0;
    if (environment->clock_holds)
        return environment->clock_holds(environment->context, &comparison);
    eval_fault(environment, FAULT_UNBOUND, expr->span);
    return 0;
}

static bool is_timing(const struct expr *expr) {
    return expr->type->kind == TYPE_TIMING || expr->type->kind == TYPE_TIMING_GUARD;
}

/* A condition on clocks or one on numbers: the numbers first, so that clocks are asked of only
 * where they count. */
static int32_t either(struct environment *environment, const struct expr *expr) {
    int32_t right = eval_value(environment, expr->child[1]);
    if (has_fault(environment)) return 0;
    return right || eval_value(environment, expr->child[0]);
}

static int32_t binary(struct environment *environment, const struct expr *expr) {
    if (eval_is_of_clocks(expr)) return compare_clocks(environment, expr);
    if (expr->op == OP_OR && is_timing(expr->child[0])) return either(environment, expr);
    if (expr->op == OP_EQ || expr->op == OP_NE) return compare(environment, expr);
    int32_t left = eval_value(environment, expr->child[0]);
    if (has_fault(environment)) return 0;
    switch (expr->op) {
    case OP_AND: return left && eval_value(environment, expr->child[1]);
    case OP_OR: return left || eval_value(environment, expr->child[1]);
    case OP_IMPLY: return !left || eval_value(environment, expr->child[1]);
    default: break;
    }
    int32_t right = eval_value(environment, expr->child[1]);
    if (has_fault(environment)) return 0;
    return eval_operate(environment, expr->op, left, right, expr->span);
}

/* -2147483648 is a minus before a literal that alone would not fit. */
static int32_t negate(struct environment *environment, const struct expr *operand) {
    assert(operand->kind != EXPR_INT || operand->value <= -(int64_t)INT32_MIN);
    if (operand->kind == EXPR_INT) return eval_fit(environment, -operand->value);
    return eval_fit(environment, -(int64_t)eval_value(environment, operand));
}

bool eval_assign(struct environment *environment, const struct binding *target,
                 const struct expr *value, struct span span) {
    if (target->shape->kind == SHAPE_CELL) {
        int32_t number = eval_value(environment, value);
        if (!has_fault(environment)) eval_store(environment, target, number, span);
    } else {
        struct binding source;
        if (eval_locate(environment, value, &source)) eval_copy(environment, target, &source, span);
    }
    return !has_fault(environment);
}

/* Assigns and gives the target and, if it is one cell, what was stored there. The target's place is
 * found first, the value is computed next, the old value is read last. */
static int32_t assign(struct environment *environment, const struct expr *expr,
                      struct binding *target) {
    if (!eval_locate(environment, expr->child[0], target)) return 0;
    if (target->shape->kind != SHAPE_CELL) {
        eval_assign(environment, target, expr->child[1], expr->span);
        return 0;
    }
    int32_t value = eval_value(environment, expr->child[1]);
    enum op op = op_of_assignment(expr->op);
    if (op != OP_NONE && !has_fault(environment)) {
        int32_t old = eval_load(environment, target->address);
        if (!has_fault(environment)) value = eval_operate(environment, op, old, value, expr->span);
    }
    return has_fault(environment) ? 0 : eval_store(environment, target, value, expr->span);
}

static int32_t step(struct environment *environment, const struct expr *expr,
                    struct binding *target) {
    if (!eval_locate(environment, expr->child[0], target)) return 0;
    assert(target->shape->kind == SHAPE_CELL && !target->shape->is_scalar);
    int32_t old = eval_load(environment, target->address);
    if (has_fault(environment)) return 0;
    bool is_up = expr->op == OP_PRE_INC || expr->op == OP_POST_INC;
    int32_t stored = eval_store(environment, target,
                                eval_fit(environment, (int64_t)old + (is_up ? 1 : -1)), expr->span);
    return expr->op == OP_PRE_INC || expr->op == OP_PRE_DEC ? stored : old;
}

static int32_t truth_at(struct environment *environment, const struct symbol *location,
                        struct span span) {
    assert(location->kind == SYMBOL_LOCATION);
    if (environment->is_at) return environment->is_at(environment->context, location);
    eval_fault(environment, FAULT_UNBOUND, span);
    return 0;
}

/* Process.location */
static int32_t member_at(struct environment *environment, const struct expr *expr) {
    struct process_view view = {NULL, 0};
    if (!eval_view(environment, expr->child[0], &view)) return 0;
    if (environment->is_process_at)
        return environment->is_process_at(environment->context, view.process, expr->symbol);
    eval_fault(environment, FAULT_UNBOUND, expr->span);
    return 0;
}

static int32_t load_place(struct environment *environment, const struct expr *expr) {
    struct binding place;
    if (!eval_locate(environment, expr, &place)) return 0;
    assert(place.shape->kind == SHAPE_CELL);
    return eval_load(environment, place.address);
}

static int32_t name(struct environment *environment, const struct expr *expr) {
    if (expr->symbol->kind == SYMBOL_LOCATION)
        return truth_at(environment, expr->symbol, expr->span);
    const struct binding *binding = eval_find(environment, expr->symbol, expr->span);
    if (!binding) return 0;
    assert(binding->shape->kind == SHAPE_CELL);
    return eval_load(environment, binding->address);
}

static int32_t cond(struct environment *environment, const struct expr *expr) {
    int32_t condition = eval_value(environment, expr->child[0]);
    if (has_fault(environment)) return 0;
    return eval_value(environment, expr->child[condition ? 1 : 2]);
}

/* Stops at the first value that decides; a sum never does. */
static int32_t quantify(struct environment *environment, const struct expr *expr) {
    const struct shape *shape = eval_shape_of(environment, expr->bound->type);
    assert(expr->op == OP_FORALL || expr->op == OP_EXISTS || expr->op == OP_SUM);
    if (!shape) return 0;
    uint32_t stack = environment->stack, address = eval_push(environment, 1);
    if (has_fault(environment)) return 0;
    struct binding before = eval_bind(environment, expr->bound, (struct binding){address, shape});
    int32_t result = expr->op == OP_FORALL;
    bool is_decided = false;
    for (int64_t i = shape->lower; i <= shape->upper && !is_decided; i++) {
        if (!eval_tick(environment, expr->span)) break;
        environment->cells[address] = (int32_t)i;
        int32_t value = eval_value(environment, expr->child[0]);
        if (has_fault(environment)) break;
        environment->stack = address + 1; /* drop results of calls in the body */
        if (expr->op == OP_SUM) {
            result = eval_fit(environment, (int64_t)result + value);
        } else if (!value == (expr->op == OP_FORALL)) {
            result = expr->op == OP_EXISTS;
            is_decided = true;
        }
    }
    eval_bind(environment, expr->bound, before);
    environment->stack = stack;
    return result;
}

static int32_t call_value(struct environment *environment, const struct expr *expr) {
    struct binding result = {0, NULL};
    if (!eval_call(environment, expr, &result) || !result.shape) return 0;
    return environment->cells[result.address];
}

static int32_t deadlock(struct environment *environment, const struct expr *expr) {
    if (environment->is_deadlocked) return environment->is_deadlocked(environment->context);
    eval_fault(environment, FAULT_UNBOUND, expr->span);
    return 0;
}

static int32_t absolute(struct environment *environment, const struct expr *expr) {
    int64_t value = eval_value(environment, expr->arguments[0]);
    return eval_fit(environment, value < 0 ? -value : value);
}

static int32_t value_of(struct environment *environment, const struct expr *expr) {
    struct binding place;
    switch (expr->kind) {
    case EXPR_INT: return eval_fit(environment, expr->value);
    case EXPR_BOOL: return (int32_t)expr->value;
    case EXPR_NAME: return name(environment, expr);
    case EXPR_UNARY:
        if (expr->op == OP_NOT) return !eval_value(environment, expr->child[0]);
        assert(expr->op == OP_NEG);
        return negate(environment, expr->child[0]);
    case EXPR_BINARY: return binary(environment, expr);
    case EXPR_ASSIGN: return assign(environment, expr, &place);
    case EXPR_STEP: return step(environment, expr, &place);
    case EXPR_COND: return cond(environment, expr);
    case EXPR_CALL: return call_value(environment, expr);
    case EXPR_INDEX: return load_place(environment, expr);
    case EXPR_FIELD:
        if (expr->symbol && expr->symbol->kind == SYMBOL_LOCATION)
            return member_at(environment, expr);
        return load_place(environment, expr);
    case EXPR_QUANTIFY: return quantify(environment, expr);
    case EXPR_BUILTIN: return absolute(environment, expr);
    case EXPR_DEADLOCK: return deadlock(environment, expr);
    default: eval_fault(environment, FAULT_UNBOUND, expr->span); return 0;
    }
}

/* 0 where there is a fault: look at the environment. */
int32_t eval_value(struct environment *environment, const struct expr *expr) {
    if (!eval_enter(environment, expr->span)) return 0;
    int32_t value = value_of(environment, expr);
    eval_leave(environment);
    return value;
}

/* Places */

static bool locate_name(struct environment *environment, const struct expr *expr,
                        struct binding *place) {
    const struct binding *binding = eval_find(environment, expr->symbol, expr->span);
    if (binding) *place = *binding;
    return binding != NULL;
}

static bool locate_element(struct environment *environment, const struct expr *expr,
                           struct binding *place) {
    struct binding array;
    if (!eval_locate(environment, expr->child[0], &array)) return false;
    assert(array.shape->kind == SHAPE_ARRAY);
    int32_t index = eval_value(environment, expr->child[1]);
    if (has_fault(environment)) return false;
    if (index < array.shape->lower || index > array.shape->upper)
        return eval_fault(environment, FAULT_INDEX, expr->span);
    *place = eval_element(&array, index);
    return true;
}

static bool locate_field(struct environment *environment, const struct expr *expr,
                         struct binding *place) {
    if (expr->symbol) { /* Process.variable */
        struct process_view view = {NULL, 0};
        if (!eval_view(environment, expr->child[0], &view)) return false;
        *place = view.locals[expr->symbol->index];
        if (!place->shape) eval_fault(environment, FAULT_UNBOUND, expr->span);
        return place->shape != NULL;
    }
    struct binding record;
    assert(type_strip(expr->child[0]->type)->kind == TYPE_STRUCT);
    if (!eval_locate(environment, expr->child[0], &record)) return false;
    *place = eval_member(&record, expr->field_index);
    return true;
}

static bool locate(struct environment *environment, const struct expr *expr,
                   struct binding *place) {
    switch (expr->kind) {
    case EXPR_NAME: return locate_name(environment, expr, place);
    case EXPR_INDEX: return locate_element(environment, expr, place);
    case EXPR_FIELD: return locate_field(environment, expr, place);
    case EXPR_ASSIGN: assign(environment, expr, place); return !has_fault(environment);
    case EXPR_STEP: step(environment, expr, place); return !has_fault(environment);
    case EXPR_CALL: return eval_call(environment, expr, place) && place->shape;
    case EXPR_COND: {
        int32_t condition = eval_value(environment, expr->child[0]);
        if (has_fault(environment)) return false;
        return eval_locate(environment, expr->child[condition ? 1 : 2], place);
    }
    default: eval_fault(environment, FAULT_UNBOUND, expr->span); return false;
    }
}

/* The place of an expression that has one; effects on the way take place. False at a fault. */
bool eval_locate(struct environment *environment, const struct expr *expr, struct binding *place) {
    *place = (struct binding){0, NULL};
    if (!eval_enter(environment, expr->span)) return false;
    bool is_fine = locate(environment, expr, place);
    eval_leave(environment);
    return is_fine;
}

/* Evaluates for the effects only; false at a fault. */
bool eval_drop(struct environment *environment, const struct expr *expr) {
    struct binding place;
    if (!eval_enter(environment, expr->span)) return false;
    if (expr->kind == EXPR_ASSIGN) {
        assign(environment, expr, &place);
    } else if (expr->kind == EXPR_CALL) {
        eval_call(environment, expr, &place);
    } else if (expr->kind == EXPR_COND) {
        int32_t condition = eval_value(environment, expr->child[0]);
        if (!has_fault(environment)) eval_drop(environment, expr->child[condition ? 1 : 2]);
    } else if (type_is_number(expr->type)) {
        eval_value(environment, expr);
    } else {
        eval_locate(environment, expr, &place);
    }
    eval_leave(environment);
    return !has_fault(environment);
}
