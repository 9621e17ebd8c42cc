/* What update items past the budget may write, as intervals (A5). */
#include "approx/labels/coarse.h"

#include "approx/labels/hull.h"
#include "lang/syntax/walk.h"
#include "values/interval.h"

#include <assert.h>

/* Items */

static bool note_effect(void *context, const struct expr *expr) {
    uint32_t *count = context;
    *count += expr->kind == EXPR_ASSIGN || expr->kind == EXPR_STEP || expr->kind == EXPR_CALL;
    return true;
}

/* Rule A5: where an assignment writes, and what; false for any other item. */
static bool assignment_of(const struct hull *hull, const struct expr *expr,
                          struct hull_cells *place, struct interval *value) {
    uint32_t effects = 0;
    struct interval old, operand = {1, 1};
    if (expr->kind != EXPR_ASSIGN && expr->kind != EXPR_STEP) return false;
    walk_expr(expr, note_effect, &effects);
    if (effects != 1 || !hull_place(hull, expr->child[0], place) ||
        place->first.shape->kind != SHAPE_CELL)
        return false;
    enum op op = expr->op == OP_PRE_INC || expr->op == OP_POST_INC ? OP_ADD : OP_SUB;
    if (expr->kind == EXPR_ASSIGN) {
        op = op_of_assignment(expr->op);
        if (!hull_of(hull, expr->child[1], &operand)) return false;
    }
    *value = operand;
    if (op != OP_NONE &&
        (!hull_read(hull, place, &old) || !interval_operate(op, old, operand, value)))
        return false;
    return interval_fits(*value);
}

struct found_listener {
    coarse_found found;
    void *context;
};

/* Rule A5: the declared range. */
static void found_any(struct label_run *run, uint32_t slot, void *context) {
    const struct found_listener *listener = context;
    const struct slot *of = &run->network->slots[slot];
    listener->found(run, slot, of->lower, of->upper, listener->context);
}

/* Rule A5: what the declared range leaves of the value; the rest is an error, and no step. */
static void found_value(struct label_run *run, uint32_t address, struct interval value,
                        const struct found_listener *listener) {
    uint32_t slot = run->network->slot_of[address];
    if (slot == NO_SLOT || !run->analysis->is_tracked[slot]) return;
    const struct slot *of = &run->network->slots[slot];
    if (of->is_bool)
        value = (struct interval){value.lower > 0 || value.upper < 0, value.lower || value.upper};
    if (value.lower < of->lower) value.lower = of->lower;
    if (value.upper > of->upper) value.upper = of->upper;
    if (value.lower <= value.upper)
        listener->found(run, slot, (int32_t)value.lower, (int32_t)value.upper, listener->context);
}

void coarse_writes(struct label_run *run, const struct leg *leg, coarse_found found,
                   void *context) {
    struct found_listener listener = {found, context};
    assert(leg->plan->is_relaxed);
    for (uint32_t i = leg->plan->item_limit; i < leg->edge->updates.count; i++) {
        struct hull hull = {.run = run, .leg = leg, .item = i};
        struct hull_cells place;
        struct interval value;
        if (!leg->plan->is_relevant[i]) continue;
        if (!assignment_of(&hull, leg->edge->updates.items[i], &place, &value)) {
            label_run_item_writes(run, leg, i, found_any, &listener);
            continue;
        }
        for (uint32_t k = 0; k < place.count; k++)
            found_value(run, hull_address(&place, k), value, &listener);
    }
}
