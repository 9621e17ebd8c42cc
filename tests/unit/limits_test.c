#include "verify_sample.h"

#include <time.h>

Suite *limits_suite(void);

/* 4 ways for each of so many receivers of a broadcast */
#define CROWD(last)                                                                                \
    NTA("broadcast chan b; int x;",                                                                \
        TEMPLATE("P", "", "", LOCATION("A") INIT("A") EDGE("A", "A", SYNC("b!")))                  \
            TEMPLATE("Q", "const int[0," last "] id", "",                                          \
                     LOCATION("A") INIT("A")                                                       \
                         EDGE("A", "A", SELECT("k : int[0,3]") SYNC("b?") UPDATE("x = k + id"))),  \
        "system P, Q;", QUERY("A<> x == 1000"))
/* Many guards in one state, each of which takes long. */
#define LOOPS                                                                                      \
    ONE("int x; bool slow(int n) { int32_t i; for (i = 0; i &lt; 3000000; i++) if (i * n == -1) "  \
        "return true; return n &gt;= 0; }",                                                        \
        LOCATION("A") INIT("A")                                                                    \
            EDGE("A", "A", SELECT("k : int[0,999]") GUARD("slow(x)") UPDATE("x = k")),             \
        QUERY("A[] x < 5000"))
/* One evaluation that takes long, also without the interpreter. */
#define SLOW_FUNCTION                                                                              \
    "bool slow() { int32_t i, s = 1, a[3]; for (i = 0; i &lt; 16000000; i++) { "                   \
    "a[s % 3 &lt;? 2 &gt;? 0] = s * i; s = (s * 7 + i) % 1000003 + a[i % 3] % 11; "                \
    "s = (s &lt;&lt; 3 ^ i) % 99991; s = (s * 13 + a[(i + 1) % 3]) % 77777; "                      \
    "s = s * s % 1000033; s = (s % 1001) * (i % 1009) % 70001; } return s != -1; }"
#define SLOW(guard, query)                                                                         \
    ONE("int x; " SLOW_FUNCTION,                                                                   \
        LOCATION("A") INIT("A") EDGE("A", "A", GUARD(guard) UPDATE("x = 1 - x")), QUERY(query))
/* Only the value analysis, which takes x and y apart, gets to the function. */
#define APART                                                                                      \
    ONE("int[0,30] x, y; int[0,99] z; " SLOW_FUNCTION,                                             \
        LOCATION("A") INIT("A") EDGE("A", "A", GUARD("x &lt; 30") UPDATE("x++, y++"))              \
            EDGE("A", "A", GUARD("z &lt; 99") UPDATE("z++"))                                       \
                EDGE("A", "A", GUARD("x != y &amp;&amp; slow()") UPDATE("z = 0")),                 \
        QUERY("A[] x == y"))
#define COUNTER                                                                                    \
    ONE("int x; bool slow() { int i, s; for (i = 0; i &lt; 20000; i++) s = (s + i) % 7;"           \
        "return s &gt;= 0; }",                                                                     \
        LOCATION("A") INIT("A") EDGE("A", "A", GUARD("slow() &amp;&amp; x &lt; 9") UPDATE("x++")), \
        QUERY("E<> x == 3"))
/* One state, and guards that hold nowhere. */
#define TRIES                                                                                      \
    ONE("int x; bool never(int n) { int i; for (i = 0; i &lt; 3000; i++) if (i * n == -1) "        \
        "return true; return false; }",                                                            \
        LOCATION("A") INIT("A")                                                                    \
            EDGE("A", "A", SELECT("k : int[0,9999]") GUARD("never(x + k)") UPDATE("x = k")),       \
        QUERY("A[] x < 5000"))
/* 100000 states in levels that are large enough to be shared. */
#define GRID                                                                                       \
    NTA("",                                                                                        \
        TEMPLATE("P", "const int[0,4] id", "int[0,9] n;",                                          \
                 LOCATION("A") INIT("A") EDGE("A", "A", GUARD("n &lt; 9") UPDATE("n++"))),         \
        "system P;", QUERY("A[] exists (i : int[0,4]) P(i).n < 9"))

static double processor_seconds; /* of the last run: what else the machine does takes none */

static void run_timed(const char *text, enum semantics semantics) {
    clock_t begin = clock();
    run(text, semantics);
    processor_seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
}

START_TEST(time_is_noticed_within_an_expansion) {
    options.search.interprets = _i % 2 == 1;
    options.search.max_seconds = .4; /* preparing takes some of it */
    options.search.is_full = _i / 2 == 1;
    run_timed(CROWD("11"), SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search->limit, LIMIT_TIME);
    ck_assert_str_eq(verdicts(), "U");
    run_timed(CROWD("29"), SEMANTICS_KRIPKE); /* no memory has room for that */
    ck_assert_int_eq(verification.search->limit, LIMIT_MEMORY);
    run_timed(LOOPS, SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search->limit, LIMIT_TIME);
    ck_assert_double_lt(processor_seconds, 20);
}
END_TEST

/* A limit on states is one on the steps that are tried for them, of which one state may have many.
 */
START_TEST(work_is_noticed_within_an_expansion) {
    options.search.max_states = 5;
    run(COUNTER, SEMANTICS_KRIPKE);
    ck_assert_uint_gt(verification.search->options.max_work, 5);
    options.search.max_work = 1 << 12;
    run(TRIES, SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search->limit, LIMIT_STATES);
    ck_assert_uint_gt(verification.search->work, 1 << 12);
    ck_assert_uint_lt(verification.search->work, 1 << 15);
}
END_TEST

/* Guards and predicates, by bytecode and by the interpreter. */
START_TEST(time_is_noticed_within_an_evaluation) {
    options.search.interprets = _i % 2 == 1;
    options.search.max_seconds = .4; /* preparing takes some of it */
    if (_i / 2)
        run_timed(SLOW("true", "A[] slow()"), SEMANTICS_KRIPKE);
    else
        run_timed(SLOW("slow()", "A[] x &lt; 2"), SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search->limit, LIMIT_TIME);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_double_lt(processor_seconds, 2);
}
END_TEST

#define WHILE(name, body) name " = 0; while (" name " &lt; 60) { " name "++; " body " } "
#define MIX(condition) "(" condition " ? x &gt; 1 : x &lt; 3)"
#define MIX4(condition) MIX(MIX(MIX(MIX(condition))))

/* What the compiler could go through as often as the loops run. */
START_TEST(time_is_noticed_within_the_compiler) {
    static const char *const models[] = {
        ONE("int x; int f() { int a, b, c, d, e, g; " WHILE(
                "a",
                WHILE("b",
                      WHILE("c",
                            WHILE("d",
                                  WHILE("e", WHILE("g", "if (g == 99) x = 3;")))))) "return a; }",
            LOCATION("A") INIT("A") EDGE("A", "A", UPDATE("x = f() % 2")), QUERY("A[] x < 2")),
        ONE("int x;",
            LOCATION("A") INIT("A") EDGE("A", "A",
                                         GUARD(MIX4(MIX4(MIX4(MIX4(MIX4(MIX4(MIX4("x &lt; 2"))))))))
                                             UPDATE("x = 5 - x")),
            QUERY("A[] x < 9"))};
    options.search.max_seconds = .2;
    run_timed(models[_i], SEMANTICS_KRIPKE);
    ck_assert_str_ne(verdicts(), "V"); /* the first may end with too many steps before the time */
    ck_assert_double_lt(processor_seconds, 20);
}
END_TEST

START_TEST(ranges_are_chosen_soon) {
    options.search.first_look = 100;
    run_timed(APART, SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_double_lt(processor_seconds, 20); /* not minutes */
}
END_TEST

START_TEST(time_is_noticed_within_liveness) {
    options.search.interprets = _i % 2 == 1;
    options.search.max_seconds = .4;
    run_timed(SLOW("true", "A<> !slow()"), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_double_lt(processor_seconds, 2);
}
END_TEST

START_TEST(there_is_no_trace_without_time) {
    struct expander expander;
    run(COUNTER, SEMANTICS_KRIPKE);
    ck_assert_ptr_nonnull(verification.answers[0].trace);
    ck_assert(!verification.lacks_traces);
    const struct search *search = verification.search;
    uint32_t row = search->watches[0].found.row;
    expander_init(&expander, search->program);
    struct row_path path = trace_path(&arena, search, &expander, row);
    ck_assert_uint_eq(path.count, 4);
    ck_assert_ptr_nonnull(trace_new(&arena, search, &expander, &path));
    expander.machine.deadline = search->start; /* that is over */
    ck_assert_ptr_null(trace_new(&arena, search, &expander, &path));
    ck_assert_uint_eq(trace_path(&arena, search, &expander, row).count, 0);
    expander_close(&expander);
}
END_TEST

START_TEST(memory_is_noticed_within_an_expansion) {
    options.search.max_size = 8 << 20;
    options.search.is_full = _i == 1;
    run(CROWD("11"), SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search->limit, LIMIT_MEMORY);
    ck_assert_str_eq(verdicts(), "U");
}
END_TEST

/* 400 successors of one state, which are not many steps. */
#define WIDE                                                                                       \
    ONE("int[0,1] a[400];",                                                                        \
        LOCATION("A") INIT("A") EDGE("A", "A", SELECT("i : int[0,399]") UPDATE("a[i] = 1")),       \
        QUERY("A[] a[0] == 0"))

START_TEST(successors_that_wait_are_limited) {
    struct expander expander;
    size_t most = 8192;
    run(WIDE, SEMANTICS_KRIPKE);
    const struct search *search = verification.search;
    expander_init(&expander, search->program);
    expander.max_size = most;
    ck_assert(!expander_run(&expander, search->layout->initial));
    ck_assert(expander_is_cut(&expander));
    ck_assert_uint_lt(expander.capacity * expander.word_count * sizeof(uint64_t), 2 * most);
    expander_close(&expander);
}
END_TEST

START_TEST(states_are_limited_whatever_the_jobs) {
    static const uint64_t limits[] = {1, 5000, 30001, 99999, 100000, 100001};
    options.search.max_states = limits[_i];
    for (options.search.jobs = 1; options.search.jobs < 5; options.search.jobs++) {
        run(GRID, SEMANTICS_KRIPKE);
        bool is_enough = limits[_i] >= 100000;
        ck_assert_uint_eq(store_count(&verification.search->store),
                          is_enough ? 100000 : limits[_i]);
        ck_assert_int_eq(verification.search->limit, is_enough ? LIMIT_NONE : LIMIT_STATES);
        ck_assert_str_eq(verdicts(), is_enough ? "V" : "U");
    }
}
END_TEST

START_TEST(work_is_limited) {
    options.search.max_work = 50000;
    run(GRID, SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search->limit, LIMIT_STATES);
    ck_assert_str_eq(verdicts(), "U");
    uint64_t states = store_count(&verification.search->store);
    ck_assert(states > 1000 && states < 50000);
    run(GRID, SEMANTICS_KRIPKE);
    ck_assert_uint_eq(store_count(&verification.search->store), states);
    options.search.max_work = 100000000;
    run(GRID, SEMANTICS_KRIPKE);
    ck_assert_int_eq(verification.search->limit, LIMIT_NONE);
    ck_assert_str_eq(verdicts(), "V");
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
    tcase_add_test(tcase, work_is_noticed_within_an_expansion);
    tcase_add_loop_test(tcase, time_is_noticed_within_an_evaluation, 0, 4);
    tcase_add_loop_test(tcase, time_is_noticed_within_the_compiler, 0, 2);
    tcase_add_test(tcase, ranges_are_chosen_soon);
    tcase_add_loop_test(tcase, time_is_noticed_within_liveness, 0, 2);
    tcase_add_test(tcase, there_is_no_trace_without_time);
    tcase_add_loop_test(tcase, memory_is_noticed_within_an_expansion, 0, 2);
    tcase_add_test(tcase, successors_that_wait_are_limited);
    tcase_add_loop_test(tcase, states_are_limited_whatever_the_jobs, 0, 6);
    tcase_add_test(tcase, work_is_limited);
    tcase_add_test(tcase, network_that_cannot_be_prepared_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
