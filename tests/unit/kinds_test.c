#include "lang/syntax/kinds.h"

#include <check.h>

Suite *kinds_suite(void);

/* What decides a query, whether it is about all states or runs, and what is looked for. */
static const struct {
    enum quantifier quantifier;
    enum query_family family;
    bool is_universal, seeks_negation;
} queries[] = {
    {QUERY_EMPTY, FAMILY_NONE, false, false},
    {QUERY_ALWAYS, FAMILY_REACHABILITY, true, true},     /* not p, somewhere */
    {QUERY_POSSIBLY, FAMILY_REACHABILITY, false, false}, /* p, somewhere */
    {QUERY_EVENTUALLY, FAMILY_LIVENESS, true, true},     /* a run of not p */
    {QUERY_POTENTIALLY, FAMILY_LIVENESS, false, false},  /* a run of p */
    {QUERY_LEADS_TO, FAMILY_LIVENESS, true, false},      /* p, and from there a run of not q */
    {QUERY_SUP, FAMILY_BOUNDS, true, false},
    {QUERY_INF, FAMILY_BOUNDS, true, false},
    {QUERY_BOUNDS, FAMILY_BOUNDS, true, false},
    {QUERY_INVALID, FAMILY_NONE, false, false},
};

START_TEST(queries_are_decided_as_their_quantifiers_say) {
    const struct query_traits *traits = query_traits(queries[_i].quantifier);
    ck_assert_int_eq(traits->family, queries[_i].family);
    ck_assert_int_eq(traits->is_universal, queries[_i].is_universal);
    ck_assert_int_eq(traits->seeks_negation, queries[_i].seeks_negation);
}
END_TEST

START_TEST(bounds_are_asked_for_by_name) {
    ck_assert(query_traits(QUERY_SUP)->wants_upper && !query_traits(QUERY_SUP)->wants_lower);
    ck_assert(query_traits(QUERY_INF)->wants_lower && !query_traits(QUERY_INF)->wants_upper);
    ck_assert(query_traits(QUERY_BOUNDS)->wants_lower && query_traits(QUERY_BOUNDS)->wants_upper);
    ck_assert(!query_traits(QUERY_ALWAYS)->wants_lower && !query_traits(QUERY_ALWAYS)->wants_upper);
}
END_TEST

START_TEST(every_kind_of_expression_has_a_row) {
    const struct expr_traits *traits = expr_traits((enum expr_kind)_i);
    bool has_operator =
        _i == EXPR_UNARY || _i == EXPR_BINARY || _i == EXPR_ASSIGN || _i == EXPR_STEP;
    ck_assert_int_eq(traits->level == 0, has_operator);
    ck_assert_int_le(traits->child_count, 3);
    ck_assert(!traits->is_for_queries || traits->is_modal || traits->text);
    ck_assert(!traits->changes || traits->may_fail);
}
END_TEST

START_TEST(words_of_queries_are_found) {
    enum expr_kind kind;
    ck_assert(expr_kind_of_word("deadlock", &kind));
    ck_assert_int_eq(kind, EXPR_DEADLOCK);
    ck_assert(!expr_kind_of_word("deadlocks", &kind));
}
END_TEST

START_TEST(what_looks_further_is_found_at_any_depth) {
    struct expr deadlock = {.kind = EXPR_DEADLOCK}, truth = {.kind = EXPR_BOOL, .value = 1};
    struct expr *arguments[] = {&truth, &deadlock};
    struct expr call = {.kind = EXPR_CALL, .arguments = arguments, .argument_count = 2};
    struct expr both = {.kind = EXPR_BINARY, .op = OP_AND, .child = {&truth, &call}};
    ck_assert(!expr_is_beyond_state(NULL) && !expr_is_beyond_state(&truth));
    ck_assert(expr_is_beyond_state(&deadlock) && expr_is_beyond_state(&both));
    call.argument_count = 1;
    ck_assert(!expr_is_beyond_state(&both));
}
END_TEST

Suite *kinds_suite(void) {
    Suite *suite = suite_create("kinds");
    TCase *tests = tcase_create("kinds");
    tcase_add_loop_test(tests, queries_are_decided_as_their_quantifiers_say, 0,
                        sizeof queries / sizeof queries[0]);
    tcase_add_test(tests, bounds_are_asked_for_by_name);
    tcase_add_loop_test(tests, every_kind_of_expression_has_a_row, 0, EXPR_RATE + 1);
    tcase_add_test(tests, words_of_queries_are_found);
    tcase_add_test(tests, what_looks_further_is_found_at_any_depth);
    suite_add_tcase(suite, tests);
    return suite;
}
