/* Clocks: what may be said of them, and where (T1).
 *
 * A condition on clocks is a conjunction of comparisons `x ~ n`, `x - y ~ n` and `x ~ y`, each
 * perhaps after a condition on numbers, as in `b || x <= 3`, or for all values of a variable: so
 * for given numbers it is convex. Queries may combine comparisons as they like. */
#include "lang/check/check_internal.h"

#include <assert.h>

static const struct type type_difference = {.kind = TYPE_DIFFERENCE};
static const struct type type_timing = {.kind = TYPE_TIMING};
static const struct type type_timing_guard = {.kind = TYPE_TIMING_GUARD};

bool type_is_timing(const struct type *type) {
    enum type_kind kind = type_kind(type);
    return kind == TYPE_TIMING || kind == TYPE_TIMING_GUARD;
}

bool type_is_of_clocks(const struct type *type) {
    enum type_kind kind = type_kind(type);
    return kind == TYPE_CLOCK || kind == TYPE_DIFFERENCE || type_is_timing(type);
}

static const struct type *fail(struct checker *checker, enum status status, const struct expr *expr,
                               const char *message) {
    check_fail(checker, status, expr->span, "%s", message);
    return checker->model->error_type;
}

/* The clock at the bottom of one side of a comparison. */
static const struct symbol *clock_of(const struct expr *expr) {
    while (expr->kind != EXPR_NAME && !(expr->kind == EXPR_FIELD && expr->symbol))
        expr = expr->child[0];
    return expr->symbol;
}

void check_note_set(struct checker *checker, const struct expr *clock) {
    const struct symbol *symbol = clock_of(clock);
    map_put(&checker->set_clocks, map_key(symbol), (void *)symbol);
}

/* A query asks of a clock: only where guards or invariants do, time goes on at all. */
static bool may_ask(struct checker *checker, const struct expr *expr, const struct symbol *clock) {
    assert(checker->query);
    if (checker->model->timed_by) return true;
    return check_fail(checker, STATUS_UNSUPPORTED, expr->span,
                      "this query is about clock '%s', but no guard or invariant tests a clock; "
                      "queries about time are not supported for such models",
                      clock->name);
}

void check_clock_query(struct checker *checker, const struct expr *expr) {
    may_ask(checker, expr, clock_of(expr));
}

static bool is_measure(const struct type *type) {
    return type_kind(type) == TYPE_CLOCK || type_kind(type) == TYPE_DIFFERENCE;
}

static const struct type *check_comparison(struct checker *checker, struct expr *expr) {
    const struct expr *left = expr->child[0], *right = expr->child[1];
    bool are_clocks = type_kind(left->type) == TYPE_CLOCK && type_kind(right->type) == TYPE_CLOCK;
    bool is_with_number = (is_measure(left->type) && type_kind(right->type) == TYPE_INT) ||
                          (is_measure(right->type) && type_kind(left->type) == TYPE_INT);
    if (type_kind(left->type) == TYPE_BOOL || type_kind(right->type) == TYPE_BOOL)
        return fail(checker, STATUS_UNSUPPORTED, expr,
                    "comparing a clock with a bool is not supported; compare it with 'b ? 1 : 0'");
    if (!are_clocks && !is_with_number)
        return fail(checker, STATUS_INVALID, expr,
                    "a clock, or the difference of two, is compared with an int or a clock only");
    const struct expr *side = is_measure(left->type) ? left : right;
    if (checker->query)
        return may_ask(checker, expr, clock_of(side)) ? checker->model->bool_type
                                                      : checker->model->error_type;
    if (expr->op == OP_NE)
        return fail(checker, STATUS_INVALID, expr,
                    "'!=' on clocks cannot stand in a guard or invariant; Uppaal takes <, <=, ==, "
                    ">= and > there");
    if (!checker->model->timed_by && !checker->unused) {
        checker->model->timed_by = clock_of(side);
        checker->model->timed_at = expr->span;
    }
    return expr->op == OP_EQ ? &type_timing_guard : &type_timing;
}

/* Of a condition on clocks and one on numbers, or, if it may be, another on clocks. */
static const struct type *check_connective(struct checker *checker, struct expr *expr) {
    const struct type *left = expr->child[0]->type, *right = expr->child[1]->type;
    bool is_left = type_is_timing(left), is_right = type_is_timing(right);
    if ((!is_left && !type_is_integral(left)) || (!is_right && !type_is_integral(right)))
        return fail(checker, STATUS_INVALID, expr,
                    "conditions are needed here; compare the clock with a number");
    if (expr->op != OP_AND && is_left && is_right)
        return fail(checker, STATUS_INVALID, expr,
                    "a disjunction of conditions on clocks is no guard or invariant; write an "
                    "edge for each");
    if (expr->op == OP_IMPLY && is_left)
        return fail(checker, STATUS_INVALID, expr,
                    "a condition on clocks before 'imply' is no guard or invariant; turn the "
                    "comparison round");
    bool is_guard = type_kind(left) == TYPE_TIMING_GUARD || type_kind(right) == TYPE_TIMING_GUARD;
    return is_guard ? &type_timing_guard : &type_timing;
}

const struct type *check_clock_operation(struct checker *checker, struct expr *expr) {
    assert(expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY);
    const struct type *left = expr->child[0]->type;
    const struct type *right = expr->child[1] ? expr->child[1]->type : NULL;
    switch (expr->op) {
    case OP_LT:
    case OP_LE:
    case OP_GE:
    case OP_GT:
    case OP_EQ:
    case OP_NE: return check_comparison(checker, expr);
    case OP_AND:
    case OP_OR:
    case OP_IMPLY: return check_connective(checker, expr);
    case OP_SUB:
        if (type_kind(left) == TYPE_CLOCK && type_kind(right) == TYPE_CLOCK)
            return &type_difference;
        break;
    case OP_ADD:
    case OP_MUL:
    case OP_DIV:
    case OP_POW:
    case OP_MIN:
    case OP_MAX: break;
    default:
        return fail(checker, STATUS_INVALID, expr,
                    "this is no guard or invariant: clocks can be subtracted from each other and "
                    "compared, nothing else");
    }
    return fail(checker, STATUS_UNSUPPORTED, expr,
                "arithmetic with a clock and a number is not supported; move the number to the "
                "other side of the comparison");
}

const struct type *check_clock_quantify(struct checker *checker, struct expr *expr) {
    assert(expr->kind == EXPR_QUANTIFY);
    if (expr->op != OP_FORALL || !type_is_timing(expr->child[0]->type))
        return fail(checker, expr->op == OP_SUM ? STATUS_UNSUPPORTED : STATUS_INVALID, expr,
                    "of quantifiers, only 'forall' takes a condition on clocks");
    if (!check_pure(checker, expr->child[0], "the body of a quantifier"))
        return checker->model->error_type;
    return expr->child[0]->type;
}

bool check_label_condition(struct checker *checker, struct expr *expr, bool is_invariant) {
    const char *what = is_invariant ? "an invariant" : "a guard";
    const struct type *type = check_expr(checker, expr);
    if (!type_is_timing(type)) return check_condition(checker, expr, what);
    if (is_invariant && type_kind(type) == TYPE_TIMING_GUARD) {
        fail(checker, STATUS_INVALID, expr,
             "'==' on clocks cannot stand in an invariant; write <= and >=");
        return false;
    }
    return check_pure(checker, expr, what);
}

void check_clock_guard(struct checker *checker, const struct edge *edge) {
    bool is_urgent = type_prefixes(edge->sync->type) & PREFIX_URGENT;
    if (is_urgent && type_is_timing(edge->written_guard->type))
        fail(checker, STATUS_UNSUPPORTED, edge->written_guard,
             "a condition on clocks cannot guard an edge on an urgent channel");
}

void check_clock(struct checker *checker, struct symbol *symbol) {
    if (checker->function)
        check_fail(checker, STATUS_UNSUPPORTED, symbol->span,
                   "'%s' is a clock; clocks that are local to functions are not supported",
                   symbol->name);
    else if (symbol->initialiser)
        check_fail(checker, STATUS_UNSUPPORTED, symbol->span,
                   "clock '%s' has an initial value, which is not supported; every clock begins "
                   "at 0",
                   symbol->name);
    else
        VEC_PUSH(checker->arena, &checker->unread, symbol);
}

void check_clock_parameter(struct checker *checker, struct symbol *parameter) {
    if (type_base_kind(parameter->type) != TYPE_CLOCK || parameter->is_reference) return;
    check_fail(checker, STATUS_UNSUPPORTED, parameter->span,
               "parameter '%s' is a clock; clocks are passed by reference only, so declare it "
               "with '&'",
               parameter->name);
    parameter->type = checker->model->error_type;
}
