/* What a computation may take: bytes to the last one, time, and nothing past a limit. */
#include "explore/graph/ledger.h"

#include <check.h>

Suite *ledger_suite(void);

START_TEST(all_bytes_may_be_taken_and_no_more) {
    struct ledger ledger = {.max_size = 1000};
    uint32_t *items = ledger_take(&ledger, 250, sizeof *items);
    ck_assert(items);
    for (int i = 0; i < 250; i++) ck_assert_uint_eq(items[i], 0);
    ck_assert_uint_eq(ledger_size(&ledger), 1000);
    ck_assert(ledger_fits(&ledger, 0));
    ck_assert(!ledger_fits(&ledger, 1));
    ck_assert_int_eq(ledger.limit, LIMIT_MEMORY);
    LEDGER_GIVE(&ledger, items);
    ck_assert_uint_eq(ledger.used, 0);
    ck_assert_uint_eq(ledger.peak, 1000);
}
END_TEST

START_TEST(past_a_limit_nothing_is_given) {
    struct ledger ledger = {.max_size = 10000};
    uint32_t *items = NULL;
    ck_assert(LEDGER_ROOM_ZEROED(&ledger, items, 300));
    items[299] = 7;
    ck_assert(!LEDGER_ROOM(&ledger, items, 3000));
    ck_assert_uint_eq(items[299], 7);
    ck_assert(!ledger_take(&ledger, 1, 1));
    ck_assert(!ledger_goes_on(&ledger));
    LEDGER_GIVE(&ledger, items);
    ck_assert_uint_eq(ledger.used, 0);
}
END_TEST

START_TEST(what_is_new_is_zero) {
    struct ledger ledger = {0};
    uint32_t *items = NULL;
    for (uint32_t i = 0; i < 5000; i++) {
        ck_assert(LEDGER_ROOM_ZEROED(&ledger, items, i + 1));
        ck_assert_uint_eq(items[i], 0);
        items[i] = i;
    }
    for (uint32_t i = 0; i < 5000; i++) ck_assert_uint_eq(items[i], i);
    ck_assert_uint_eq(ledger_left(&ledger), SIZE_MAX);
    LEDGER_GIVE(&ledger, items);
    ck_assert_uint_eq(ledger.used, 0);
}
END_TEST

START_TEST(what_is_expected_takes_no_more_than_half) {
    struct ledger ledger = {.max_size = 1000};
    uint32_t *items = NULL;
    LEDGER_EXPECT(&ledger, items, 126);
    ck_assert_ptr_null(items);
    ck_assert_int_eq(ledger.limit, LIMIT_NONE);
    LEDGER_EXPECT(&ledger, items, 100);
    ck_assert_uint_eq(ledger_size(&ledger), 400);
    LEDGER_EXPECT(&ledger, items, 50);
    ck_assert_uint_eq(ledger_size(&ledger), 400);
    LEDGER_GIVE(&ledger, items);
}
END_TEST

START_TEST(stores_are_counted) {
    struct layout shape = {.stored_words = 1, .stored_bytes = 8};
    struct ledger ledger = {0};
    struct store store;
    ck_assert(store_init(&store, &shape, 0, 0));
    ledger.stores[1] = &store;
    ck_assert_uint_eq(ledger_size(&ledger), store_used(&store));
    ledger.max_size = store_used(&store) + 8;
    ck_assert_uint_eq(ledger_left(&ledger), 8);
    ck_assert(!ledger_take(&ledger, 9, 1));
    store_close(&store);
}
END_TEST

START_TEST(time_is_a_limit) {
    struct ledger ledger = {.deadline = 1e-9};
    ck_assert(!ledger_has_time(&ledger));
    ck_assert_int_eq(ledger.limit, LIMIT_TIME);
    ck_assert(!ledger_take(&ledger, 0, 1));
}
END_TEST

Suite *ledger_suite(void) {
    Suite *suite = suite_create("ledger");
    TCase *cases = tcase_create("ledger");
    tcase_add_test(cases, all_bytes_may_be_taken_and_no_more);
    tcase_add_test(cases, past_a_limit_nothing_is_given);
    tcase_add_test(cases, what_is_new_is_zero);
    tcase_add_test(cases, what_is_expected_takes_no_more_than_half);
    tcase_add_test(cases, stores_are_counted);
    tcase_add_test(cases, time_is_a_limit);
    suite_add_tcase(suite, cases);
    return suite;
}
