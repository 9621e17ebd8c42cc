/* Programs whose actions are compiled when they are needed, and programs that searches share. */
#include "verify_sample.h"

#include "explore/space/figures.h"
#include "explore/space/search.h"

Suite *program_suite(void);

/* Its states have more bits than rows of actions are made for. */
#define LARGE(declarations, body)                                                                  \
    NTA("int[0,1] padding[300]; chan never;",                                                      \
        TEMPLATE("P", "", declarations, body)                                                      \
            TEMPLATE("Padding", "", "",                                                            \
                     LOCATION("L") INIT("L") EDGE("L", "L",                                        \
                                                  SELECT("i : int[0,299]") SYNC("never!")          \
                                                      UPDATE("padding[i] = 1 - padding[i]"))),     \
        "system P, Padding;", "")

static struct search search;

static void explore(const char *text, uint64_t max_states, uint64_t first_look) {
    struct search_options search_options = {
        .jobs = 1, .is_full = true, .max_states = max_states, .first_look = first_look};
    sample_open(&sample, text);
    ck_assert(search_run(&search, sample.network, &search_options, NULL, 0));
}

static void end(void) {
    search_close(&search);
    teardown();
}

static uint32_t count_actions(enum action_state state) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < search.program->actions.count; i++)
        count += search.program->actions.items[i].state == state;
    return count;
}

static void check_figures(uint64_t states, uint64_t transitions, uint64_t errors) {
    ck_assert(search.is_complete);
    ck_assert_uint_eq(store_count(&search.store), states);
    ck_assert_uint_eq(search.transitions, transitions);
    ck_assert_uint_eq(search.errors, errors);
}

/* B and what follows are not reached; one update fails, one leads to where nothing may be, and one
 * guard fails where it does not hold. */
#define COUNTS                                                                                     \
    LARGE("int[0,9] n; int[0,3] m;",                                                               \
          LOCATION("A") LOCATION("B") INVARIANT("C", "n &lt; 3") INIT("A")                         \
              EDGE("A", "A", GUARD("n &lt; 9") UPDATE("n = n + 1"))                                \
                  EDGE("A", "B", GUARD("n == 9 &amp;&amp; m == 1"))                                \
                      EDGE("B", "A", UPDATE("n = 0"))                                              \
                          EDGE("A", "A", GUARD("n == 7") UPDATE("m = m - 1"))                      \
                              EDGE("A", "C", UPDATE("n = 5"))                                      \
                                  EDGE("A", "A", GUARD("1 / m &gt; 0 &amp;&amp; n &lt; 0")))

START_TEST(actions_wait_until_they_are_needed) {
    explore(COUNTS, 100, 0);
    ck_assert(search.program->has_waiting);
    check_figures(10, 9, 11);
    ck_assert_uint_eq(count_actions(ACTION_NEVER), 1);
    ck_assert_uint_eq(count_actions(ACTION_WAITS), 2); /* from A to B and back */
    ck_assert_uint_eq(count_actions(ACTION_READY), 3);
}
END_TEST

/* A look at one state, and then all of them. */
START_TEST(figures_are_those_of_actions_that_do_not_wait) {
    explore(COUNTS, 0, 1);
    ck_assert(!search.program->has_waiting);
    check_figures(10, 9, 11);
    ck_assert_uint_eq(count_actions(ACTION_READY), search.program->actions.count);
}
END_TEST

START_TEST(small_states_have_no_actions_that_wait) {
    explore(ONE("int[0,9] n;",
                LOCATION("A") INIT("A") EDGE("A", "A", GUARD("n &lt; 9") UPDATE("n = n + 1")), ""),
            100, 0);
    ck_assert(!search.program->has_waiting);
    check_figures(10, 9, 0);
}
END_TEST

/* Two expanders, of which one was there before the other has compiled an action that only the
 * interpreter can run. */
START_TEST(each_machine_is_ready_for_what_another_one_has_needed) {
    explore(LARGE("int[0,9] n; int f(int k) { int s = 0; int[0,3] a[60]; "
                  "while (s &lt; k) { a[s] = s % 3; s++; } return a[k - 1] + s - a[k - 1]; }",
                  LOCATION("A") INIT("A") EDGE("A", "A", GUARD("n &lt; 9") UPDATE("n = f(n + 1)"))),
            100, 0);
    ck_assert(search.program->has_waiting);
    check_figures(10, 9, 0);
    uint32_t actions = search.program->actions.count;
    search_close(&search);
    struct search_options search_options = {.jobs = 1, .is_full = true, .max_states = 1};
    struct expander expanders[2];
    ck_assert(search_run(&search, sample.network, &search_options, NULL, 0));
    ck_assert_uint_eq(search.program->actions.count, actions);
    for (int i = 0; i < 2; i++) expander_init(&expanders[i], search.program);
    for (int i = 0; i < 2; i++) {
        ck_assert(expander_run(&expanders[i], search.layout->initial));
        ck_assert_uint_eq(expander_degree(&expanders[i]), 1);
        expander_close(&expanders[i]);
    }
}
END_TEST

/* The first search is closed, and the other one goes on. */
START_TEST(searches_share_what_they_have_prepared) {
    struct search other;
    struct search_options search_options = {.jobs = 1, .is_full = true};
    explore(COUNTS, 0, 1);
    ck_assert(search_prepare_like(&other, sample.network, &search_options, NULL, 0, &search));
    ck_assert_ptr_eq(other.prepared, search.prepared);
    ck_assert_uint_eq(other.prepared->users, 2);
    ck_assert_ptr_ne(other.program, search.program);
    search_close(&search);
    ck_assert_uint_eq(other.prepared->users, 1);
    struct expander expander;
    expander_init(&expander, other.program);
    ck_assert(expander_run(&expander, other.layout->initial));
    ck_assert_uint_eq(expander_degree(&expander), 1);
    expander_close(&expander);
    search = other; /* to be closed */
}
END_TEST

/* A search with wider ranges has a program of its own. */
START_TEST(ranges_that_differ_are_not_shared) {
    struct search other;
    struct search_options search_options = {.jobs = 1, .is_full = true};
    explore(COUNTS, 0, 1);
    search_widen(&search, 0, 1);
    search.guesses[0].upper = search.guesses[0].upper == 0 ? 1 : 0;
    ck_assert(search_prepare_like(&other, sample.network, &search_options, NULL, 0, &search));
    ck_assert_ptr_ne(other.prepared, search.prepared);
    ck_assert_uint_eq(search.prepared->users, 1);
    search_close(&other);
}
END_TEST

/* 301 states, of which the first has 300 successors and each other one 4; of the first few, `at == 5`
 * has a step that fails. */
#define RING(failing)                                                                              \
    ONE("int[0,1] a[300]; int[-1,299] at = -1;",                                                   \
        LOCATION("A") INIT("A")                                                                    \
            EDGE("A", "A", SELECT("i : int[0,299]") GUARD("at == -1") UPDATE("a[i] = 1, at = i"))  \
                EDGE("A", "A",                                                                     \
                     SELECT("k : int[1,4]") GUARD("at &gt;= 0")                                    \
                         UPDATE("a[at] = 0, at = (at + k) % 300, a[at] = 1"))                      \
                    EDGE("A", "A", GUARD("at == " failing) UPDATE("a[0] = at")),                   \
        "")

static void run_search(struct search_options search_options) {
    search_options.jobs = 1;
    search_options.is_full = true;
    if (!search_options.first_look) search_options.first_look = 20;
    ck_assert(search_run(&search, sample.network, &search_options, NULL, 0));
}

static void look(const char *text, struct search_options search_options) {
    sample_open(&sample, text);
    run_search(search_options);
}

static void look_again(struct search_options search_options) {
    search_close(&search);
    run_search(search_options);
}

static uint64_t states_of_figures(void) {
    struct arena own;
    arena_init(&own);
    uint64_t states = figures_of(&search, &own).states.value;
    arena_close(&own);
    return states;
}

START_TEST(a_look_that_goes_on_counts_the_same) {
    look(COUNTS, (struct search_options){.max_states = 100});
    look_again((struct search_options){.max_states = 100, .first_look = 1, .keeps_from = 1});
    check_figures(10, 9, 11);
    sample_close(&sample);
    search_close(&search);
    look(RING("250"), (struct search_options){.max_states = 400});
    ck_assert(!search.is_kept);
    check_figures(301, 1500, 1);
    look_again((struct search_options){.max_states = 400, .keeps_from = 1});
    ck_assert(search.is_kept && !search.is_ahead && search.program->has_waiting);
    check_figures(301, 1500, 1);
    /* More fields than there are. */
    look_again((struct search_options){.max_states = 400, .keeps_from = 400});
    ck_assert(!search.is_kept);
    check_figures(301, 1500, 1);
}
END_TEST

/* Near a limit on work it may end elsewhere than another layout does. */
START_TEST(a_look_goes_on_far_from_limits_on_work) {
    look(RING("250"), (struct search_options){.max_states = 400, .max_work = 1200});
    uint64_t states = store_count(&search.store), work = search.work;
    ck_assert(!search.is_complete && search.limit == LIMIT_STATES && states == 301);
    look_again((struct search_options){.max_states = 400, .max_work = 1200, .keeps_from = 1});
    ck_assert(!search.is_complete && search.limit == LIMIT_STATES && !search.is_kept);
    ck_assert_uint_eq(store_count(&search.store), states);
    ck_assert_uint_eq(search.work, work);
}
END_TEST

/* Of states that are found again and again each counts once. */
START_TEST(what_is_ahead_is_more_than_the_limit) {
    look(RING("250"), (struct search_options){.max_states = 301, .only_small = true});
    ck_assert(!search.is_ahead);
    check_figures(301, 1500, 1);
    look_again((struct search_options){.max_states = 300, .only_small = true});
    ck_assert(search.is_ahead && !search.is_complete && search.limit == LIMIT_STATES);
    ck_assert_uint_eq(store_count(&search.store), 20);
    look_again((struct search_options){.max_states = 300, .keeps_from = 1});
    ck_assert(search.is_ahead && search.is_kept && search.limit == LIMIT_STATES);
    ck_assert_uint_eq(states_of_figures(), 300);
    look_again((struct search_options){.max_states = 300});
    ck_assert(!search.is_ahead && search.limit == LIMIT_STATES);
    ck_assert_uint_eq(states_of_figures(), 300);
}
END_TEST

START_TEST(errors_ahead_are_looked_for_by_the_search) {
    look(RING("5"), (struct search_options){.max_states = 300, .keeps_from = 1});
    ck_assert(!search.is_ahead && search.is_kept && search.limit == LIMIT_STATES);
    ck_assert_uint_eq(states_of_figures(), 300);
}
END_TEST

Suite *program_suite(void) {
    Suite *suite = suite_create("program");
    TCase *tcase = tcase_create("program");
    tcase_add_checked_fixture(tcase, setup, end);
    tcase_add_test(tcase, actions_wait_until_they_are_needed);
    tcase_add_test(tcase, figures_are_those_of_actions_that_do_not_wait);
    tcase_add_test(tcase, small_states_have_no_actions_that_wait);
    tcase_add_test(tcase, each_machine_is_ready_for_what_another_one_has_needed);
    tcase_add_test(tcase, searches_share_what_they_have_prepared);
    tcase_add_test(tcase, ranges_that_differ_are_not_shared);
    tcase_add_test(tcase, a_look_that_goes_on_counts_the_same);
    tcase_add_test(tcase, a_look_goes_on_far_from_limits_on_work);
    tcase_add_test(tcase, what_is_ahead_is_more_than_the_limit);
    tcase_add_test(tcase, errors_ahead_are_looked_for_by_the_search);
    suite_add_tcase(suite, tcase);
    return suite;
}
