#include "approx/labels/narrow.h"

#include "approx/labels/hull.h"

#include <assert.h>

enum { MAX_ROUNDS = 3, MAX_DEPTH = 64 };

static bool require(const struct hull *hull, const struct expr *expr, struct interval wanted);
static bool assume(const struct hull *hull, const struct expr *expr, bool truth);

/* Cells */

static struct narrowed *find_cell(struct narrowing *narrowing, uint32_t address) {
    for (uint32_t i = 0; i < narrowing->count; i++)
        if (narrowing->cells[i].address == address) return &narrowing->cells[i];
    return NULL;
}

/* Rule A5: a cell whose values are listed or between two ends, not those of a relation (A3). */
static bool require_cell(struct label_run *run, uint32_t address, struct interval wanted) {
    struct narrowing *narrowing = &run->narrowing;
    struct narrowed *cell = find_cell(narrowing, address);
    if (!cell) {
        const struct value_set *set = label_run_domain(run, address).set;
        if (!set || narrowing->count == NARROW_MAX_CELLS) return true;
        cell = &narrowing->cells[narrowing->count++];
        *cell = (struct narrowed){address, set->lower, set->upper};
    }
    assert(narrowing->count <= NARROW_MAX_CELLS);
    if (wanted.lower > cell->lower) cell->lower = (int32_t)wanted.lower;
    if (wanted.upper < cell->upper) cell->upper = (int32_t)wanted.upper;
    return cell->lower <= cell->upper;
}

/* Rule A5: what the hull of an expression leaves of an interval; false if nothing. */
static bool meet(struct interval left, struct interval right, struct interval *result) {
    result->lower = left.lower > right.lower ? left.lower : right.lower;
    result->upper = left.upper < right.upper ? left.upper : right.upper;
    return result->lower <= result->upper;
}

/* Values */

static struct interval minus(struct interval left, struct interval right) {
    return (struct interval){left.lower - right.upper, left.upper - right.lower};
}

static int64_t divide_down(int64_t value, int64_t by) {
    assert(by > 0);
    return value / by - (value % by < 0);
}

/* Rule A5: the values whose multiple lies within an interval. */
static struct interval divided(struct interval product, int64_t factor) {
    assert(factor > 0 && product.lower <= product.upper);
    return (struct interval){-divide_down(-product.lower, factor),
                             divide_down(product.upper, factor)};
}

/* Rule A5: the operands of a sum, difference or multiple that has a value between two. */
static bool require_operands(const struct hull *hull, const struct expr *expr,
                             struct interval wanted) {
    const struct expr *a = expr->child[0], *b = expr->child[1];
    struct interval left, right;
    if (!hull_of(hull, a, &left) || !hull_of(hull, b, &right)) return true;
    switch (expr->op) {
    case OP_ADD:
        return require(hull, a, minus(wanted, right)) && require(hull, b, minus(wanted, left));
    case OP_SUB:
        return require(hull, a,
                       (struct interval){wanted.lower + right.lower, wanted.upper + right.upper}) &&
               require(hull, b, minus(left, wanted));
    case OP_MUL:
        if (right.lower == right.upper && right.lower > 0)
            return require(hull, a, divided(wanted, right.lower));
        if (left.lower == left.upper && left.lower > 0)
            return require(hull, b, divided(wanted, left.lower));
        return true;
    default: return true;
    }
}

/* Rule A5: false if the expression has no value between two. */
static bool require(const struct hull *hull, const struct expr *expr, struct interval wanted) {
    struct interval known;
    struct hull_cells place;
    if (!hull_of(hull, expr, &known)) return true;
    assert(known.lower <= known.upper);
    if (!meet(known, wanted, &wanted)) return false;
    switch (expr->kind) {
    case EXPR_NAME:
    case EXPR_INDEX:
    case EXPR_FIELD:
        if (!hull_place(hull, expr, &place) || place.count > 1) return true;
        return require_cell(hull->run, hull_address(&place, 0), wanted);
    case EXPR_UNARY:
        return expr->op != OP_NEG ||
               require(hull, expr->child[0], (struct interval){-wanted.upper, -wanted.lower});
    case EXPR_BINARY: return require_operands(hull, expr, wanted);
    default: return true;
    }
}

/* Conditions */

/* Rule A5: a value that is not the given one, as far as an interval can say so. */
static bool require_other(const struct hull *hull, const struct expr *expr, int64_t value) {
    struct interval known;
    if (!hull_of(hull, expr, &known)) return true;
    if (known.lower == value) known.lower++;
    if (known.upper == value) known.upper--;
    return known.lower <= known.upper && require(hull, expr, known);
}

static bool assume_less(const struct hull *hull, const struct expr *left, const struct expr *right,
                        int64_t distance) {
    struct interval a, b;
    if (!hull_of(hull, left, &a) || !hull_of(hull, right, &b)) return true;
    return require(hull, left, (struct interval){INT32_MIN, b.upper - distance}) &&
           require(hull, right, (struct interval){a.lower + distance, INT32_MAX});
}

static bool assume_equal(const struct hull *hull, const struct expr *left, const struct expr *right,
                         bool truth) {
    struct interval a, b;
    if (!hull_of(hull, left, &a) || !hull_of(hull, right, &b)) return true;
    if (truth) return require(hull, left, b) && require(hull, right, a);
    if (b.lower == b.upper && !require_other(hull, left, b.lower)) return false;
    return a.lower != a.upper || require_other(hull, right, a.lower);
}

/* Rule A5: one of two conditions holds; what either leaves is possible. */
static bool assume_either(const struct hull *hull, const struct expr *left, bool left_truth,
                          const struct expr *right, bool right_truth) {
    struct narrowing *now = &hull->run->narrowing;
    if (now->depth == MAX_DEPTH) return true;
    now->depth++;
    struct narrowing before = *now;
    bool is_left = assume(hull, left, left_truth);
    struct narrowing one = *now;
    *now = before;
    bool is_right = assume(hull, right, right_truth);
    now->depth = one.depth = before.depth - 1;
    if (!is_right) *now = one;
    if (!is_left || !is_right) return is_left || is_right;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < now->count; i++) {
        struct narrowed cell = now->cells[i];
        const struct narrowed *other = find_cell(&one, cell.address);
        if (!other) continue;
        if (other->lower < cell.lower) cell.lower = other->lower;
        if (other->upper > cell.upper) cell.upper = other->upper;
        now->cells[kept++] = cell;
    }
    assert(kept <= one.count && now->depth == before.depth - 1);
    now->count = kept;
    return true;
}

static bool assume_binary(const struct hull *hull, const struct expr *expr, bool truth) {
    const struct expr *a = expr->child[0], *b = expr->child[1];
    switch (expr->op) {
    case OP_AND:
        return truth ? assume(hull, a, true) && assume(hull, b, true)
                     : assume_either(hull, a, false, b, false);
    case OP_OR:
        return truth ? assume_either(hull, a, true, b, true)
                     : assume(hull, a, false) && assume(hull, b, false);
    case OP_IMPLY:
        return truth ? assume_either(hull, a, false, b, true)
                     : assume(hull, a, true) && assume(hull, b, false);
    case OP_LT: return truth ? assume_less(hull, a, b, 1) : assume_less(hull, b, a, 0);
    case OP_LE: return truth ? assume_less(hull, a, b, 0) : assume_less(hull, b, a, 1);
    case OP_GT: return truth ? assume_less(hull, b, a, 1) : assume_less(hull, a, b, 0);
    case OP_GE: return truth ? assume_less(hull, b, a, 0) : assume_less(hull, a, b, 1);
    case OP_EQ: return assume_equal(hull, a, b, truth);
    case OP_NE: return assume_equal(hull, a, b, !truth);
    default: return true;
    }
}

/* Rule A5: false if the condition is certainly not as assumed. */
static bool assume(const struct hull *hull, const struct expr *expr, bool truth) {
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) return assume(hull, expr->child[0], !truth);
    if (expr->kind == EXPR_BINARY) return assume_binary(hull, expr, truth);
    if (!truth) return require(hull, expr, (struct interval){0, 0});
    return require_other(hull, expr, 0);
}

/* The sets of all cells */

/* Rule A5: what lies between two ends; false if none of the listed values does. */
static bool cut(struct value_set *set, int32_t lower, int32_t upper) {
    assert(lower <= upper && lower >= set->lower && upper <= set->upper);
    set->lower = lower;
    set->upper = upper;
    if (set->is_interval) return true;
    uint32_t first = 0, end = set->count;
    while (first < end && set->values[first] < lower) first++;
    while (first < end && set->values[end - 1] > upper) end--;
    if (first == end) return false;
    set->values += first;
    set->count = set->capacity = end - first;
    set->lower = set->values[0];
    set->upper = set->values[set->count - 1];
    return true;
}

static bool is_same(const struct narrowing *left, const struct narrowing *right) {
    if (left->count != right->count) return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (left->cells[i].lower != right->cells[i].lower ||
            left->cells[i].upper != right->cells[i].upper)
            return false;
    return true;
}

bool narrow_by_guard(struct label_run *run, const struct leg *leg, uint32_t number) {
    struct hull hull = {.run = run, .leg = leg, .number = number};
    struct narrowing before;
    narrow_nothing(run);
    label_run_begin(run);
    if (!leg->guard || leg->plan->ignores_guard) return true;
    for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
        before = run->narrowing;
        if (!assume(&hull, leg->guard, true)) return false;
        if (is_same(&before, &run->narrowing)) break;
    }
    for (uint32_t i = 0; i < run->narrowing.count; i++) {
        const struct narrowed *cell = &run->narrowing.cells[i];
        assert(cell->lower <= cell->upper);
        run->narrowed[i] = *label_run_domain(run, cell->address).set;
        if (!cut(&run->narrowed[i], cell->lower, cell->upper)) return false;
    }
    return true;
}

void narrow_nothing(struct label_run *run) { run->narrowing.count = run->narrowing.depth = 0; }
