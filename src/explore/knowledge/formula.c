#include "explore/knowledge/formula.h"

#include "expr/build.h"
#include "expr/substitute.h"
#include "lang/syntax/kinds.h"

#include <assert.h>

#define NO_NODE UINT32_MAX

static uint32_t add(struct formulas *formulas, enum formula_kind kind, uint32_t left,
                    uint32_t right, const struct expr *expr) {
    if (left == NO_NODE || right == NO_NODE) return NO_NODE;
    if (formulas->nodes.count >= FORMULA_MAX_NODES) {
        formulas->is_too_large = true;
        return NO_NODE;
    }
    assert(!left || left < formulas->nodes.count);
    assert(!right || right < formulas->nodes.count);
    struct formula node = {.kind = kind, .left = left, .right = right, .expr = expr};
    VEC_PUSH(formulas->arena, &formulas->nodes, node);
    return formulas->nodes.count - 1;
}

static uint32_t negate(struct formulas *formulas, uint32_t node, const struct expr *expr) {
    return add(formulas, FORMULA_NOT, node, 0, expr);
}

static uint32_t fail(struct formulas *formulas, const struct expr *expr, const char *problem) {
    if (!formulas->problem) {
        formulas->problem = problem;
        formulas->span = expr->span;
    }
    return NO_NODE;
}

static uint32_t make(struct formulas *formulas, const struct expr *expr);

/* AX p = not EX not p; A[] p = not E<> not p; A<> p = not E[] not p. */
static uint32_t make_path(struct formulas *formulas, const struct expr *expr) {
    static const enum formula_kind kinds[OP_COUNT] = {
        [OP_AX] = FORMULA_EX, [OP_EX] = FORMULA_EX, [OP_AG] = FORMULA_EF,
        [OP_EF] = FORMULA_EF, [OP_AF] = FORMULA_EG, [OP_EG] = FORMULA_EG};
    bool is_all = expr->op == OP_AX || expr->op == OP_AG || expr->op == OP_AF;
    assert(kinds[expr->op] != FORMULA_ATOM);
    uint32_t node = make(formulas, expr->child[0]);
    if (is_all) node = negate(formulas, node, expr->child[0]);
    node = add(formulas, kinds[expr->op], node, 0, expr);
    return is_all ? negate(formulas, node, expr) : node;
}

/* p until q on some run. */
static uint32_t some_until(struct formulas *formulas, uint32_t p, uint32_t q,
                           const struct expr *expr) {
    return add(formulas, FORMULA_EU, p, q, expr);
}

/* p until q, or p for ever, on some run. */
static uint32_t some_weak(struct formulas *formulas, uint32_t p, uint32_t q,
                          const struct expr *expr) {
    return add(formulas, FORMULA_OR, some_until(formulas, p, q, expr),
               add(formulas, FORMULA_EG, p, 0, expr), expr);
}

/* On all runs by what no run has: p W q fails where not q lasts until neither holds, p U q also
 * where not q lasts for ever; p R q is q W (p and q). */
static uint32_t make_until(struct formulas *formulas, const struct expr *expr) {
    uint32_t p = make(formulas, expr->child[0]), q = make(formulas, expr->child[1]);
    if (p == NO_NODE || q == NO_NODE) return NO_NODE;
    if (expr->op == OP_AR || expr->op == OP_ER) {
        uint32_t both = add(formulas, FORMULA_AND, p, q, expr);
        p = q;
        q = both;
    }
    switch (expr->op) {
    case OP_EU: return some_until(formulas, p, q, expr);
    case OP_EW:
    case OP_ER: return some_weak(formulas, p, q, expr);
    default: break;
    }
    uint32_t not_q = negate(formulas, q, expr), not_p = negate(formulas, p, expr);
    uint32_t neither = add(formulas, FORMULA_AND, not_p, not_q, expr);
    uint32_t fails = expr->op == OP_AU ? some_weak(formulas, not_q, neither, expr)
                                       : some_until(formulas, not_q, neither, expr);
    return negate(formulas, fails, expr);
}

static uint32_t make_knowledge(struct formulas *formulas, const struct expr *expr) {
    static const enum formula_kind kinds[OP_COUNT] = {[OP_K] = FORMULA_KNOWS,
                                                      [OP_GK] = FORMULA_KNOWS,
                                                      [OP_KW] = FORMULA_KNOWS_WHAT,
                                                      [OP_GCK] = FORMULA_COMMON,
                                                      [OP_DK] = FORMULA_DISTRIBUTED};
    struct agent_list agents = {0};
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        const char *problem = agents_add(formulas->agents, expr->arguments[i], &agents);
        if (problem) return fail(formulas, expr->arguments[i], problem);
    }
    assert(kinds[expr->op] != FORMULA_ATOM);
    bool is_single = expr->op == OP_K || expr->op == OP_KW;
    if (is_single && agents.list.count != 1)
        return fail(formulas, expr->arguments[0],
                    "K and Kw are about one agent; write GK, GCK or DK for what several know");
    bool has_part = expr->op != OP_KW;
    uint32_t part = has_part ? make(formulas, expr->child[0]) : 0;
    uint32_t node = add(formulas, kinds[expr->op], part, 0, has_part ? expr : expr->child[0]);
    if (node != NO_NODE) formulas->nodes.items[node].agents = agents;
    return node;
}

/* <<A>> f: the coalition has a strategy for f. [[A]] f: it cannot prevent f, which is not <<A>> not
 * f. */
static uint32_t make_able(struct formulas *formulas, const struct expr *expr) {
    bool is_dual = expr->modes & MODE_DUAL, is_pair = expr->kind == EXPR_ABLE_UNTIL;
    enum op goal = expr->op;
    struct agent_list agents = {0};
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        const char *problem = agents_add(formulas->agents, expr->arguments[i], &agents);
        if (problem) return fail(formulas, expr->arguments[i], problem);
    }
    uint32_t left = make(formulas, expr->child[0]);
    uint32_t right = is_pair ? make(formulas, expr->child[1]) : 0;
    if (is_dual) {
        static const enum op duals[OP_COUNT] = {
            [OP_ABLE_X] = OP_ABLE_X, [OP_ABLE_F] = OP_ABLE_G, [OP_ABLE_G] = OP_ABLE_F,
            [OP_ABLE_U] = OP_ABLE_R, [OP_ABLE_R] = OP_ABLE_U, [OP_ABLE_W] = OP_ABLE_U};
        left = negate(formulas, left, expr);
        if (is_pair) right = negate(formulas, right, expr);
        if (goal == OP_ABLE_W) { /* not q until neither */
            uint32_t not_q = right;
            right = add(formulas, FORMULA_AND, left, right, expr);
            left = not_q;
        }
        goal = duals[goal];
    }
    uint32_t node = add(formulas, FORMULA_ABLE, left, right, expr);
    if (node == NO_NODE) return NO_NODE;
    formulas->nodes.items[node].agents = agents;
    formulas->nodes.items[node].goal = goal;
    formulas->nodes.items[node].modes = expr->modes & ~(uint32_t)MODE_DUAL;
    return is_dual ? negate(formulas, node, expr) : node;
}

/* Balanced, so that no recursion over the nodes is deep. */
static uint32_t join(struct formulas *formulas, enum formula_kind kind, const uint32_t *parts,
                     uint32_t count, const struct expr *expr) {
    assert(count);
    if (count == 1) return parts[0];
    uint32_t half = count / 2;
    uint32_t left = join(formulas, kind, parts, half, expr);
    return add(formulas, kind, left, join(formulas, kind, parts + half, count - half, expr), expr);
}

static uint32_t make_quantified(struct formulas *formulas, const struct expr *expr) {
    int32_t lower, upper;
    struct arena *arena = formulas->arena;
    if (!agents_range(formulas->agents, expr->bound->type, &lower, &upper))
        return fail(formulas, expr,
                    "around operators forall and exists need a range of numbers that is constant");
    uint32_t count = 0;
    if ((int64_t)upper - lower >= FORMULA_MAX_NODES) formulas->is_too_large = true;
    if (formulas->is_too_large) return NO_NODE;
    uint32_t *parts = ARENA_ARRAY(arena, uint32_t, (size_t)(upper - lower) + 1);
    for (int64_t value = lower; value <= upper; value++) {
        struct expr *number = build_int(arena, value);
        number->span = expr->span;
        parts[count] = make(formulas, expr_substitute(arena, expr->child[0], expr->bound, number));
        if (parts[count++] == NO_NODE) return NO_NODE;
    }
    return join(formulas, expr->op == OP_FORALL ? FORMULA_AND : FORMULA_OR, parts, count, expr);
}

static uint32_t make_binary(struct formulas *formulas, const struct expr *expr) {
    uint32_t left = make(formulas, expr->child[0]);
    if (expr->op == OP_IMPLY) left = negate(formulas, left, expr->child[0]);
    uint32_t right = make(formulas, expr->child[1]);
    return add(formulas, expr->op == OP_AND ? FORMULA_AND : FORMULA_OR, left, right, expr);
}

/* Each expression becomes a few nodes; the depth of expressions is bounded by the parser. */
static uint32_t make(struct formulas *formulas, const struct expr *expr) {
    if (formulas->is_too_large || formulas->problem) return NO_NODE;
    if (!expr_is_modal(expr)) return add(formulas, FORMULA_ATOM, 0, 0, expr);
    switch (expr->kind) {
    case EXPR_PATH: return make_path(formulas, expr);
    case EXPR_UNTIL: return make_until(formulas, expr);
    case EXPR_KNOW: return make_knowledge(formulas, expr);
    case EXPR_ABLE:
    case EXPR_ABLE_UNTIL: return make_able(formulas, expr);
    case EXPR_QUANTIFY: return make_quantified(formulas, expr);
    case EXPR_UNARY: return negate(formulas, make(formulas, expr->child[0]), expr);
    case EXPR_BINARY: return make_binary(formulas, expr);
    default: assert(0 && "the checker lets operators over states stand nowhere else");
    }
    return NO_NODE;
}

/* Whether a part must know the steps: one over runs that is not the whole, seen from outside. */
static void find_steps(struct formulas *formulas) {
    struct formula *nodes = formulas->nodes.items;
    nodes[formulas->nodes.count - 1].is_outside = true;
    for (uint32_t i = formulas->nodes.count; i-- > 0;) {
        const struct formula *node = &nodes[i];
        bool is_passed_on =
            node->kind == FORMULA_NOT || node->kind == FORMULA_AND || node->kind == FORMULA_OR;
        if (is_passed_on && node->is_outside) nodes[node->left].is_outside = true;
        if (is_passed_on && node->is_outside && node->kind != FORMULA_NOT)
            nodes[node->right].is_outside = true;
        formulas->needs_steps |= (node->kind == FORMULA_EF && !node->is_outside) ||
                                 node->kind == FORMULA_EX || node->kind == FORMULA_EU ||
                                 node->kind == FORMULA_EG ||
                                 (node->kind == FORMULA_ATOM && expr_is_beyond_state(node->expr));
    }
}

bool formulas_make(struct formulas *formulas, struct arena *arena, struct agents *agents,
                   const struct expr *expr) {
    *formulas = (struct formulas){.arena = arena, .agents = agents};
    if (make(formulas, expr) == NO_NODE) {
        assert(formulas->problem || formulas->is_too_large);
        return false;
    }
    find_steps(formulas);
    return true;
}

bool formula_is_of_states(const struct formulas *formulas, uint32_t node) {
    const struct formula *formula = &formulas->nodes.items[node];
    switch (formula->kind) {
    case FORMULA_ATOM: return true;
    case FORMULA_NOT: return formula_is_of_states(formulas, formula->left);
    case FORMULA_AND:
    case FORMULA_OR:
        return formula_is_of_states(formulas, formula->left) &&
               formula_is_of_states(formulas, formula->right);
    default: return false;
    }
}

const struct formula *formula_able(const struct formulas *formulas) {
    const struct formula *node = &formulas->nodes.items[formulas->nodes.count - 1];
    while (node->kind == FORMULA_NOT) node = &formulas->nodes.items[node->left];
    return node->kind == FORMULA_ABLE ? node : NULL;
}
