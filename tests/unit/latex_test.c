/* Text for LaTeX. */
#include "base/latex.h"

#include <check.h>
#include <string.h>

static void shows(const char *text, const char *expected) {
    struct buffer out = {0};
    latex_escape(&out, str_of(text));
    ck_assert_str_eq(out.size ? out.data : "", expected);
    buffer_close(&out);
}

START_TEST(what_means_something) {
    shows("mem_vt <= 3 && x > 1", "mem\\_vt $<$= 3 \\&\\& x $>$ 1");
    shows("\\input{/etc/passwd}", "\\textbackslash{}input\\{/etc/passwd\\}");
    shows("100% $5 #1 ~ ^ |",
          "100\\% $\\mathdollar$5 \\#1 \\textasciitilde{} \\textasciicircum{} $|$");
    shows("a[0] -- \"b\"", "a{[}0{]} {-}{-} ''b''");
    shows("", "");
}
END_TEST

START_TEST(lines_and_controls) { shows("a\nb\tc\x7F\x01%", "a b c  \\%"); }
END_TEST

START_TEST(characters) {
    shows("caf\xC3\xA9", "caf\xC3\xA9");
    shows("\xE4\xB8\xAD", "U+4E2D");
    shows("\xF0\x9F\x98\x80!", "U+1F600!");
    shows("\xC3\x97", "U+00D7");
}
END_TEST

START_TEST(not_utf8) {
    shows("\xC3", "U+00C3");
    shows("\xE4\xB8_", "U+00E4U+00B8\\_");
    shows("\xFF", "U+00FF");
}
END_TEST

Suite *latex_suite(void);
Suite *latex_suite(void) {
    Suite *suite = suite_create("latex");
    TCase *cases = tcase_create("escape");
    tcase_add_test(cases, what_means_something);
    tcase_add_test(cases, lines_and_controls);
    tcase_add_test(cases, characters);
    tcase_add_test(cases, not_utf8);
    suite_add_tcase(suite, cases);
    return suite;
}
