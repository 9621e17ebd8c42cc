/* Lists that are kept once. */
#include "explore/graph/lists.h"

#include <check.h>

Suite *lists_suite(void);

struct pair {
    uint32_t one, other;
};

START_TEST(equal_lists_have_one_number) {
    struct pair one = {1, 2}, two[] = {{1, 2}, {3, 4}}, other[] = {{3, 4}, {1, 2}};
    struct ledger ledger = {0};
    struct lists lists;
    uint32_t count;
    ck_assert(lists_open(&lists, &ledger, sizeof one));
    ck_assert_uint_eq(lists_number(&lists, &one, 0), 0);
    uint32_t first = lists_number(&lists, &one, 1);
    uint32_t second = lists_number(&lists, two, 2);
    ck_assert_uint_ne(first, second);
    ck_assert_uint_ne(second, lists_number(&lists, other, 2));
    ck_assert_uint_eq(first, lists_number(&lists, &one, 1));
    ck_assert_uint_eq(second, lists_number(&lists, two, 2));
    ck_assert(!memcmp(lists_items(&lists, second, &count), two, sizeof two) && count == 2);
    lists_items(&lists, 0, &count);
    ck_assert_uint_eq(count, 0);
    lists_close(&lists);
    ck_assert_uint_eq(ledger.used, 0);
}
END_TEST

START_TEST(many_lists_are_found_again) {
    enum { COUNT = 5000 };
    struct ledger ledger = {0};
    struct lists lists;
    ck_assert(lists_open(&lists, &ledger, sizeof(uint32_t)));
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t items[] = {i % 70, i / 70, i, 1, 0};
            uint32_t count, size = 3 + i % 3, number = lists_number(&lists, items, size);
            ck_assert_uint_eq(number, i + 1);
            ck_assert(!memcmp(lists_items(&lists, number, &count), items, size * sizeof *items));
            ck_assert_uint_eq(count, size);
        }
    lists_close(&lists);
    ck_assert_uint_eq(ledger.used, 0);
}
END_TEST

START_TEST(past_the_limit_there_are_no_lists) {
    struct ledger ledger = {.max_size = 16000};
    struct lists lists;
    ck_assert(lists_open(&lists, &ledger, sizeof(uint32_t)));
    for (uint32_t i = 0; i < 5000 && ledger.limit == LIMIT_NONE; i++) lists_number(&lists, &i, 1);
    ck_assert_int_eq(ledger.limit, LIMIT_MEMORY);
    ck_assert_uint_eq(lists_number(&lists, (uint32_t[]){7, 7}, 2), LISTS_FULL);
    lists_close(&lists);
    ck_assert_uint_eq(ledger.used, 0);
}
END_TEST

Suite *lists_suite(void) {
    Suite *suite = suite_create("lists");
    TCase *cases = tcase_create("lists");
    tcase_add_test(cases, equal_lists_have_one_number);
    tcase_add_test(cases, many_lists_are_found_again);
    tcase_add_test(cases, past_the_limit_there_are_no_lists);
    suite_add_tcase(suite, cases);
    return suite;
}
