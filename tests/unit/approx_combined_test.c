/* The value analysis on the product of all processes (rule A6), on models whose results were
 * computed by hand. */
#include "approx_sample.h"

#include <check.h>

Suite *approx_combined_suite(void);

static struct sample sample;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

START_TEST(a6_a_handshake_is_followed) {
    sample_open(&sample, HANDSHAKE);
    sample_analyse(&sample, "x y", APPROX_COMBINED, 0);
    check_values(&sample, "R.a", "x", "{0}");
    check_values(&sample, "R.b", "x", "{1,2}");
    check_values(&sample, "R.b", "v", "{0}");
    ck_assert(!sample_reaches(&sample, "R", "d"));
    ck_assert_str_eq(sample_shared(&sample, "v"), "{0,1,2}"); /* within the step */
    ck_assert(!sample_fact(&sample, "R", 1)->is_reached &&
              sample_fact(&sample, "R", 0)->is_reached);
}
END_TEST

START_TEST(a6_committed_locations_go_first) {
    sample_open(
        &sample,
        MODEL("int[0,3] g;",
              TEMPLATE("P", "", "",
                       LOCATION("a") COMMITTED("b") LOCATION("c") INIT("a")
                           EDGE("a", "b", UPDATE("g = 1")) EDGE("b", "c", UPDATE("g = 2")))
                  TEMPLATE("Q", "", "int[0,3] x;",
                           LOCATION("a") LOCATION("b") INIT("a") EDGE("a", "b", UPDATE("x = g"))),
              "system P, Q;"));
    sample_analyse(&sample, "x", APPROX_TEMPLATE, 0);
    check_values(&sample, "Q.b", "x", "{0,1,2}");
    sample_analyse(&sample, "x", APPROX_COMBINED, 0);
    check_values(&sample, "Q.b", "x", "{0,2}");
}
END_TEST

START_TEST(a6_broadcasts_reach_all_who_can_receive) {
    sample_open(&sample,
                MODEL("broadcast chan go; int[0,3] turn;",
                      TEMPLATE("S", "", "",
                               LOCATION("a") LOCATION("b") INIT("a")
                                   EDGE("a", "b", SYNC("go!") UPDATE("turn = 1")))
                          TEMPLATE("R", "const int[1,2] i", "int[0,3] x;",
                                   LOCATION("a") LOCATION("b") INIT("a") EDGE(
                                       "a", "b", SYNC("go?") UPDATE("x = turn, turn = turn + 1"))),
                      "system S, R;"));
    sample_analyse(&sample, "x", APPROX_COMBINED, 0);
    check_values(&sample, "R.b", "x", "{1,2}");  /* in system order */
    check_values(&sample, "S.b", "turn", "{3}"); /* nobody was left out */
    ck_assert_str_eq(sample_shared(&sample, "turn"), "{0,1,2,3}");
}
END_TEST

START_TEST(a6_who_cannot_receive_is_left_out) {
    sample_open(
        &sample,
        MODEL("broadcast chan go; int[0,3] turn;",
              TEMPLATE("S", "", "",
                       LOCATION("a") LOCATION("b") INIT("a")
                           EDGE("a", "b", SYNC("go!") UPDATE("turn = 1")))
                  TEMPLATE("R", "const int[1,2] i", "int[0,3] x; bool late;",
                           LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")
                               EDGE("a", "a", GUARD("i == 2") UPDATE("late = true")) EDGE(
                                   "a", "b", GUARD("!late") SYNC("go?") UPDATE("x = turn, turn++"))
                                   EDGE("a", "c", GUARD("turn == 2 and late"))),
              "system S, R;"));
    sample_analyse(&sample, "x", APPROX_COMBINED, 0);
    check_values(&sample, "S.b", "turn", "{2,3}"); /* the first process always receives */
    check_values(&sample, "R.b", "x", "{1,2}");
    check_values(&sample, "R.c", "late", "{1}");
}
END_TEST

START_TEST(a6_channels_are_compared) {
    sample_open(&sample, MODEL("chan c[3]; int[0,3] v;",
                               TEMPLATE("S", "", "",
                                        LOCATION("a") LOCATION("b") INIT("a")
                                            EDGE("a", "b",
                                                 SELECT("s : int[0,2]") GUARD("s != 1")
                                                     SYNC("c[s]!") UPDATE("v = s + 1")))
                                   TEMPLATE("R", "chan &amp;d[3], const int i", "int[0,3] x;",
                                            LOCATION("a") LOCATION("b") INIT("a")
                                                EDGE("a", "b", SYNC("d[i]?") UPDATE("x = v"))),
                               "A = R(c, 1); B = R(c, 2); system S, A, B;"));
    sample_analyse(&sample, "x", APPROX_COMBINED, 0);
    check_values(&sample, "R.b", "x", "{3}"); /* B alone */
}
END_TEST

START_TEST(a6_branchpoints_are_within_steps) {
    sample_open(&sample, MODEL("chan c; int[0,5] v;",
                               TEMPLATE("S", "", "int[0,5] x;",
                                        LOCATION("a") LOCATION("b") BRANCHPOINT("s") INIT("a")
                                            EDGE("a", "s", SYNC("c!") UPDATE("v = 1, x = 2"))
                                                EDGE("s", "b", UPDATE("v = v + x"))
                                                    EDGE("s", "a", UPDATE("v = 5, x = 0")))
                                   TEMPLATE("R", "", "int[0,5] y;",
                                            LOCATION("a") LOCATION("b") INIT("a")
                                                EDGE("a", "b", SYNC("c?") UPDATE("y = v, v = 0"))),
                               "system S, R;"));
    sample_analyse(&sample, "x y", APPROX_COMBINED, 0);
    check_values(&sample, "S.branchpoint", "x", "{2}");
    check_values(&sample, "S.branchpoint", "v", "{1}");
    check_values(&sample, "R.b", "y", "{3,5}");
    check_values(&sample, "S.b", "v", "{0}");
    ck_assert_str_eq(sample_shared(&sample, "v"), "{0,1,3,5}");
}
END_TEST

START_TEST(a6_too_many_vectors_are_an_error) {
    sample_open(&sample, MODEL("typedef int[1,6] id_t;",
                               TEMPLATE("P", "const id_t i", "int[0,1] x;",
                                        LOCATION("a") LOCATION("b") INIT("a")
                                            EDGE("a", "b", UPDATE("x = 1"))),
                               "system P;"));
    sample_analyse(&sample, "x", APPROX_COMBINED, 63);
    ck_assert_ptr_null(sample.analysis);
    ck_assert_int_eq((int)sample.diag.status, STATUS_LIMIT);
    ck_assert_str_eq(sample.diag.items.items[sample.diag.items.count - 1].message,
                     "the combined graph has more than 63 location vectors; use --approx template "
                     "or raise --budget");
    sample_analyse(&sample, "x", APPROX_COMBINED, 64);
    ck_assert_ptr_nonnull(sample.analysis);
    check_values(&sample, "P.b", "x", "{1}");
}
END_TEST

Suite *approx_combined_suite(void) {
    Suite *suite = suite_create("approx_combined");
    TCase *combined = tcase_create("combined");
    tcase_add_checked_fixture(combined, setup, teardown);
    tcase_add_test(combined, a6_a_handshake_is_followed);
    tcase_add_test(combined, a6_committed_locations_go_first);
    tcase_add_test(combined, a6_broadcasts_reach_all_who_can_receive);
    tcase_add_test(combined, a6_who_cannot_receive_is_left_out);
    tcase_add_test(combined, a6_channels_are_compared);
    tcase_add_test(combined, a6_branchpoints_are_within_steps);
    tcase_add_test(combined, a6_too_many_vectors_are_an_error);
    suite_add_tcase(suite, combined);
    return suite;
}
