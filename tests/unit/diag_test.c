#define _POSIX_C_SOURCE 200809L

#include "base/diag.h"
#include "base/str.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

Suite *diag_suite(void);

static struct arena arena;
static struct diag diag;

static void setup(void) {
    arena_init(&arena);
    diag_init(&diag, &arena, NULL);
}

static void teardown(void) { arena_close(&arena); }

static uint32_t count_errors(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < diag.items.count; i++)
        count += diag.items.items[i].status != STATUS_DONE;
    return count;
}

START_TEST(errors_push_out_warnings) {
    for (unsigned i = 0; i < 2 * DIAG_LIMIT; i++) diag_warning(&diag, i + 1, "warning %u", i);
    diag_error(&diag, STATUS_INVALID, 1000, "the error");
    ck_assert_uint_eq(diag.items.count, DIAG_LIMIT);
    ck_assert_uint_eq(count_errors(), 1);
    diag_sort(&diag);
    ck_assert_str_eq(diag.items.items[DIAG_LIMIT - 1].message, "the error");
    ck_assert_str_eq(diag.items.items[0].message, "warning 0");
    ck_assert_str_eq(diag.items.items[DIAG_LIMIT - 2].message, "warning 98");
}
END_TEST

START_TEST(the_first_errors_stay) {
    diag_warning(&diag, 1, "warning");
    for (unsigned i = 0; i < 2 * DIAG_LIMIT; i++)
        diag_error(&diag, STATUS_INVALID, i + 2, "error %u", i);
    ck_assert_uint_eq(diag.items.count, DIAG_LIMIT);
    ck_assert_uint_eq(count_errors(), DIAG_LIMIT);
    ck_assert_uint_eq(diag.error_count, 2 * DIAG_LIMIT);
    diag_sort(&diag);
    ck_assert_str_eq(diag.items.items[0].message, "error 0");
    ck_assert_str_eq(diag.items.items[DIAG_LIMIT - 1].message, "error 99");
}
END_TEST

START_TEST(what_was_said_once_stays) {
    diag_warning(&diag, 1, "again");
    diag_warning(&diag, 2, "again");
    uint32_t mark = diag_mark(&diag);
    diag_warning(&diag, 3, "once");
    for (int i = 0; i < 3; i++) {
        diag_forget(&diag, mark);
        ck_assert_uint_eq(diag.items.count, 1);
        ck_assert_uint_eq(diag.warning_count, 1);
        ck_assert_str_eq(diag.items.items[0].message, "once");
        for (int j = 0; j < 5; j++) diag_warning(&diag, 1, "again");
        mark = diag_mark(&diag);
    }
}
END_TEST

START_TEST(what_is_left_out_is_said) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i < DIAG_LIMIT + 1; i++)
        diag_error(&diag, STATUS_INVALID, 0, "error %u", i);
    diag_print(&diag, file);
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "varabs: error: error 0\n"));
    ck_assert_ptr_nonnull(strstr(text, "varabs: note: only 100 of 101 messages are shown\n"));
    free(text);
}
END_TEST

START_TEST(control_characters_are_written_out) {
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"a\033[31mb", "a\\x1B[31mb"},
        {"\t\n\r\177", "\\x09\\x0A\\x0D\\x7F"},
        {"\303\251 \342\202\254 \360\237\230\200", "\303\251 \342\202\254 \360\237\230\200"},
        {"\302\233m", "\\xC2\\x9Bm"}, /* CSI in one character */
        {"\233m \351 \342\202", "\\x9Bm \\xE9 \\xE2\\x82"},
        {"\300\257 \370 \377", "\\xC0\\xAF \\xF8 \\xFF"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);
        ck_assert_ptr_nonnull(file);
        print_visible(file, cases[i].text);
        fclose(file);
        ck_assert_str_eq(text, cases[i].shown);
        free(text);
    }
}
END_TEST

START_TEST(the_gravest_status_counts) {
    diag_error(&diag, STATUS_UNSUPPORTED, 1, "a");
    diag_error(&diag, STATUS_INVALID, 2, "b");
    diag_error(&diag, STATUS_LIMIT, 3, "c");
    diag_error(&diag, STATUS_USAGE, 4, "d");
    ck_assert_int_eq(diag.status, STATUS_INVALID);
}
END_TEST

START_TEST(sorting_removes_repetitions) {
    diag_error(&diag, STATUS_INVALID, 2, "b");
    diag_error(&diag, STATUS_INVALID, 1, "a");
    diag_error(&diag, STATUS_INVALID, 2, "b");
    diag_sort(&diag);
    ck_assert_uint_eq(diag.items.count, 2);
    ck_assert_str_eq(diag.items.items[0].message, "a");
}
END_TEST

START_TEST(names_are_one_pointer_each) {
    struct interner names;
    interner_init(&names, &arena);
    const char *first = intern_text(&names, "n0");
    for (unsigned i = 0; i < 10000; i++) intern_text(&names, arena_printf(&arena, "n%u", i));
    ck_assert_uint_eq(names.count, 10000);
    ck_assert_ptr_eq(intern(&names, "n01", 2), first);
    ck_assert_ptr_eq(intern_find(&names, "n0"), first);
    ck_assert_ptr_null(intern_find(&names, "m0"));
}
END_TEST

Suite *diag_suite(void) {
    Suite *suite = suite_create("diag");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, setup, teardown);
    tcase_add_test(rules, errors_push_out_warnings);
    tcase_add_test(rules, the_first_errors_stay);
    tcase_add_test(rules, what_was_said_once_stays);
    tcase_add_test(rules, what_is_left_out_is_said);
    tcase_add_test(rules, control_characters_are_written_out);
    tcase_add_test(rules, the_gravest_status_counts);
    tcase_add_test(rules, sorting_removes_repetitions);
    tcase_add_test(rules, names_are_one_pointer_each);
    suite_add_tcase(suite, rules);
    return suite;
}
