#include "verify_sample.h"

Suite *limits_suite(void);

/* 4 ways for each of 20 receivers of a broadcast */
#define CROWD                                                                                      \
    NTA("broadcast chan b; int x;",                                                                \
        TEMPLATE("P", "", "", LOCATION("A") INIT("A") EDGE("A", "A", SYNC("b!")))                  \
            TEMPLATE("Q", "const int[0,19] id", "",                                                \
                     LOCATION("A") INIT("A")                                                       \
                         EDGE("A", "A", SELECT("k : int[0,3]") SYNC("b?") UPDATE("x = k + id"))),  \
        "system P, Q;", QUERY("A<> x == 1000"))
/* Many guards in one state, each of which takes long. */
#define LOOPS                                                                                      \
    ONE("int x; bool slow(int n) { int i; for (i = 0; i &lt; 3000000; i++) if (i * n == -1) "      \
        "return true; return n &gt;= 0; }",                                                        \
        LOCATION("A") INIT("A")                                                                    \
            EDGE("A", "A", SELECT("k : int[0,999]") GUARD("slow(x)") UPDATE("x = k")),             \
        QUERY("A[] x < 5000"))
/* 100000 states in levels that are large enough to be shared. */
#define GRID                                                                                       \
    NTA("",                                                                                        \
        TEMPLATE("P", "const int[0,4] id", "int[0,9] n;",                                          \
                 LOCATION("A") INIT("A") EDGE("A", "A", GUARD("n &lt; 9") UPDATE("n++"))),         \
        "system P;", QUERY("A[] exists (i : int[0,4]) P(i).n < 9"))

START_TEST(time_is_noticed_within_an_expansion) {
    options.search.interprets = _i % 2 == 1;
    options.search.max_seconds = .05;
    options.search.is_full = _i / 2 == 1;
    run(CROWD, SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search.limit, LIMIT_TIME);
    ck_assert_str_eq(verdicts(), "U");
    run(LOOPS, SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search.limit, LIMIT_TIME);
    ck_assert_double_lt(verification.search.seconds, 20);
}
END_TEST

START_TEST(memory_is_noticed_within_an_expansion) {
    options.search.max_size = 8 << 20;
    options.search.is_full = _i == 1;
    run(CROWD, SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search.limit, LIMIT_MEMORY);
    ck_assert_str_eq(verdicts(), "U");
}
END_TEST

START_TEST(states_are_limited_whatever_the_jobs) {
    static const uint64_t limits[] = {1, 5000, 30001, 99999, 100000, 100001};
    options.search.max_states = limits[_i];
    for (options.search.jobs = 1; options.search.jobs < 5; options.search.jobs++) {
        run(GRID, SEMANTICS_KRIPKE);
        bool is_enough = limits[_i] >= 100000;
        ck_assert_uint_eq(store_count(&verification.search.store), is_enough ? 100000 : limits[_i]);
        ck_assert_int_eq(verification.search.limit, is_enough ? LIMIT_NONE : LIMIT_STATES);
        ck_assert_str_eq(verdicts(), is_enough ? "V" : "U");
    }
}
END_TEST

/* clang-format off */
#define POINTS                                                                                     \
    BRANCHPOINT("b0")                                                                              \
    BRANCHPOINT("b1")                                                                              \
    BRANCHPOINT("b2") BRANCHPOINT("b3") BRANCHPOINT("b4") BRANCHPOINT("b5") BRANCHPOINT("b6")      \
        BRANCHPOINT("b7") BRANCHPOINT("b8")
#define ROW                                                                                        \
    EDGE("A", "b0", "")                                                                            \
    EDGE("b0", "b1", "")                                                                           \
    EDGE("b1", "b2", "") EDGE("b2", "b3", "") EDGE("b3", "b4", "") EDGE("b4", "b5", "")            \
        EDGE("b5", "b6", "") EDGE("b6", "b7", "") EDGE("b7", "b8", "") EDGE("b8", "A", "")
/* clang-format on */

START_TEST(network_that_cannot_be_prepared_is_refused) {
    sample_open(&sample, ONE("", LOCATION("A") POINTS INIT("A") ROW, ""));
    ck_assert(!verify(&verification, &arena, sample.network, NULL, 0, &options));
    ck_assert_int_eq(sample.diag.status, STATUS_UNSUPPORTED);
}
END_TEST

Suite *limits_suite(void) {
    Suite *suite = suite_create("limits");
    TCase *tcase = tcase_create("limits");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, time_is_noticed_within_an_expansion, 0, 4);
    tcase_add_loop_test(tcase, memory_is_noticed_within_an_expansion, 0, 2);
    tcase_add_loop_test(tcase, states_are_limited_whatever_the_jobs, 0, 6);
    tcase_add_test(tcase, network_that_cannot_be_prepared_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
