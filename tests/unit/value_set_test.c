#include "values/value_set.h"

#include "values/enumerate.h"

#include <check.h>

Suite *value_set_suite(void);

static struct arena arena;

static void setup(void) { arena_init(&arena); }
static void teardown(void) { arena_close(&arena); }

static const struct bounds wide = {.lower = -1000, .upper = 1000, .limit = 4};

/* The set of the bits of a mask: bit i is value i - 2. */
static struct value_set of_mask(unsigned mask) {
    struct value_set set = value_set_empty();
    struct bounds bounds = {.lower = -1000, .upper = 1000, .limit = 16};
    for (int i = 0; i < 8; i++)
        if (mask >> i & 1) value_set_add(&arena, &set, i - 2, &bounds);
    return set;
}

static unsigned mask_of(const struct value_set *set) {
    unsigned mask = 0;
    for (uint64_t i = 0; i < value_set_size(set); i++) mask |= 1u << (value_set_at(set, i) + 2);
    return mask;
}

START_TEST(empty_set_has_nothing) {
    struct value_set set = value_set_empty();
    ck_assert(value_set_is_empty(&set));
    ck_assert_uint_eq(value_set_size(&set), 0);
    ck_assert(!value_set_has(&set, 0));
    ck_assert(!value_set_has(&set, -1));
}
END_TEST

START_TEST(listed_set_is_sorted) {
    struct value_set set = value_set_empty();
    ck_assert(value_set_add(&arena, &set, 7, &wide));
    ck_assert(value_set_add(&arena, &set, -3, &wide));
    ck_assert(value_set_add(&arena, &set, 2, &wide));
    ck_assert(!value_set_add(&arena, &set, 7, &wide));
    ck_assert_uint_eq(set.count, 3);
    ck_assert_int_eq(value_set_at(&set, 0), -3);
    ck_assert_int_eq(value_set_at(&set, 1), 2);
    ck_assert_int_eq(value_set_at(&set, 2), 7);
    ck_assert(!value_set_has(&set, 0));
}
END_TEST

START_TEST(long_list_becomes_an_interval) {
    struct value_set set = value_set_empty();
    for (int i = 0; i < 4; i++) value_set_add(&arena, &set, 10 * i, &wide);
    ck_assert(!set.is_interval);
    ck_assert(value_set_add(&arena, &set, 5, &wide));
    ck_assert(set.is_interval);
    ck_assert_int_eq(set.lower, 0);
    ck_assert_int_eq(set.upper, 30);
    ck_assert(value_set_has(&set, 29));
}
END_TEST

START_TEST(interval_that_grows_often_becomes_the_range) {
    struct value_set set = value_set_empty();
    int growths = 0;
    for (int i = 0; i <= 1000; i++) growths += value_set_add(&arena, &set, i, &wide);
    ck_assert_int_lt(growths, 12);
    ck_assert_int_eq(set.lower, 0);
    ck_assert_int_eq(set.upper, 1000);
    value_set_add(&arena, &set, -1, &wide);
    ck_assert_int_eq(set.lower, -1000);
}
END_TEST

START_TEST(ends_rest_at_thresholds) {
    static const int32_t values[] = {-2000, -300, -7, 12, 100, 999, 5000};
    const struct thresholds thresholds = {values, sizeof values / sizeof *values};
    struct bounds bounds = wide;
    bounds.thresholds = &thresholds;
    struct value_set set = value_set_empty();
    for (int i = 0; i <= 13; i++) value_set_add(&arena, &set, i, &bounds);
    ck_assert_int_eq(set.upper, 100);
    value_set_add(&arena, &set, -8, &bounds);
    ck_assert_int_eq(set.lower, -300);
    value_set_add(&arena, &set, -301, &bounds);
    ck_assert_int_eq(set.lower, -1000);
    value_set_add(&arena, &set, 999, &bounds);
    ck_assert_int_eq(set.upper, 999);
    value_set_add(&arena, &set, 1000, &bounds);
    ck_assert_int_eq(set.upper, 1000);
}
END_TEST

START_TEST(widening_keeps_values_outside_the_range) {
    struct bounds narrow = {.lower = 0, .upper = 3, .limit = 2};
    struct value_set set = value_set_empty();
    for (int i = 0; i < 9; i++) value_set_add(&arena, &set, i * 7 - 20, &narrow);
    for (int i = 0; i < 9; i++) ck_assert(value_set_has(&set, i * 7 - 20));
}
END_TEST

START_TEST(extreme_values_do_not_overflow) {
    struct value_set all = value_set_range(INT32_MIN, INT32_MAX), set = value_set_empty();
    struct bounds bounds = {.lower = INT32_MIN, .upper = INT32_MAX, .limit = 2};
    ck_assert(value_set_size(&all) == UINT64_C(1) << 32);
    ck_assert_int_eq(value_set_at(&all, (UINT64_C(1) << 32) - 1), INT32_MAX);
    ck_assert(value_set_join(&arena, &set, &all, &bounds));
    ck_assert(!value_set_join(&arena, &set, &all, &bounds));
    ck_assert(value_set_equal(&set, &all));
    ck_assert(value_set_has(&set, INT32_MIN));
}
END_TEST

/* Join, cover and equality on all pairs of small sets. */
START_TEST(small_sets_form_a_lattice) {
    struct bounds bounds = {.lower = -1000, .upper = 1000, .limit = 16};
    for (unsigned left = 0; left < 256; left++)
        for (unsigned right = 0; right < 256; right += 3) {
            struct value_set a = of_mask(left), b = of_mask(right), again = of_mask(left);
            ck_assert_int_eq(value_set_equal(&a, &b), left == right);
            ck_assert_int_eq(value_set_covers(&a, &b), (left | right) == left);
            bool grew = value_set_join(&arena, &a, &b, &bounds);
            ck_assert_int_eq(grew, (left | right) != left);
            ck_assert_uint_eq(mask_of(&a), left | right);
            ck_assert(!value_set_join(&arena, &a, &b, &bounds));
            ck_assert(!value_set_join(&arena, &a, &again, &bounds));
        }
}
END_TEST

START_TEST(intervals_and_lists_join) {
    struct value_set list = of_mask(0x11), interval = value_set_range(0, 1);
    struct bounds bounds = {.lower = -1000, .upper = 1000, .limit = 16};
    ck_assert(value_set_join(&arena, &list, &interval, &bounds)); /* short enough to list */
    ck_assert(!list.is_interval);
    ck_assert_uint_eq(list.count, 4);
    struct value_set large = value_set_range(-50, 50);
    ck_assert(value_set_join(&arena, &list, &large, &bounds));
    ck_assert(list.is_interval);
    ck_assert(value_set_covers(&list, &large));
    ck_assert(!value_set_covers(&interval, &list));
    struct value_set inside = of_mask(0xFF);
    ck_assert(!value_set_join(&arena, &list, &inside, &bounds));
    ck_assert(value_set_covers(&large, &inside));
}
END_TEST

START_TEST(equal_intervals_and_lists) {
    struct value_set list = of_mask(0x3C), interval = value_set_range(0, 3);
    ck_assert(value_set_equal(&list, &interval));
    ck_assert(value_set_covers(&list, &interval));
    list = of_mask(0x2C);
    ck_assert(!value_set_equal(&list, &interval));
    ck_assert(!value_set_covers(&list, &interval));
}
END_TEST

START_TEST(tuples_are_kept_once) {
    uint32_t addresses[] = {3, 5};
    struct tuple_set tuples = {.addresses = addresses, .dimension = 2};
    int32_t absent[] = {0, 0};
    ck_assert(!tuple_set_has(&tuples, absent));
    for (int round = 0; round < 2; round++)
        for (int32_t i = 0; i < 100; i++) {
            int32_t row[] = {i % 10, i / 10};
            ck_assert_int_eq(tuple_set_add(&arena, &tuples, row), round == 0);
            ck_assert(tuple_set_has(&tuples, row));
        }
    ck_assert_uint_eq(tuples.count, 100);
    int32_t other[] = {10, 0};
    ck_assert(!tuple_set_has(&tuples, other));
}
END_TEST

Suite *value_set_suite(void) {
    Suite *suite = suite_create("value_set");
    TCase *cases = tcase_create("sets");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, empty_set_has_nothing);
    tcase_add_test(cases, listed_set_is_sorted);
    tcase_add_test(cases, long_list_becomes_an_interval);
    tcase_add_test(cases, interval_that_grows_often_becomes_the_range);
    tcase_add_test(cases, ends_rest_at_thresholds);
    tcase_add_test(cases, widening_keeps_values_outside_the_range);
    tcase_add_test(cases, extreme_values_do_not_overflow);
    tcase_add_test(cases, small_sets_form_a_lattice);
    tcase_add_test(cases, intervals_and_lists_join);
    tcase_add_test(cases, equal_intervals_and_lists);
    tcase_add_test(cases, tuples_are_kept_once);
    suite_add_tcase(suite, cases);
    return suite;
}
