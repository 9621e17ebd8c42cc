#include "verify_sample.h"

#include "explore/states/without.h"

Suite *without_suite(void);

/* In c, x is 0 and m what it was in b. */
#define ROUND(end)                                                                                 \
    NTA("int[0,2] x;",                                                                             \
        TEMPLATE("P", "", "int[0,2] m;",                                                           \
                 LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")                               \
                     EDGE("a", "b", SELECT("k : int[0,2]") UPDATE("x = k, m = k"))                 \
                         EDGE("b", "c", GUARD("m == x") UPDATE("x = 0")) end),                     \
        "system P;", "")

static uint32_t states_without(const char *text, const char *name) {
    struct without without;
    options.search.is_full = true;
    options.search.jobs = 1;
    run(text, SEMANTICS_UPPAAL);
    bool *is_left_out = ARENA_ARRAY(&arena, bool, sample.network->slot_count + 1);
    for (uint32_t i = 0; i < sample.network->slot_count; i++)
        is_left_out[i] = !strcmp(sample.network->slots[i].symbol->name, name);
    ck_assert(without_open(&without, verification.search));
    uint32_t states = without_slots(&without, is_left_out);
    ck_assert_uint_eq(without_slots(&without, is_left_out), states); /* nothing is left over */
    without_close(&without);
    return states;
}

START_TEST(what_nothing_tells_apart) {
    const char *text = ROUND(EDGE("c", "a", GUARD("m + x &lt;= 2")));
    ck_assert_uint_eq(states_without(text, "m"), 5);
    ck_assert_uint_eq(store_count(&verification.search->store), 9);
}
END_TEST

START_TEST(what_says_nothing_that_the_rest_does_not) {
    ck_assert_uint_eq(states_without(ROUND(EDGE("c", "a", GUARD("m + x &lt;= 2"))), "x"), 0);
}
END_TEST

START_TEST(what_a_guard_tells_apart) {
    ck_assert_uint_eq(states_without(ROUND(EDGE("c", "a", GUARD("m + x &lt;= 1"))), "m"), 0);
}
END_TEST

START_TEST(a_loop_is_no_deadlock) {
    ck_assert_uint_eq(states_without(ROUND(EDGE("c", "c", GUARD("m + x &lt;= 1"))), "m"), 0);
}
END_TEST

Suite *without_suite(void) {
    Suite *suite = suite_create("without");
    TCase *tcase = tcase_create("without");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_nothing_tells_apart);
    tcase_add_test(tcase, what_says_nothing_that_the_rest_does_not);
    tcase_add_test(tcase, what_a_guard_tells_apart);
    tcase_add_test(tcase, a_loop_is_no_deadlock);
    suite_add_tcase(suite, tcase);
    return suite;
}
