#include "base/similar.h"

#include <check.h>

Suite *similar_suite(void);

static const char *best(const char *word, const char *first, const char *second) {
    struct similar similar = {.word = str_of(word)};
    similar_offer(&similar, first);
    similar_offer(&similar, second);
    return similar.best;
}

START_TEST(nearest_wins_whatever_the_order) {
    ck_assert_str_eq(best("mem_sgg", "mem_vt", "mem_sg"), "mem_sg");
    ck_assert_str_eq(best("mem_sgg", "mem_sg", "mem_vt"), "mem_sg");
    ck_assert_str_eq(best("xaab", "xaac", "xaaa"), "xaaa");
    ck_assert_str_eq(best("xaab", "xaaa", "xaac"), "xaaa");
}
END_TEST

START_TEST(letters_may_differ_in_case) {
    ck_assert_str_eq(best("VOTED", "vote", "voted"), "voted");
}
END_TEST

START_TEST(two_errors_in_long_words_one_in_short_ones) {
    ck_assert_str_eq(best("tallyy_1_", "tally_1", "x"), "tally_1");
    ck_assert_ptr_null(best("tallyyy_1_", "tally_1", "x"));
    ck_assert_str_eq(best("abc", "abd", "x"), "abd");
    ck_assert_str_eq(best("abc", "acb", "xyz"), "acb");
    ck_assert_ptr_null(best("abc", "cab", "xyz"));
    ck_assert_ptr_null(best("ab", "ac", ""));
}
END_TEST

START_TEST(very_long_words_are_similar_to_nothing) {
    static const char word[] = "a234567890123456789012345678901234567890b";
    ck_assert_ptr_null(best(word, word, "a"));
    ck_assert_str_eq(best(word + 1, word + 1, "a"), word + 1);
}
END_TEST

Suite *similar_suite(void) {
    Suite *suite = suite_create("similar");
    TCase *tests = tcase_create("similar");
    tcase_add_test(tests, nearest_wins_whatever_the_order);
    tcase_add_test(tests, letters_may_differ_in_case);
    tcase_add_test(tests, two_errors_in_long_words_one_in_short_ones);
    tcase_add_test(tests, very_long_words_are_similar_to_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
