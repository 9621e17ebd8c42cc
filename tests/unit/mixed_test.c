#include "verify_sample.h"

Suite *mixed_suite(void);

#define MARK(text) "<label kind=\"comments\">" text "</label>"
#define MIXED "//varabs: mixed\n//varabs: observe P: location;\n//varabs: observe Q: v;\n"
/* P goes from a to b to c, and may look back; v is 1 in c. Q looks on. */
#define WAY(more, first, second, queries)                                                          \
    NTA("int[0,1] v;\n" MIXED more,                                                                \
        TEMPLATE("P", "", "",                                                                      \
                 LOCATION("a") LOCATION("b") LOCATION("c") INIT("a") EDGE("a", "b", first)         \
                     EDGE("b", "c", second UPDATE("v = 1")))                                       \
            TEMPLATE("Q", "", "", LOCATION("q") INIT("q")),                                        \
        "system P, Q;", queries)
#define ABOUT_P QUERY("<<P>> F P.b") QUERY("<<P>> G P.a") QUERY("<<Q>> F P.b")
#define ABOUT_STEPS                                                                                \
    QUERY("E<> P.b")                                                                               \
    QUERY("E<> P.c")                                                                               \
    QUERY("A<> P.b")                                                                               \
    QUERY("A<> P.c")                                                                               \
    QUERY("A[] !P.c")                                                                              \
    QUERY("EX P.b")                                                                                \
    QUERY("AX P.b")                                                                                \
    QUERY("E[] P.a") QUERY("A[] (P.b imply EX P.c)") QUERY("E(P.a U P.b)") QUERY("A(P.a W P.b)")

START_TEST(without_marks_all_is_certain) {
    run(WAY("", "", "", ABOUT_STEPS), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "SSSSVSSVSSS");
}
END_TEST

START_TEST(what_may_be_there) {
    run(WAY("", MARK("@may"), "", ABOUT_STEPS), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "UUUUUUUUSUS");
}
END_TEST

START_TEST(what_may_come_later) {
    run(WAY("", "", MARK("@may"), ABOUT_STEPS), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "SUSUUSSVUSS");
}
END_TEST

/* It is there, but what it does is not certain. */
START_TEST(what_is_sure) {
    run(WAY("", MARK("@sure"), "", ABOUT_STEPS), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "UUSSUUSVSUS");
}
END_TEST

START_TEST(the_weaker_of_two_marks_counts) {
    run(WAY("", MARK("@sure @may"), "", ABOUT_STEPS), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "UUUUUUUUSUS");
}
END_TEST

START_TEST(marks_count_in_mixed_models_only) {
    run(NTA("int v;",
            TEMPLATE("P", "", "",
                     LOCATION("a") LOCATION("b") INIT("a") EDGE("a", "b", MARK("@may"))),
            "system P;", QUERY("E<> P.b")),
        SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
}
END_TEST

/* In c, which may not be there, v is another. */
#define ABOUT_Q                                                                                    \
    QUERY("A[] (v == 0 imply K(Q, !P.c))")                                                         \
    QUERY("A[] (P.a imply not K(Q, P.a))")                                                         \
    QUERY("E<> K(Q, P.c)")                                                                         \
    QUERY("A[] Kw(Q, v)")                                                                          \
    QUERY("A[] (P.a imply not Kw(P, v))")                                                          \
    QUERY("A[] (P.a imply GCK({P, Q}, P.a))") QUERY("A[] DK({P, Q}, v == 0 || P.c)")

START_TEST(alibis_are_real) {
    run(WAY("", "", MARK("@may"), ABOUT_Q), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "SSUSVVS");
    run(WAY("", MARK("@may"), "", ABOUT_Q), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "SUUSVUS");
}
END_TEST

/* Who has lost something may tell more apart: of it no lack of knowledge is certain. */
START_TEST(who_has_lost_something) {
    run(WAY("//varabs: lost Q;", "", MARK("@may"), ABOUT_Q), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "SUUSVUS");
}
END_TEST

START_TEST(what_is_not_answered) {
    run(WAY("", "", "", QUERY("A[] not deadlock")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_ptr_nonnull(verification.answers[0].problem);
}
END_TEST

/* What a coalition can bring about, by the mark of its first edge. */
START_TEST(coalitions) {
    run(WAY("", "", "", ABOUT_P), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "SVS");
    run(WAY("", MARK("@may"), "", ABOUT_P), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "UUU");
}
END_TEST

Suite *mixed_suite(void) {
    Suite *suite = suite_create("mixed");
    TCase *tcase = tcase_create("mixed");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, without_marks_all_is_certain);
    tcase_add_test(tcase, what_may_be_there);
    tcase_add_test(tcase, what_may_come_later);
    tcase_add_test(tcase, what_is_sure);
    tcase_add_test(tcase, the_weaker_of_two_marks_counts);
    tcase_add_test(tcase, marks_count_in_mixed_models_only);
    tcase_add_test(tcase, alibis_are_real);
    tcase_add_test(tcase, who_has_lost_something);
    tcase_add_test(tcase, what_is_not_answered);
    tcase_add_test(tcase, coalitions);
    suite_add_tcase(suite, tcase);
    return suite;
}
