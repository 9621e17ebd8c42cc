/* Terms against the operators of the language, for all values of two levels: bounds, sums of which
 * a remainder counts, and what is left when a level is known. */
#include "explore/symbolic/term.h"
#include "lang/eval/eval_operate.h"

#include <check.h>

Suite *term_suite(void);

enum { MASK = 5 };

static const enum op ops[] = {OP_DIV,     OP_MOD, OP_BIT_AND, OP_BIT_OR,
                              OP_BIT_XOR, OP_SHR, OP_MIN,     OP_MAX};

static struct terms terms;
static struct arena arena;

static void start(void) {
    arena_init(&arena);
    terms_init(&terms, &arena);
}

static void stop(void) { arena_close(&arena); }

static int32_t calculate(enum op op, int32_t x, int32_t y) {
    struct environment environment = {0};
    return eval_operate(&environment, op, x, y, (struct span){0, 0});
}

/* Whether the term of two levels is the number for each of their values, and always within
 * bounds. */
static void expect(uint32_t term, enum op op, const int32_t *x, int32_t offset, int32_t divisor) {
    ck_assert(!terms.has_failed);
    struct term whole = *term_at(&terms, term);
    for (uint32_t a = 0; a <= MASK; a++)
        for (uint32_t b = 0; b <= MASK; b++) {
            int32_t left = x[0] * (int32_t)a + x[1] * (int32_t)b + offset;
            int32_t right = divisor ? divisor : (int32_t)b + 1;
            int32_t value = calculate(op, left, right);
            uint32_t rest = term_know(&terms, term_know(&terms, term, 0, a), 1, b);
            ck_assert(!terms.has_failed);
            ck_assert_int_eq(term_at(&terms, rest)->kind, TERM_CONSTANT);
            ck_assert_int_eq(term_at(&terms, rest)->a, value);
            ck_assert(whole.lower <= value && value <= whole.upper);
        }
}

START_TEST(operators_of_sums_are_those_of_numbers) {
    static const int32_t factors[][2] = {{1, 1},  {3, 2},   {4, 6}, {1, -1},
                                         {-2, 3}, {-1, -4}, {5, 0}};
    enum op op = ops[_i];
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++)
        for (int32_t offset = -9; offset <= 9; offset += 3)
            for (int32_t divisor = 0; divisor <= 4; divisor++) {
                uint32_t x = term_level(&terms, 0, MASK), y = term_level(&terms, 1, MASK);
                uint32_t left = term_add(&terms, x, factors[f][0], y, factors[f][1], offset);
                uint32_t right =
                    divisor ? term_constant(&terms, divisor) : term_add(&terms, y, 1, y, 0, 1);
                expect(term_operate(&terms, op, left, right), op, factors[f], offset, divisor);
            }
}
END_TEST

/* Else there would be a term for each number that the sum may have reached. */
START_TEST(a_sum_of_which_a_remainder_counts_is_small) {
    uint32_t sum = term_constant(&terms, 0);
    for (uint32_t level = 0; level < 40; level++)
        sum = term_add(&terms, sum, 1, term_level(&terms, level, 1), 7, 12);
    uint32_t rest = term_operate(&terms, OP_MOD, sum, term_constant(&terms, 2));
    uint32_t ones = rest;
    for (uint32_t level = 0; level < 40; level++) {
        ones = term_know(&terms, ones, level, 1);
        rest = term_know(&terms, rest, level, level % 2);
        ck_assert(term_at(&terms, rest)->lower >= 0 && term_at(&terms, rest)->upper <= 1);
    }
    ck_assert_int_eq(term_at(&terms, ones)->a, (40 * 7 + 40 * 12) % 2);
    ck_assert_int_eq(term_at(&terms, rest)->a, (20 * 7 + 40 * 12) % 2);
    ck_assert_uint_lt(terms.items.count, 40 * 8);
}
END_TEST

Suite *term_suite(void) {
    Suite *suite = suite_create("term");
    TCase *tests = tcase_create("terms");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_loop_test(tests, operators_of_sums_are_those_of_numbers, 0,
                        (int)(sizeof ops / sizeof *ops));
    tcase_add_test(tests, a_sum_of_which_a_remainder_counts_is_small);
    suite_add_tcase(suite, tests);
    return suite;
}
