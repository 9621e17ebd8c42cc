/* See known_place.h. */
#include "abstract/emit/known_place.h"

#include "expr/find.h"
#include "lang/syntax/walk.h"

#include <assert.h>

/* Locations, where an expression has a truth value. */
struct placing {
    const struct expr *process;
    const struct template *template;
    struct arena *arena;
};

static void narrow(const struct placing *placing, const struct expr *expr, bool is_true,
                   bool *places);

static bool is_unknown_to(const void *context, const struct expr *expr) {
    return expr->kind == EXPR_NAME && !expr_mentions(context, expr->symbol);
}

/* Two quantifiers may bind the same name, which then means different processes. */
static bool is_same_process(const struct expr *left, const struct expr *right) {
    return expr_equal(left, right) && !expr_any(left, is_unknown_to, right);
}

/* Where one of two can be so. */
static void narrow_to_either(const struct placing *placing, const struct expr *left, bool is_left,
                             const struct expr *right, bool is_right, bool *places) {
    uint32_t count = placing->template->location_count;
    bool *others = ARENA_ARRAY(placing->arena, bool, count + 1);
    memcpy(others, places, count * sizeof *others);
    narrow(placing, left, is_left, places);
    narrow(placing, right, is_right, others);
    for (uint32_t l = 0; l < count; l++) places[l] |= others[l];
}

static void narrow_by_operator(const struct placing *placing, const struct expr *expr, bool is_true,
                               bool *places) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    bool is_implication = expr->op == OP_IMPLY;
    bool is_left = is_implication ? !is_true : is_true;
    if (expr->op == OP_AND ? is_true : !is_true) { /* both have to be so */
        narrow(placing, left, is_left, places);
        narrow(placing, right, is_true, places);
    } else {
        narrow_to_either(placing, left, is_left, right, is_true, places);
    }
}

static void narrow(const struct placing *placing, const struct expr *expr, bool is_true,
                   bool *places) {
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) {
        narrow(placing, expr->child[0], !is_true, places);
    } else if (expr->kind == EXPR_BINARY &&
               (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLY)) {
        narrow_by_operator(placing, expr, is_true, places);
    } else if (expr->kind == EXPR_FIELD && expr->symbol && expr->symbol->kind == SYMBOL_LOCATION &&
               is_same_process(expr->child[0], placing->process)) {
        for (uint32_t l = 0; l < placing->template->location_count; l++)
            places[l] &= (placing->template->locations[l].symbol == expr->symbol) == is_true;
    }
}

bool *known_places(const struct known_truth *assumptions, const struct expr *process,
                   const struct template *template, struct arena *arena) {
    struct placing placing = {process, template, arena};
    bool *places = ARENA_ARRAY(arena, bool, template->location_count + 1);
    for (uint32_t l = 0; l < template->location_count; l++) places[l] = true;
    for (; assumptions; assumptions = assumptions->outer)
        narrow(&placing, assumptions->expr, assumptions->is_true, places);
    return places;
}

bool is_of_same_state(const struct expr *expr) {
    return expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY || expr->kind == EXPR_COND ||
           expr->kind == EXPR_QUANTIFY || expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD ||
           expr->kind == EXPR_BUILTIN;
}

bool assumption_of_child(const struct expr *expr, int child, struct known_truth *assumption) {
    assert(child >= 0 && child < 3);
    bool is_choice = expr->kind == EXPR_COND && child > 0;
    bool is_second = expr->kind == EXPR_BINARY && child == 1 &&
                     (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLY);
    if (!is_choice && !is_second) return false;
    assumption->expr = expr->child[0];
    assumption->is_true = is_choice ? child == 1 : expr->op != OP_OR;
    return true;
}
