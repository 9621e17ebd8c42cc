#include "verify_sample.h"

#include "refine/same_steps.h"

Suite *same_steps_suite(void);

#define OF_P(declarations, locations, edges)                                                       \
    NTA(declarations, TEMPLATE("P", "", "", locations INIT("A") edges), "system P;", "")
#define TWO LOCATION("A") LOCATION("B")

static const char *problem_of(const char *before, const char *after) {
    const struct search_options limits = {.max_states = 1000, .jobs = 1};
    struct session sessions[SIDE_COUNT];
    ck_assert(session_load_bytes(&sessions[SIDE_CONCRETE], "before", str_of(before)));
    ck_assert(session_load_bytes(&sessions[SIDE_ABSTRACT], "after", str_of(after)));
    for (int side = 0; side < SIDE_COUNT; side++) ck_assert(session_build(&sessions[side]));
    struct same_steps same = same_steps_compare(&arena, &sessions[SIDE_CONCRETE],
                                                &sessions[SIDE_ABSTRACT], NULL, 0, &limits);
    const char *problem = same.problem ? arena_printf(&arena, "%s", same.problem) : "";
    for (int side = 0; side < SIDE_COUNT; side++) session_drop(&sessions[side]);
    return problem;
}

START_TEST(the_same_with_a_variable_less) {
    const char *after = OF_P("", TWO, EDGE("A", "B", ""));
    ck_assert_str_eq(problem_of(OF_P("bool x;", TWO, EDGE("A", "B", UPDATE("x = true"))), after),
                     "");
}
END_TEST

START_TEST(a_step_more_or_less) {
    const char *few = OF_P("", TWO, EDGE("A", "B", "")),
               *many = OF_P("", TWO, EDGE("A", "B", "") EDGE("B", "A", ""));
    ck_assert_str_eq(problem_of(few, many), "the two do not have the same steps");
    ck_assert_str_eq(problem_of(many, few), "the two do not have the same steps");
}
END_TEST

START_TEST(a_loop_is_no_deadlock) {
    const char *stuck = OF_P("", TWO, EDGE("A", "B", "")),
               *stays = OF_P("", TWO, EDGE("A", "B", "") EDGE("B", "B", ""));
    ck_assert_str_eq(problem_of(stuck, stays), "the two do not have the same steps");
}
END_TEST

START_TEST(time_that_may_pass) {
    const char *idle = OF_P("", TWO, EDGE("A", "B", "") EDGE("B", "A", "")),
               *urgent = OF_P("", LOCATION("A") URGENT("B"), EDGE("A", "B", "") EDGE("B", "A", ""));
    ck_assert_str_eq(problem_of(idle, urgent),
                     "time may pass for ever in states of one of the two only");
}
END_TEST

START_TEST(runtime_errors) {
    const char *before =
                   OF_P("int[0,1] x;", TWO, EDGE("A", "B", "") EDGE("A", "A", UPDATE("x = 2"))),
               *after = OF_P("int[0,1] x;", TWO, EDGE("A", "B", ""));
    ck_assert_str_eq(problem_of(before, after),
                     "there are runtime errors, at which Uppaal would stop");
    ck_assert_str_eq(problem_of(after, before),
                     "there are runtime errors, at which Uppaal would stop");
}
END_TEST

START_TEST(meta_variables) {
    const char *before =
                   OF_P("meta int x, y;", TWO, EDGE("A", "B", GUARD("x == 0") UPDATE("x = 1"))),
               *same = OF_P("meta int x;", TWO, EDGE("A", "B", GUARD("x == 0") UPDATE("x = 1"))),
               *after = OF_P("meta int x;", TWO, EDGE("A", "B", GUARD("x == 0") UPDATE("x = 2")));
    ck_assert_str_eq(problem_of(before, same), "");
    ck_assert_str_eq(problem_of(before, after), "the two do not have the same steps");
}
END_TEST

START_TEST(too_many_states) {
    const char *model =
        OF_P("int[0,2000] x;", TWO, EDGE("A", "A", GUARD("x &lt; 2000") UPDATE("x++")));
    ck_assert_str_eq(problem_of(model, model), "the limit on states was met");
}
END_TEST

Suite *same_steps_suite(void) {
    Suite *suite = suite_create("same_steps");
    TCase *tcase = tcase_create("same_steps");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_same_with_a_variable_less);
    tcase_add_test(tcase, a_step_more_or_less);
    tcase_add_test(tcase, a_loop_is_no_deadlock);
    tcase_add_test(tcase, time_that_may_pass);
    tcase_add_test(tcase, runtime_errors);
    tcase_add_test(tcase, meta_variables);
    tcase_add_test(tcase, too_many_states);
    suite_add_tcase(suite, tcase);
    return suite;
}
