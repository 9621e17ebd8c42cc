#include "base/source.h"

#include <check.h>

Suite *source_suite(void);

static struct arena arena;
static struct source source;

static void setup(void) {
    arena_init(&arena);
    source_init(&source, &arena, "model.xml");
}

static void teardown(void) { arena_close(&arena); }

static void check_place(position at, uint32_t line, uint32_t column) {
    struct source_location place = source_locate(&source, at);
    ck_assert_uint_eq(place.line, line);
    ck_assert_uint_eq(place.column, column);
}

START_TEST(position_zero_is_nowhere) {
    check_place(0, 0, 0);
    ck_assert_ptr_null(source_piece(&source, 1));
    check_place(7, 0, 0);
}
END_TEST

START_TEST(positions_start_at_one_and_follow_each_other) {
    ck_assert_uint_eq(source_add(&source, 1, (struct source_location){1, 1}, 0, NULL), 1);
    ck_assert_uint_eq(source_add(&source, 3, (struct source_location){1, 5}, 4, "abc"), 2);
    ck_assert_uint_eq(source_add(&source, 1, (struct source_location){2, 1}, 8, NULL), 5);
    ck_assert_uint_eq(source.next, 6);
}
END_TEST

START_TEST(columns_count_characters) {
    position begin =
        source_add(&source, 6, (struct source_location){3, 10}, 20, "a\303\251b\342\202\254");
    check_place(begin, 3, 10);
    check_place(begin + 1, 3, 11);
    check_place(begin + 2, 3, 11); /* inside a character */
    check_place(begin + 3, 3, 12);
    check_place(begin + 4, 3, 13);
}
END_TEST

START_TEST(pieces_without_content_have_one_place) {
    position begin = source_add(&source, 3, (struct source_location){4, 7}, 30, NULL);
    position next = source_add(&source, 1, (struct source_location){4, 15}, 38, "x");
    check_place(begin, 4, 7);
    check_place(begin + 2, 4, 7);
    check_place(next, 4, 15);
    ck_assert_uint_eq(source_piece(&source, begin + 2)->byte, 30);
    ck_assert_uint_eq(source_piece(&source, next)->byte, 38);
}
END_TEST

START_TEST(extending_makes_the_last_piece_longer) {
    position begin = source_add(&source, 2, (struct source_location){1, 1}, 0, "abcd");
    source_extend(&source, 2);
    position next = source_add(&source, 1, (struct source_location){9, 9}, 99, NULL);
    ck_assert_uint_eq(next, begin + 4);
    check_place(begin + 3, 1, 4);
    check_place(next, 9, 9);
}
END_TEST

START_TEST(many_pieces_are_found) {
    for (uint32_t i = 0; i < 1000; i++)
        source_add(&source, 1 + i % 3, (struct source_location){i + 1, 1}, i, NULL);
    position at = 1;
    for (uint32_t i = 0; i < 1000; i++)
        for (uint32_t k = 0; k <= i % 3; k++) check_place(at++, i + 1, 1);
}
END_TEST

START_TEST(texts_from_elsewhere_have_names) {
    source_add(&source, 3, (struct source_location){1, 5}, 4, "abc");
    position begin = source_add_text(&source, "--query", STR("A[]\n\np"));
    position next = source_add_text(&source, "FILE.q", STR(""));
    check_place(begin, 1, 1);
    check_place(begin + 2, 1, 3);
    check_place(begin + 4, 2, 1);
    check_place(begin + 5, 3, 1);
    check_place(begin + 6, 3, 2);
    check_place(next, 1, 1);
    ck_assert_uint_eq(next, begin + 7);
    ck_assert_str_eq(source_name(&source, 0), "model.xml");
    ck_assert_str_eq(source_name(&source, begin - 1), "model.xml");
    ck_assert_str_eq(source_name(&source, begin), "--query");
    ck_assert_str_eq(source_name(&source, begin + 6), "--query");
    ck_assert_str_eq(source_name(&source, next), "FILE.q");
}
END_TEST

Suite *source_suite(void) {
    Suite *suite = suite_create("source");
    TCase *tests = tcase_create("positions");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, position_zero_is_nowhere);
    tcase_add_test(tests, positions_start_at_one_and_follow_each_other);
    tcase_add_test(tests, columns_count_characters);
    tcase_add_test(tests, pieces_without_content_have_one_place);
    tcase_add_test(tests, extending_makes_the_last_piece_longer);
    tcase_add_test(tests, many_pieces_are_found);
    tcase_add_test(tests, texts_from_elsewhere_have_names);
    suite_add_tcase(suite, tests);
    return suite;
}
