/* Terms, shared where they are equal, and what is left of them. */
#include "explore/symbolic/term.h"
#include "lang/eval/eval_operate.h"
#include "values/interval.h"

#include <assert.h>

enum { STEPS = 1 << 14, MAX_SUMMANDS = 1 << 8 };

static uint64_t hash_term(const struct term *term) {
    uint64_t hash = index_mix((uint64_t)term->kind, (uint32_t)term->a);
    hash = index_mix(hash, (uint64_t)term->b << 32 | term->c);
    for (uint32_t i = 0; i < term->summand_count; i++)
        hash = index_mix(hash, (uint64_t)term->summands[i].term << 32 |
                                   (uint32_t)term->summands[i].factor);
    return hash;
}

static bool is_same(const struct term *x, const struct term *y) {
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->summand_count == y->summand_count &&
           (!x->summand_count ||
            !memcmp(x->summands, y->summands, x->summand_count * sizeof *x->summands));
}

/* The term with this content. */
static uint32_t share(struct terms *terms, const struct term *content) {
    assert(content->lower <= content->upper);
    uint64_t hash = hash_term(content);
    for (struct index_probe probe = index_begin(hash); index_next(&terms->index, &probe);)
        if (is_same(term_at(terms, probe.number), content)) return probe.number;
    if (terms->items.count >= TERMS_MAX) terms->has_failed = true;
    if (terms->has_failed) return 0;
    struct term term = *content;
    if (term.summand_count) {
        term.summands = ARENA_ARRAY(terms->arena, struct summand, term.summand_count);
        memcpy(term.summands, content->summands, term.summand_count * sizeof *term.summands);
    }
    index_add(&terms->index, hash, terms->items.count);
    VEC_PUSH(terms->arena, &terms->items, term);
    return terms->items.count - 1;
}

static uint32_t first_of(const struct terms *terms, uint32_t x, uint32_t y) {
    uint32_t a = term_at(terms, x)->first, b = term_at(terms, y)->first;
    return a < b ? a : b;
}

static bool is_constant(const struct terms *terms, uint32_t term) {
    return term_at(terms, term)->kind == TERM_CONSTANT;
}

/* Equal constants are one term. */
uint32_t term_constant(struct terms *terms, int32_t value) {
    return share(
        terms,
        &(struct term){
            .kind = TERM_CONSTANT, .a = value, .first = NO_LEVEL, .lower = value, .upper = value});
}

/* A value that cannot be computed; each fault is a term of its own. */
uint32_t term_fault(struct terms *terms, struct fault fault) {
    VEC_PUSH(terms->arena, &terms->faults, fault);
    return share(terms, &(struct term){.kind = TERM_FAULT,
                                       .a = (int32_t)terms->faults.count - 1,
                                       .first = NO_LEVEL});
}

/* The value of a level, from 0 to mask. */
uint32_t term_level(struct terms *terms, uint32_t level, uint32_t mask) {
    assert(mask <= INT32_MAX);
    return share(terms, &(struct term){.kind = TERM_LEVEL,
                                       .a = (int32_t)level,
                                       .first = level,
                                       .upper = (int32_t)mask});
}

/* Sums */

struct sum {
    int64_t constant, lower, upper;
    struct summand items[MAX_SUMMANDS];
    uint32_t count, first;
    bool has_failed;
};

static bool is_narrow(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

static void add_summand(struct terms *terms, struct sum *sum, uint32_t term, int64_t factor) {
    uint32_t at = sum->count;
    while (at > 0 && sum->items[at - 1].term > term) at--;
    if (at > 0 && sum->items[at - 1].term == term) {
        factor += sum->items[--at].factor;
        memmove(&sum->items[at], &sum->items[at + 1], (--sum->count - at) * sizeof *sum->items);
    }
    if (!factor) return;
    sum->has_failed |= !is_narrow(factor) || sum->count == MAX_SUMMANDS;
    if (sum->has_failed) return;
    memmove(&sum->items[at + 1], &sum->items[at], (sum->count++ - at) * sizeof *sum->items);
    assert(at == 0 || sum->items[at - 1].term < term);
    sum->items[at] = (struct summand){(int32_t)factor, term};
    (void)terms;
}

static void add_term(struct terms *terms, struct sum *sum, uint32_t index, int64_t factor) {
    const struct term *term = term_at(terms, index);
    sum->has_failed |= !is_narrow(factor);
    if (sum->has_failed || !factor) return;
    if (term->kind == TERM_CONSTANT || term->kind == TERM_SUM) sum->constant += term->a * factor;
    for (uint32_t i = 0; i < term->summand_count; i++)
        add_summand(terms, sum, term->summands[i].term, term->summands[i].factor * factor);
    if (term->kind != TERM_CONSTANT && term->kind != TERM_SUM)
        add_summand(terms, sum, index, factor);
    sum->has_failed |= term->kind == TERM_FAULT || !is_narrow(sum->constant);
}

/* Bounds of the whole; every partial sum has to stay within 32 bits too, as it does if all that go
 * down do together, and all that go up. */
static void measure(const struct terms *terms, struct sum *sum) {
    sum->lower = sum->upper = sum->constant;
    sum->first = NO_LEVEL;
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct term *term = term_at(terms, sum->items[i].term);
        int64_t factor = sum->items[i].factor;
        sum->lower += factor * (factor > 0 ? term->lower : term->upper);
        sum->upper += factor * (factor > 0 ? term->upper : term->lower);
        if (term->first < sum->first) sum->first = term->first;
        sum->has_failed |= !is_narrow(sum->lower) || !is_narrow(sum->upper);
    }
}

static uint32_t share_sum(struct terms *terms, struct sum *sum) {
    measure(terms, sum);
    terms->has_failed |= sum->has_failed;
    if (terms->has_failed) return 0;
    if (!sum->count) return term_constant(terms, (int32_t)sum->constant);
    if (sum->count == 1 && sum->items[0].factor == 1 && !sum->constant) return sum->items[0].term;
    return share(terms, &(struct term){.kind = TERM_SUM,
                                       .a = (int32_t)sum->constant,
                                       .first = sum->first,
                                       .lower = (int32_t)sum->lower,
                                       .upper = (int32_t)sum->upper,
                                       .summands = sum->items,
                                       .summand_count = sum->count});
}

uint32_t term_add(struct terms *terms, uint32_t x, int64_t factor, uint32_t y, int64_t other,
                  int64_t constant) {
    struct sum sum;
    sum.count = 0;
    sum.constant = constant;
    sum.has_failed = false;
    add_term(terms, &sum, x, factor);
    add_term(terms, &sum, y, other);
    return share_sum(terms, &sum);
}

/* Comparisons */

static uint32_t negate(struct terms *terms, uint32_t truth) {
    return term_if(terms, truth, term_constant(terms, 0), term_constant(terms, 1));
}

/* Whether a term is at most, or exactly, a number: a known part of a sum goes into the number. */
static uint32_t bound(struct terms *terms, enum term_kind kind, uint32_t index, int64_t limit) {
    assert(kind == TERM_AT_MOST || kind == TERM_EQUAL);
    struct term term = *term_at(terms, index);
    if (terms->has_failed) return 0;
    bool is_at_most = kind == TERM_AT_MOST;
    bool never = is_at_most ? term.lower > limit : term.lower > limit || term.upper < limit;
    bool always = is_at_most ? term.upper <= limit : term.lower == limit && term.upper == limit;
    if (never || always) return term_constant(terms, always);
    if (term.kind == TERM_SUM && term.a) {
        index = term_add(terms, index, 1, index, 0, -(int64_t)term.a);
        limit -= term.a;
        terms->has_failed |= !is_narrow(limit);
    }
    return share(
        terms, &(struct term){
                   .kind = kind, .a = (int32_t)limit, .b = index, .first = term.first, .upper = 1});
}

/* 0 or 1, for comparisons of numbers. */
uint32_t term_compare(struct terms *terms, enum op op, uint32_t x, uint32_t y) {
    uint32_t difference;
    switch (op) {
    case OP_GT: return negate(terms, term_compare(terms, OP_LE, x, y));
    case OP_GE: return term_compare(terms, OP_LE, y, x);
    case OP_NE: return negate(terms, term_compare(terms, OP_EQ, x, y));
    default:
        assert(op == OP_LT || op == OP_LE || op == OP_EQ);
        difference = term_add(terms, x, 1, y, -1, 0);
    }
    if (terms->has_failed) return 0;
    return bound(terms, op == OP_EQ ? TERM_EQUAL : TERM_AT_MOST, difference, op == OP_LT ? -1 : 0);
}

/* Other operators */

static bool can_fail(const struct terms *terms, enum op op, uint32_t y) {
    const struct term *right = term_at(terms, y);
    switch (op) {
    case OP_DIV:
    case OP_MOD: return right->lower <= 0;
    case OP_SHL:
    case OP_SHR: return right->lower < 0 || right->upper > 31;
    case OP_BIT_AND:
    case OP_BIT_OR:
    case OP_BIT_XOR:
    case OP_MIN:
    case OP_MAX: return false;
    default: return true;
    }
}

static int32_t calculate(enum op op, int32_t x, int32_t y) {
    struct environment environment = {0};
    int32_t value = eval_operate(&environment, op, x, y, (struct span){0, 0});
    assert(environment.fault.kind == FAULT_NONE);
    return value;
}

/* A sum of which only the remainder by a constant matters: its numbers are taken by that remainder,
 * so that what is known of it while levels come to be known has as few values. Only where nothing
 * is negative, since the sign of a remainder is that of its dividend. */
__attribute__((noinline)) /* as know_sum */
static uint32_t
reduce(struct terms *terms, uint32_t x, int32_t divisor) {
    const struct term term = *term_at(terms, x);
    if (term.kind != TERM_SUM || term.lower < 0 || term.a < 0) return x;
    struct sum sum;
    sum.count = 0;
    sum.constant = term.a % divisor;
    sum.has_failed = false;
    for (uint32_t i = 0; i < term.summand_count; i++) {
        const struct summand *summand = &term.summands[i];
        if (summand->factor < 0 || term_at(terms, summand->term)->lower < 0) return x;
        add_term(terms, &sum, summand->term, summand->factor % divisor);
    }
    return share_sum(terms, &sum);
}

static struct interval range_of(const struct term *term) {
    return (struct interval){term->lower, term->upper};
}

/* Bits of values that are not negative: no more than either has, or those below the highest one of
 * both. */
static struct interval range_of_bits(enum op op, struct interval left, struct interval right) {
    struct interval range = {INT32_MIN, INT32_MAX};
    if (left.lower < 0 || right.lower < 0) return range;
    range.lower = 0;
    range.upper = left.upper < right.upper ? left.upper : right.upper;
    if (op == OP_BIT_AND) return range;
    int64_t greater = left.upper > right.upper ? left.upper : right.upper;
    for (range.upper = 1; range.upper <= greater; range.upper *= 2) {
    }
    range.upper--;
    return range;
}

/* Where the values of an operation are; over. */
static struct interval range_of_operation(enum op op, const struct term *left,
                                          const struct term *right) {
    struct interval range = {INT32_MIN, INT32_MAX}, x = range_of(left), y = range_of(right);
    if (op == OP_BIT_AND || op == OP_BIT_OR || op == OP_BIT_XOR) return range_of_bits(op, x, y);
    if (op == OP_SHR && x.lower >= 0) return (struct interval){0, x.upper >> y.lower};
    struct interval found;
    if ((op == OP_DIV || op == OP_MOD) && interval_operate(op, x, y, &found)) range = found;
    return range;
}

uint32_t term_operate(struct terms *terms, enum op op, uint32_t x, uint32_t y) {
    if (terms->has_failed) return 0;
    const struct term *left = term_at(terms, x), *right = term_at(terms, y);
    terms->has_failed |=
        left->kind == TERM_FAULT || right->kind == TERM_FAULT || can_fail(terms, op, y);
    if (terms->has_failed) return 0;
    if (op == OP_MOD && is_constant(terms, y)) {
        x = reduce(terms, x, right->a);
        if (terms->has_failed) return 0;
        left = term_at(terms, x);
        right = term_at(terms, y);
        if (left->lower >= 0 && left->upper < right->a) return x;
    }
    if (is_constant(terms, x) && is_constant(terms, y))
        return term_constant(terms, calculate(op, left->a, right->a));
    if (op == OP_MIN) return term_if(terms, term_compare(terms, OP_LT, x, y), x, y);
    if (op == OP_MAX) return term_if(terms, term_compare(terms, OP_GT, x, y), x, y);
    struct interval range = range_of_operation(op, left, right);
    assert(range.lower <= range.upper && interval_fits(range));
    return share(terms, &(struct term){.kind = TERM_OPERATE,
                                       .a = (int32_t)op,
                                       .b = x,
                                       .c = y,
                                       .first = first_of(terms, x, y),
                                       .lower = (int32_t)range.lower,
                                       .upper = (int32_t)range.upper});
}

/* The condition must not be a fault itself. */
uint32_t term_if(struct terms *terms, uint32_t condition, uint32_t then, uint32_t otherwise) {
    if (terms->has_failed) return 0;
    const struct term *a = term_at(terms, condition), *b = term_at(terms, then),
                      *c = term_at(terms, otherwise);
    assert(a->kind != TERM_FAULT);
    if (a->kind == TERM_CONSTANT) return a->a ? then : otherwise;
    if (then == otherwise) return then;
    bool is_truth = a->lower >= 0 && a->upper <= 1;
    if (is_truth && b->kind == TERM_CONSTANT && b->a == 1 && c->kind == TERM_CONSTANT && !c->a)
        return condition;
    uint32_t first = first_of(terms, then, otherwise);
    return share(terms, &(struct term){.kind = TERM_IF,
                                       .a = (int32_t)condition,
                                       .b = then,
                                       .c = otherwise,
                                       .first = a->first < first ? a->first : first,
                                       .lower = b->lower < c->lower ? b->lower : c->lower,
                                       .upper = b->upper > c->upper ? b->upper : c->upper});
}

/* Knowing a level */

__attribute__((noinline)) /* its frame is large, and know calls itself */
static uint32_t
know_sum(struct terms *terms, const struct term *term, uint32_t level, uint32_t value) {
    struct sum sum;
    sum.count = 0;
    sum.constant = term->a;
    sum.has_failed = false;
    for (uint32_t i = 0; i < term->summand_count && !terms->has_failed; i++)
        add_term(terms, &sum, term_know(terms, term->summands[i].term, level, value),
                 term->summands[i].factor);
    return share_sum(terms, &sum);
}

static uint32_t know(struct terms *terms, struct term term, uint32_t level, uint32_t value) {
    uint32_t b, c;
    switch (term.kind) {
    case TERM_LEVEL:
        assert((uint32_t)term.a == level && value <= (uint32_t)term.upper);
        return term_constant(terms, (int32_t)value);
    case TERM_SUM: return know_sum(terms, &term, level, value);
    case TERM_AT_MOST:
    case TERM_EQUAL: return bound(terms, term.kind, term_know(terms, term.b, level, value), term.a);
    case TERM_OPERATE:
        b = term_know(terms, term.b, level, value);
        c = term_know(terms, term.c, level, value);
        return term_operate(terms, (enum op)term.a, b, c);
    case TERM_IF:
        b = term_know(terms, (uint32_t)term.a, level, value);
        if (terms->has_failed) return 0;
        if (is_constant(terms, b))
            return term_know(terms, term_at(terms, b)->a ? term.b : term.c, level, value);
        c = term_know(terms, term.b, level, value);
        return term_if(terms, b, c, term_know(terms, term.c, level, value));
    default: assert(false); return 0;
    }
}

uint32_t term_know(struct terms *terms, uint32_t term, uint32_t level, uint32_t value) {
    if (terms->has_failed || term_at(terms, term)->first > level) return term;
    assert(term_at(terms, term)->first == level);
    uint64_t place = index_mix(index_mix(term, level), value) >> 32 & (STEPS - 1);
    struct term_step *step = &terms->steps[place];
    if (step->term == term && step->level == level && step->value == value) return step->result;
    uint32_t result = know(terms, *term_at(terms, term), level, value);
    if (!terms->has_failed) *step = (struct term_step){term, level, value, result};
    return result;
}

/* Term 0 is the constant 0. */
void terms_init(struct terms *terms, struct arena *arena) {
    *terms = (struct terms){.arena = arena, .index.memory = memory_of_arena(arena)};
    terms->steps = ARENA_ARRAY(arena, struct term_step, STEPS);
    for (uint32_t i = 0; i < STEPS; i++) terms->steps[i].level = NO_LEVEL;
    term_constant(terms, 0);
}
