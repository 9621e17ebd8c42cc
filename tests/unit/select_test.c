/* Selections and extremes against one vector after another: sets and terms at random, comparisons
 * of sums in conditions, and parts that have no value. */
#include "explore/symbolic/diagram/sets.h"
#include "explore/symbolic/select.h"

#include <check.h>

Suite *select_suite(void);

enum { LEVELS = 4, MASK = 3, VECTORS = (MASK + 1) * (MASK + 1) * (MASK + 1) * (MASK + 1) };

static struct ldd ldd;
static struct arena arena;
static struct terms terms;
static uint64_t seed;

static int32_t pick(int32_t below) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int32_t)((seed >> 33) % (uint64_t)below);
}

/* A sum with at least two summands, most of the time. */
static uint32_t pick_sum(void) {
    uint32_t sum = term_constant(&terms, pick(7) - 3);
    for (uint32_t level = 0; level < LEVELS; level++)
        if (pick(3))
            sum = term_add(&terms, sum, 1, term_level(&terms, level, MASK), pick(5) - 2, 0);
    return sum;
}

static uint32_t pick_truth(int depth, bool may_fail) {
    static const enum op ops[] = {OP_LT, OP_LE, OP_EQ, OP_NE, OP_GE, OP_GT};
    if (!depth || !pick(3))
        return term_compare(&terms, ops[pick(6)], pick_sum(),
                            pick(2) ? pick_sum() : term_constant(&terms, pick(12) - 3));
    uint32_t condition = pick_truth(0, false), then = pick_truth(depth - 1, may_fail);
    uint32_t otherwise =
        may_fail && !pick(2)
            ? term_fault(&terms, (struct fault){FAULT_DIVISION, (struct span){0, 0}})
            : pick_truth(depth - 1, may_fail);
    return pick(2) ? term_if(&terms, condition, then, otherwise)
                   : term_if(&terms, condition, otherwise, then);
}

static void get_vector(uint32_t number, uint32_t *vector) {
    for (uint32_t i = 0; i < LEVELS; i++, number /= MASK + 1) vector[i] = number % (MASK + 1);
}

static const struct term *term_in(uint32_t term, const uint32_t *vector) {
    for (uint32_t level = 0; level < LEVELS; level++)
        if (term_at(&terms, term)->first == level)
            term = term_know(&terms, term, level, vector[level]);
    return term_at(&terms, term);
}

static uint32_t pick_set(void) {
    uint32_t set = LDD_NONE, vector[LEVELS];
    int32_t part = pick(4) + 1;
    for (uint32_t i = 0; i < VECTORS; i++) {
        get_vector(i, vector);
        if (!pick(part)) set = set_union(&ldd, set, set_of(&ldd, vector, LEVELS));
    }
    return set;
}

static void expect_selected(struct selector *selector, uint32_t set, uint32_t term) {
    uint32_t fails = select_vectors(selector, set, 0, term, SELECT_FAULT);
    uint32_t holds = select_vectors(selector, set_minus(&ldd, set, fails), 0, term, SELECT_TRUE);
    ck_assert(!terms.has_failed);
    for (uint32_t i = 0; i < VECTORS; i++) {
        uint32_t vector[LEVELS];
        get_vector(i, vector);
        bool is_in = set_has(&ldd, set, vector, LEVELS);
        const struct term *value = term_in(term, vector);
        bool is_fault = value->kind == TERM_FAULT;
        ck_assert_int_eq(set_has(&ldd, fails, vector, LEVELS), is_in && is_fault);
        ck_assert_int_eq(set_has(&ldd, holds, vector, LEVELS), is_in && !is_fault && value->a);
    }
}

static void expect_extremes(struct selector *selector, uint32_t set, uint32_t term) {
    struct extremes expected = {0}, found = select_extremes(selector, set, 0, term);
    for (uint32_t i = 0; i < VECTORS; i++) {
        uint32_t vector[LEVELS];
        get_vector(i, vector);
        if (!set_has(&ldd, set, vector, LEVELS)) continue;
        int32_t value = term_in(term, vector)->a;
        extremes_join(&expected, (struct extremes){true, value, value});
    }
    ck_assert_int_eq(found.is_found, expected.is_found);
    if (!found.is_found) return;
    ck_assert_int_eq(found.lower, expected.lower);
    ck_assert_int_eq(found.upper, expected.upper);
}

START_TEST(selections_are_those_of_single_vectors) {
    uint32_t serial = 0;
    seed = (uint64_t)_i + 1;
    ldd_init(&ldd, (struct ldd_limits){0});
    for (int round = 0; round < 40; round++) {
        struct selector selector;
        uint32_t set = pick_set();
        arena_init(&arena);
        terms_init(&terms, &arena);
        selector_init(&selector, &ldd, &terms, ++serial);
        expect_extremes(&selector, set, pick_sum());
        expect_selected(&selector, set, pick_truth(3, round % 2));
        expect_extremes(&selector, set, pick_sum());
        selector_close(&selector);
        arena_close(&arena);
    }
    ldd_close(&ldd);
}
END_TEST

Suite *select_suite(void) {
    Suite *suite = suite_create("select");
    TCase *tests = tcase_create("selections");
    tcase_add_loop_test(tests, selections_are_those_of_single_vectors, 0, 10);
    suite_add_tcase(suite, tests);
    return suite;
}
