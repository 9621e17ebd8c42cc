#include "verify_sample.h"

#include "explore/space/worker.h"

Suite *memo_suite(void);

#define STEP(update) EDGE("A", "A", UPDATE(update))
#define COUNTS(variable, most)                                                                     \
    EDGE("A", "A", GUARD(variable " &lt; " most) UPDATE(variable " = " variable " + 1"))

static const struct memo *explore(const char *text) {
    options.search.is_full = true;
    run(text, SEMANTICS_UPPAAL);
    ck_assert(verification.search->is_complete);
    return &verification.search->workers[0].expander.memos[0];
}

static void check_figures(uint64_t states, uint64_t transitions) {
    ck_assert_uint_eq(store_count(&verification.search->store), states);
    ck_assert_uint_eq(verification.search->transitions, transitions);
}

/* Three counters of 32 values: all of them together are too many keys, each alone is few. */
START_TEST(groups_with_many_keys_are_split) {
    const struct memo *memo = explore(
        NTA("int[0,1] way;",
            TEMPLATE("P", "", "int[0,31] x, y, z;",
                     LOCATION("A") LOCATION("B") INIT("A") COUNTS("x", "31") COUNTS("y", "31")
                         COUNTS("z", "31")
                             EDGE("A", "B", GUARD("x == 31 &amp;&amp; y == 31") UPDATE("way = 1"))),
            "system P;", ""));
    check_figures(32 * 32 * 32 + 32, 3 * 31 * 32 * 32 + 32);
    ck_assert(memo->tables.items[0]->is_given_up);
    ck_assert_ptr_null(memo->list.items[0].table);
}
END_TEST

/* Ten processes of three locations, one of which has to wait for a flag. */
START_TEST(groups_with_few_keys_are_merged) {
    const struct memo *memo = explore(
        NTA("typedef int[0,9] id_t; bool is_set; int last;",
            TEMPLATE("P", "const id_t me", "",
                     LOCATION("A") LOCATION("B") LOCATION("C") INIT("A")
                         EDGE("A", "B", UPDATE("is_set = true")) EDGE("B", "C", GUARD("is_set"))
                             EDGE("C", "A", UPDATE("last = 0"))),
            "system P;", ""));
    check_figures(59049 + 1, 590490 + 10);
    uint32_t merged = 0;
    for (uint32_t i = 0; i < memo->tables.count; i++)
        merged += memo->tables.items[i]->halves[0] != NULL;
    ck_assert_uint_gt(merged, 4);
    ck_assert_uint_lt(memo->list.count, 5);
}
END_TEST

/* Two counters that look small for long: they are merged, and parted when they have got large. */
START_TEST(merged_groups_are_parted_again) {
    const struct memo *memo =
        explore(NTA("const int most[6] = {3, 3, 3, 3, 70, 70}; typedef int[0,5] id_t;",
                    TEMPLATE("P", "const id_t me", "int[0,70] x;",
                             LOCATION("A") INIT("A") COUNTS("x", "most[me]")),
                    "system P;", ""));
    check_figures(71 * 71 * 256, 2 * 70 * 71 * 256 + 4 * 71 * 71 * 192);
    uint32_t parted = 0;
    for (uint32_t i = 0; i < memo->tables.count; i++)
        parted += memo->tables.items[i]->is_given_up && memo->tables.items[i]->halves[0] != NULL;
    ck_assert_uint_gt(parted, 0);
}
END_TEST

/* What only some states make fail is seen there, in the order of the edges. */
START_TEST(errors_are_those_of_the_rows) {
    explore(NTA("int[0,3] a; int[0,5] b; int[0,99] c;",
                TEMPLATE("P", "", "",
                         LOCATION("A") INIT("A") STEP("b = b + 1") STEP("a = (a + 1) % 4, b = b")
                             STEP("a = a + 1") COUNTS("c", "99")),
                "system P;", ""));
    check_figures(4 * 6 * 100, 5 * 400 + 2400 + 3 * 600 + 99 * 24);
    ck_assert_uint_eq(verification.search->errors, 400 + 600);
}
END_TEST

static int compare_words(const void *left, const void *right) {
    const uint64_t *one = left, *other = right;
    return (*one > *other) - (*one < *other);
}

/* Runs one expander by rows and one by what it remembers; states have one word. */
static void check_expansions(void) {
    const struct search *search = verification.search;
    struct expander rows, known;
    uint64_t state[8] = {0};
    expander_init(&rows, search->program);
    expander_init(&known, search->program);
    known.rows_first = 0;
    ck_assert_uint_eq(rows.word_count, 1);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t row = 0; row < store_count(&search->store); row++) {
            store_load(&search->store, row, state);
            expander_clear(&rows);
            expander_clear(&known);
            ck_assert(expander_run(&rows, state) && expander_run(&known, state));
            ck_assert_uint_eq(rows.count, known.count);
            qsort(rows.states, rows.count, sizeof *rows.states, compare_words);
            qsort(known.states, known.count, sizeof *known.states, compare_words);
            ck_assert(!memcmp(rows.states, known.states, rows.count * sizeof *rows.states));
            ck_assert_uint_eq(rows.error_count, known.error_count);
            ck_assert(!rows.error_count ||
                      rows.first_error.span.begin == known.first_error.span.begin);
            ck_assert_int_eq(expander_can_idle(&rows), expander_can_idle(&known));
        }
    ck_assert_ptr_nonnull(known.memos[0].program);
    expander_close(&rows);
    expander_close(&known);
}

/* Urgent channels, committed locations, failures, indices that are not known. */
START_TEST(expansions_are_those_of_the_rows) {
    explore(NTA("urgent chan u; chan c; int[0,3] a[3]; int[0,2] i; int[0,5] n; bool f;",
                TEMPLATE("P", "const int[0,2] me", "int[0,2] x;",
                         LOCATION("A") LOCATION("B") COMMITTED("C") INIT("A")
                             EDGE("A", "A", GUARD("a[i] &lt; 3") UPDATE("a[i] = a[i] + 1, x = i"))
                                 EDGE("A", "B", SYNC("u!") UPDATE("i = me"))
                                     EDGE("B", "C", SYNC("c!") UPDATE("f = !f"))
                                         EDGE("B", "A", UPDATE("n = n + 1"))
                                             EDGE("C", "A", UPDATE("a[me] = 0, n = 0")))
                    TEMPLATE("Q", "", "",
                             LOCATION("A") LOCATION("B") INIT("A")
                                 EDGE("A", "B", GUARD("!f || n == 2") SYNC("u?"))
                                     EDGE("B", "A", SYNC("c?")) EDGE("B", "A", "")),
                "system P, Q;", ""));
    ck_assert_uint_gt(verification.search->errors, 0);
    check_expansions();
}
END_TEST

Suite *memo_suite(void) {
    Suite *suite = suite_create("memo");
    TCase *tcase = tcase_create("memo");
    tcase_set_timeout(tcase, 240); /* with sanitizers, on a busy machine */
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, groups_with_many_keys_are_split);
    tcase_add_test(tcase, groups_with_few_keys_are_merged);
    tcase_add_test(tcase, merged_groups_are_parted_again);
    tcase_add_test(tcase, expansions_are_those_of_the_rows);
    tcase_add_test(tcase, errors_are_those_of_the_rows);
    suite_add_tcase(suite, tcase);
    return suite;
}
