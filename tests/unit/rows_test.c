/* Rows that are added, and turned around. */
#include "explore/graph/rows.h"

#include <check.h>

Suite *rows_suite(void);

START_TEST(rows_are_lists_one_after_the_other) {
    struct ledger ledger = {0};
    struct row_steps rows = {.ledger = &ledger, .has_labels = true}, back;
    for (uint32_t row = 0; row < 1000; row++) {
        for (uint32_t i = 0; i < row % 3; i++) ck_assert(rows_add_step(&rows, row / (i + 1), i));
        ck_assert(rows_add_row(&rows));
    }
    ck_assert_uint_eq(rows.count, 1000);
    ck_assert_uint_eq(rows_degree(&rows, 5), 2);
    ck_assert_uint_eq(rows.targets[rows.first[5] + 1], 2);
    ck_assert_uint_eq(rows.labels[rows.first[5] + 1], 1);
    ck_assert(rows_turn(&back, &rows));
    ck_assert_uint_eq(back.step_count, rows.step_count);
    for (uint32_t row = 0; row < 1000; row++)
        for (uint64_t i = back.first[row]; i < back.first[row + 1]; i++) {
            uint32_t source = back.targets[i];
            ck_assert(i == back.first[row] || back.targets[i - 1] <= source);
            ck_assert((source % 3 && source == row) || (source % 3 == 2 && source / 2 == row));
        }
    rows_close(&rows);
    rows_close(&back);
    ck_assert_uint_eq(ledger.used, 0);
}
END_TEST

START_TEST(past_a_limit_no_row_is_added) {
    struct ledger ledger = {.max_size = 20000};
    struct row_steps rows = {.ledger = &ledger}, back;
    while (rows_add_step(&rows, 0, 0) && rows_add_row(&rows)) continue;
    ck_assert_int_eq(ledger.limit, LIMIT_MEMORY);
    ck_assert(!rows_turn(&back, &rows));
    rows_close(&rows);
    rows_close(&back);
    ck_assert_uint_eq(ledger.used, 0);
}
END_TEST

Suite *rows_suite(void) {
    Suite *suite = suite_create("rows");
    TCase *cases = tcase_create("rows");
    tcase_add_test(cases, rows_are_lists_one_after_the_other);
    tcase_add_test(cases, past_a_limit_no_row_is_added);
    suite_add_tcase(suite, cases);
    return suite;
}
