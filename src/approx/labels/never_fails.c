#include "approx/labels/never_fails.h"

#include "expr/find.h"
#include "symmetry/fail.h"

#include <assert.h>

static bool index_fits(const struct hull *hull, const struct expr *expr) {
    struct hull_cells array;
    struct interval index;
    return hull_place(hull, expr->child[0], &array) && array.first.shape->kind == SHAPE_ARRAY &&
           hull_of(hull, expr->child[1], &index) && index.lower >= array.first.shape->lower &&
           index.upper <= array.first.shape->upper;
}

static bool operator_fits(const struct hull *hull, const struct expr *expr) {
    struct interval right;
    switch (expr->op) {
    case OP_DIV:
    case OP_MOD:
        return hull_of(hull, expr->child[1], &right) && (right.lower > 0 || right.upper < 0);
    case OP_SHL:
    case OP_SHR:
        return hull_of(hull, expr->child[1], &right) && right.lower >= 0 && right.upper <= 31;
    case OP_POW: return false;
    default: return true;
    }
}

/* That what is written fits the cell. */
static bool target_takes(const struct hull *hull, const struct expr *target, enum op op,
                         struct interval value) {
    struct hull_cells place;
    struct interval before;
    assert(value.lower <= value.upper);
    if (!hull_place(hull, target, &place) || place.first.shape->kind != SHAPE_CELL) return false;
    const struct shape *shape = place.first.shape;
    if (shape->is_bool) return true;
    if (op != OP_NONE && (!hull_read(hull, &place, &before) ||
                          !interval_operate(op, before, value, &value) || !interval_fits(value)))
        return false;
    return value.lower >= shape->lower && value.upper <= shape->upper;
}

static bool operation_may_fail(enum op op) {
    return op == OP_DIV || op == OP_MOD || op == OP_SHL || op == OP_SHR || op == OP_POW;
}

static bool assignment_fits(const struct hull *hull, const struct expr *expr) {
    enum op op = op_of_assignment(expr->op);
    struct interval value;
    const struct type *type = type_strip(expr->child[0]->type);
    if (type && type->kind == TYPE_BOOL && op == OP_NONE) return true;
    return !operation_may_fail(op) && hull_of(hull, expr->child[1], &value) &&
           target_takes(hull, expr->child[0], op, value);
}

static bool step_fits(const struct hull *hull, const struct expr *expr) {
    bool is_up = expr->op == OP_PRE_INC || expr->op == OP_POST_INC;
    const struct interval one = {1, 1};
    return target_takes(hull, expr->child[0], is_up ? OP_ADD : OP_SUB, one);
}

static bool node_fits(const struct hull *hull, const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_ASSIGN: return assignment_fits(hull, expr);
    case EXPR_STEP: return step_fits(hull, expr);
    case EXPR_INDEX: return index_fits(hull, expr);
    case EXPR_BINARY: return operator_fits(hull, expr);
    case EXPR_CALL: return false;
    default: return true;
    }
}

bool never_fails(const struct hull *hull, const struct expr *expr) {
    if (!expr || !expr_can_fault(expr)) return true;
    if (expr->kind == EXPR_QUANTIFY) return expr_cannot_fail(expr); /* hulls know no bound names */
    /* Values of an item are those before it: nothing in it may change them and be read again. */
    bool is_change = expr_assigns(expr);
    if (is_change && (expr_has_effect(expr->child[0]) || expr_has_effect(expr->child[1])))
        return false;
    if (!is_change && expr_has_effect(expr)) return false;
    if (!node_fits(hull, expr)) return false;
    for (int i = 0; i < 3; i++)
        if (!never_fails(hull, expr->child[i])) return false;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (!never_fails(hull, expr->arguments[i])) return false;
    return true;
}

bool only_range_may_fail(const struct hull *hull, const struct expr *expr) {
    struct hull_cells place;
    bool is_plain = expr->kind == EXPR_STEP ||
                    (expr->kind == EXPR_ASSIGN && !operation_may_fail(op_of_assignment(expr->op)));
    if (!is_plain || !hull_place(hull, expr->child[0], &place) ||
        place.first.shape->kind != SHAPE_CELL)
        return false;
    for (int i = 0; i < 3; i++)
        if (expr->child[i] &&
            (expr_has_effect(expr->child[i]) || !never_fails(hull, expr->child[i])))
            return false;
    return true;
}
