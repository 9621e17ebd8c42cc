/* Conjunctions and disjunctions (see chain.h), and what two of them have in common. */
#include "expr/chain.h"

#include "expr/build.h"
#include "expr/find.h"
#include "expr/simplify.h"

#include <assert.h>

enum {
    FEW = 64,   /* terms that are compared one by one */
    SHORT = 64, /* terms that build_and and build_or compare with what they add */
    NEAR = 8 /* disjuncts, the last ones, that build_or tries to say together with what it adds */
};

/* No terms: true for OP_AND, false for OP_OR. */
void chain_init(struct chain *chain, struct arena *arena, enum op op) {
    assert(op == OP_AND || op == OP_OR);
    *chain = (struct chain){.arena = arena, .op = op, .index.memory = memory_of_arena(arena)};
}

static bool is_link(const struct expr *expr, enum op op) {
    return expr->kind == EXPR_BINARY && expr->op == op;
}

/* Under: compares trees, and a chain of its own is never one term. */
bool chain_has(const struct chain *chain, const struct expr *term) {
    if (is_link(term, chain->op)) return false; /* would be several */
    if (chain->index.count) {
        for (struct index_probe probe = index_begin(expr_hash(term));
             index_next(&chain->index, &probe);)
            if (expr_equal(chain->terms.items[probe.number], term)) return true;
        return false;
    }
    for (uint32_t i = 0; i < chain->terms.count; i++)
        if (expr_equal(chain->terms.items[i], term)) return true;
    return false;
}

/* The values that a comparison with a constant allows: those of a run, or all but one. */
struct allowed {
    const struct expr *value, *constant;
    int64_t lower, upper;
    bool is_outside; /* all but the run, which is one value */
};

/* Not of integers: between two values there may be others (T2). */
static bool is_dense(const struct expr *expr) {
    const struct type *type = expr->type ? type_strip(expr->type) : NULL;
    return type && !type_is_number(type);
}

/* False if it is no such comparison, or none that can hold. */
static bool find_allowed(const struct expr *expr, struct allowed *allowed) {
    int64_t constant;
    if (expr->kind != EXPR_BINARY || expr->op < OP_LT || expr->op > OP_NE ||
        is_dense(expr->child[0]) || !expr_is_constant(expr->child[1], &constant))
        return false;
    *allowed = (struct allowed){.value = expr->child[0],
                                .constant = expr->child[1],
                                .lower = INT32_MIN,
                                .upper = INT32_MAX,
                                .is_outside = expr->op == OP_NE};
    if (expr->op == OP_LT || expr->op == OP_LE) {
        allowed->upper = constant - (expr->op == OP_LT);
    } else if (expr->op == OP_GT || expr->op == OP_GE) {
        allowed->lower = constant + (expr->op == OP_GT);
    } else {
        allowed->lower = allowed->upper = constant;
    }
    return allowed->lower <= allowed->upper;
}

/* Whether no value makes both true: A and !A, x < 1 and x > 2. */
static bool exclude_each_other(const struct expr *left, const struct expr *right) {
    struct allowed a, b;
    const struct expr *pair[] = {left, right};
    for (int i = 0; i < 2; i++)
        if (pair[i]->kind == EXPR_UNARY && pair[i]->op == OP_NOT &&
            expr_equal(pair[i]->child[0], pair[1 - i]))
            return true;
    if (!find_allowed(left, &a) || !find_allowed(right, &b) || !expr_equal(a.value, b.value))
        return false;
    if (a.is_outside || b.is_outside) /* the other allows nothing but the hole */
        return a.is_outside != b.is_outside && a.lower == b.lower && a.upper == b.upper;
    return a.upper < b.lower || b.upper < a.lower;
}

/* Whether a conjunct of few makes this one false. */
static bool chain_excludes(const struct chain *chain, const struct expr *term) {
    if (chain->op != OP_AND || chain->terms.count >= FEW) return false;
    for (uint32_t i = 0; i < chain->terms.count; i++)
        if (exclude_each_other(chain->terms.items[i], term)) return true;
    return false;
}

/* Notes a term; false if it was there. */
static bool note_term(struct chain *chain, const struct expr *term) {
    if (chain_has(chain, term)) return false;
    assert(!is_link(term, chain->op)); /* a term is no chain of the same kind */
    VEC_PUSH(chain->arena, &chain->terms, term);
    uint32_t count = chain->terms.count;
    for (uint32_t i = (uint32_t)chain->index.count; count >= FEW && i < count; i++)
        index_add(&chain->index, expr_hash(chain->terms.items[i]), i);
    return true;
}

static bool is_neutral(enum op op, const struct expr *expr) {
    return op == OP_AND ? expr_is_true(expr) : expr_is_false(expr);
}

/* Adds a term; joined: the chain with it, NULL if it is the first. */
static void add_term(struct chain *chain, const struct expr *term, const struct expr *joined) {
    bool is_excluded = chain_excludes(chain, term);
    if (!note_term(chain, term)) return;
    chain->expr = is_excluded ? build_bool(chain->arena, false)
                  : joined    ? simplify_node(chain->arena, joined)
                              : term;
}

/* Links that need no change are used again. */
void chain_add(struct chain *chain, const struct expr *expr) {
    if (!expr || is_neutral(chain->op, expr)) return;
    if (is_link(expr, chain->op)) {
        chain_add(chain, expr->child[0]);
        if (chain->expr != expr->child[0] || is_link(expr->child[1], chain->op))
            chain_add(chain, expr->child[1]);
        else
            add_term(chain, expr->child[1], expr);
    } else {
        add_term(chain, expr,
                 chain->expr ? build_binary(chain->arena, chain->op, chain->expr, expr) : NULL);
    }
}

static bool includes(const struct chain *all, const struct chain *some) {
    for (uint32_t i = 0; i < some->terms.count; i++)
        if (!chain_has(all, some->terms.items[i])) return false;
    return true;
}

/* How many terms there are; stops at more than the limit. */
static uint32_t count_terms(const struct expr *expr, enum op op, uint32_t limit) {
    uint32_t count = 1;
    for (; is_link(expr, op) && count <= limit; expr = expr->child[0])
        count += count_terms(expr->child[1], op, limit - count);
    return count;
}

static bool is_long(const struct expr *expr, enum op op) {
    return count_terms(expr, op, SHORT) > SHORT;
}

/* Whether the terms are simple; or whether one of them is this one. */
static bool is_flat(const struct expr *chain, enum op op) {
    for (; is_link(chain, op); chain = chain->child[0])
        if (is_link(chain->child[1], op)) return false;
    return true;
}

static bool flat_has(const struct expr *chain, enum op op, const struct expr *term) {
    for (; is_link(chain, op); chain = chain->child[0])
        if (expr_equal(chain->child[1], term)) return true;
    return expr_equal(chain, term);
}

static bool flat_excludes(const struct expr *chain, const struct expr *term) {
    for (; is_link(chain, OP_AND); chain = chain->child[0])
        if (exclude_each_other(chain->child[1], term)) return true;
    return exclude_each_other(chain, term);
}

/* Where short is added to long many times, a chain is the better way. */
static const struct expr *join(struct arena *arena, enum op op, const struct expr *left,
                               const struct expr *right) {
    if (is_long(left, op) && !is_long(right, op)) return build_binary(arena, op, left, right);
    if (!is_link(right, op) && is_flat(left, op)) {
        if (flat_has(left, op, right)) return left;
        if (op == OP_AND && flat_excludes(left, right)) return build_bool(arena, false);
        return simplify_node(arena, build_binary(arena, op, left, right));
    }
    struct chain chain;
    chain_init(&chain, arena, op);
    chain_add(&chain, left);
    chain_add(&chain, right);
    return chain.expr;
}

const struct expr *build_and(struct arena *arena, const struct expr *left,
                             const struct expr *right) {
    if (expr_is_true(left)) return expr_is_true(right) ? NULL : right;
    if (expr_is_true(right)) return left;
    if (expr_is_false(left) || expr_is_false(right)) return build_bool(arena, false);
    return join(arena, OP_AND, left, right);
}

/* Whether one disjunct holds wherever the other does not. */
static bool is_one_true(struct arena *arena, const struct expr *left, const struct expr *right) {
    return expr_equal(build_not(arena, left), right) || expr_equal(build_not(arena, right), left);
}

/* A && B || A && C is A && (B || C); A || A && B is A; B || !B is true. The common part must lead,
 * so that short circuits protect what they protected before. */
static const struct expr *factor(struct arena *arena, const struct expr *left,
                                 const struct expr *right) {
    struct chain a, b, common, rest_a, rest_b;
    struct chain *all[] = {&a, &b, &common, &rest_a, &rest_b};
    for (int i = 0; i < 5; i++) chain_init(all[i], arena, OP_AND);
    chain_add(&a, left);
    chain_add(&b, right);
    if (a.terms.count == 1) return chain_has(&b, left) ? left : NULL;
    if (includes(&b, &a)) return left;
    if (includes(&a, &b)) return right;
    for (uint32_t i = 0; i < a.terms.count; i++) {
        const struct expr *term = a.terms.items[i];
        bool is_shared = chain_has(&b, term) && (rest_a.terms.count == 0 || !expr_can_fault(term));
        chain_add(is_shared ? &common : &rest_a, term);
    }
    assert(common.terms.count + rest_a.terms.count <= a.terms.count);
    for (uint32_t i = 0; i < b.terms.count; i++)
        if (!chain_has(&common, b.terms.items[i])) chain_add(&rest_b, b.terms.items[i]);
    if (!common.expr) return NULL;
    return build_and(arena, common.expr, build_or(arena, rest_a.expr, rest_b.expr));
}

/* The constant as it stands in one of them, if it does. */
static const struct expr *constant_of(struct arena *arena, const struct allowed *a,
                                      const struct allowed *b, int64_t value) {
    int64_t own;
    if (expr_is_constant(a->constant, &own) && own == value) return a->constant;
    if (expr_is_constant(b->constant, &own) && own == value) return b->constant;
    return build_int(arena, value);
}

/* x <= 1 || x <= 2 is x <= 2, x < 1 || x == 1 is x <= 1, x < 1 || x > 0 is true; and so on where
 * one comparison says both. NULL where none does. */
static const struct expr *unite_runs(struct arena *arena, const struct expr *left,
                                     const struct expr *right) {
    struct allowed a, b;
    if (!find_allowed(left, &a) || !find_allowed(right, &b) || !expr_equal(a.value, b.value))
        return NULL;
    if (a.is_outside || b.is_outside) {
        const struct allowed *hole = a.is_outside ? &a : &b, *other = a.is_outside ? &b : &a;
        bool is_filled =
            other->is_outside != (other->lower <= hole->lower && hole->lower <= other->upper);
        return is_filled ? build_bool(arena, true) : a.is_outside ? left : right;
    }
    int64_t lower = a.lower < b.lower ? a.lower : b.lower;
    int64_t upper = a.upper > b.upper ? a.upper : b.upper;
    if (a.lower > b.upper + 1 || b.lower > a.upper + 1) return NULL; /* apart */
    if (lower == a.lower && upper == a.upper) return left;
    if (lower == b.lower && upper == b.upper) return right;
    if (lower == INT32_MIN && upper == INT32_MAX) return build_bool(arena, true);
    if (lower > INT32_MIN && upper < INT32_MAX) return NULL;
    const struct expr *run =
        lower == INT32_MIN ? build_binary(arena, OP_LE, a.value, constant_of(arena, &a, &b, upper))
                           : build_binary(arena, OP_GE, a.value, constant_of(arena, &a, &b, lower));
    return simplify_node(arena, run); /* all values of its type, perhaps */
}

/* A || B || B && C is A || B. */
static bool is_absorbed(struct arena *arena, const struct expr *left, const struct expr *right) {
    struct chain conjuncts;
    chain_init(&conjuncts, arena, OP_AND);
    chain_add(&conjuncts, right);
    for (; is_link(left, OP_OR); left = left->child[0])
        if (chain_has(&conjuncts, left->child[1])) return true;
    return chain_has(&conjuncts, left);
}

/* Two disjunctions said as one that is shorter than both; NULL if there is none. */
static const struct expr *unite(struct arena *arena, const struct expr *left,
                                const struct expr *right) {
    if (expr_equal(left, right)) return left;
    if (is_one_true(arena, left, right) && !expr_can_fault(left)) return build_bool(arena, true);
    const struct expr *run = unite_runs(arena, left, right);
    if (run) return expr_is_true(run) && expr_can_fault(left) ? NULL : run;
    if (is_absorbed(arena, left, right)) return left;
    return factor(arena, left, right);
}

/* A || B && C || D || B && E is A || B && (C || E) || D. What changes places may not fail. */
static const struct expr *unite_near(struct arena *arena, const struct expr *left,
                                     const struct expr *right) {
    const struct expr *rest[NEAR], *head = left, *united = NULL;
    uint32_t count = 0;
    if (!is_link(left, OP_OR) || count_terms(left, OP_OR, NEAR) > NEAR) return NULL;
    while (head && !united) {
        const struct expr *term = is_link(head, OP_OR) ? head->child[1] : head;
        head = term == head ? NULL : head->child[0];
        united = unite(arena, term, right);
        if (!united && (expr_can_fault(right) || expr_can_fault(term))) return NULL;
        assert(count < NEAR);
        rest[count++] = term;
    }
    if (!united) return NULL;
    count--; /* what is united itself */
    if (head) united = build_or(arena, head, united);
    while (united && count) united = join(arena, OP_OR, united, rest[--count]);
    return united ? united : build_bool(arena, true);
}

/* NULL stands for true; joins tests of the same expression where that is shorter. */
const struct expr *build_or(struct arena *arena, const struct expr *left,
                            const struct expr *right) {
    if (expr_is_true(left) || expr_is_true(right)) return NULL;
    if (expr_is_false(left)) return right;
    if (expr_is_false(right)) return left;
    if (is_long(left, OP_OR)) return join(arena, OP_OR, left, right);
    const struct expr *united = unite(arena, left, right);
    if (!united) united = unite_near(arena, left, right);
    if (united) return expr_is_true(united) ? NULL : united;
    return join(arena, OP_OR, left, right);
}
