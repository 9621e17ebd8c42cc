#include "abstract/fold/timing_fold.h"

#include "abstract/facts/context.h"
#include "abstract/fold/joint.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

/* x ~ 3 with any operator but ==. */
static bool is_plain_bound(const struct expr *expr, int64_t *value) {
    return expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_GT &&
           expr_is_constant(expr->child[1], value);
}

/* Of two bounds of one clock, by one operator, the weaker one, or the stronger one; NULL if they
 * are no such bounds. */
static const struct expr *join_bounds(const struct expr *left, const struct expr *right,
                                      bool is_must) {
    int64_t a, b;
    if (!is_plain_bound(left, &a) || !is_plain_bound(right, &b) || left->op != right->op ||
        !expr_equal(left->child[0], right->child[0]))
        return NULL;
    bool is_upper = left->op == OP_LT || left->op == OP_LE;
    return (is_upper == (a > b)) != is_must ? left : right;
}

/* One conjunct for two tuples; NULL = true. */
static const struct expr *join(struct arena *arena, const struct expr *left,
                               const struct expr *right, bool is_must) {
    if (expr_is_true(left) || expr_is_false(right)) return is_must ? right : left;
    if (expr_is_true(right) || expr_is_false(left)) return is_must ? left : right;
    if (expr_equal(left, right)) return left;
    const struct expr *bound = join_bounds(left, right, is_must);
    if (bound || !is_must) return bound;
    return build_and(arena, left, right);
}

/* Whether no time is both after the lower and before the upper bound. */
static bool is_empty(const struct expr *lower, const struct expr *upper) {
    int64_t from, to;
    bool is_pair = is_plain_bound(lower, &from) && is_plain_bound(upper, &to) &&
                   (lower->op == OP_GT || lower->op == OP_GE) &&
                   (upper->op == OP_LT || upper->op == OP_LE) &&
                   expr_equal(lower->child[0], upper->child[0]);
    return is_pair && (from > to || (from == to && (lower->op == OP_GT || upper->op == OP_LT)));
}

const struct expr *timing_join(struct arena *arena, const struct expr *left,
                               const struct expr *right) {
    struct chain terms, joined;
    chain_init(&terms, arena, OP_AND);
    chain_init(&joined, arena, OP_AND);
    chain_add(&terms, left);
    chain_add(&terms, right);
    for (uint32_t i = 0; i < terms.terms.count; i++) {
        const struct expr *term = terms.terms.items[i];
        for (uint32_t k = 0; k < terms.terms.count; k++) {
            const struct expr *other = terms.terms.items[k];
            const struct expr *bound = join_bounds(term, other, true);
            if (is_empty(term, other)) return build_bool(arena, false);
            if (bound) term = bound;
        }
        chain_add(&joined, term);
    }
    return joined.expr;
}

static const struct expr *fold_conjunct(struct joint_values *joint, const struct open_edge *open,
                                        const struct expr *conjunct, bool is_must, bool *differs) {
    joint_restart(joint);
    const struct expr *first = joint_substitute(joint, open, joint->arena, conjunct);
    const struct expr *result = first;
    while (joint_next(joint)) {
        const struct expr *here = joint_substitute(joint, open, joint->arena, conjunct);
        if (expr_is_true(first) ? expr_is_true(here) : expr_equal(first, here)) continue;
        *differs = true;
        result = join(joint->arena, result, here, is_must);
    }
    return expr_is_true(result) ? NULL : result;
}

const struct expr *fold_timing(struct folder *folder, const struct open_edge *open, bool *differs) {
    bool is_must = folder->context->rules->is_universal;
    assert(!open->edge);
    if (!open->passed || !expr_has_unknown(open->passed)) return open->passed;
    struct joint_values joint = {.arena = folder->arena};
    joint_add(&joint, open);
    uint64_t count = joint_start(&joint, folder->context, open, FOLD_MAX_TUPLES);
    bool is_too_much = count > FOLD_MAX_TUPLES || open_edge_has_scalar(open);
    *differs |= is_too_much;
    if (is_too_much && is_must) return build_bool(folder->arena, false);
    const struct expr *all = NULL;
    for (uint32_t i = 0; i < open->conjuncts.count && count; i++) {
        const struct expr *passed = open->conjuncts.items[i].expr;
        if (open->conjuncts.items[i].class != CONJUNCT_PASSED || !passed) continue;
        if (expr_has_unknown(passed))
            passed = is_too_much ? NULL : fold_conjunct(&joint, open, passed, is_must, differs);
        all = build_and(folder->arena, all, passed);
    }
    return all;
}
