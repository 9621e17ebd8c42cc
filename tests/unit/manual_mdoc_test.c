/* Documents as manual pages: each form of mdoc.h, and what must not be taken for markup. */
#define _XOPEN_SOURCE 700

#include "manual/mdoc.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *manual_mdoc_suite(void);

enum part { TEXT, ARGUMENTS, LITERAL, INTRODUCTION, SECTIONS };

/* What a part is written as. */
static void expect(enum part part, const char *markdown, const char *wanted) {
    char *got;
    size_t size;
    FILE *file = open_memstream(&got, &size);
    ck_assert_ptr_nonnull(file);
    switch (part) {
    case TEXT: mdoc_text(file, markdown); break;
    case ARGUMENTS: mdoc_arguments(file, markdown, strlen(markdown)); break;
    case LITERAL: mdoc_literal(file, markdown); break;
    case INTRODUCTION: mdoc_introduction(file, markdown, true); break;
    case SECTIONS: mdoc_sections(file, markdown); break;
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(text_has_a_line_for_each_sentence) {
    expect(TEXT, "One. Two (a). Three ... four", "One.\nTwo (a).\nThree \\&... four\n");
    expect(TEXT, "Run `varabs -o` now", "Run \\fBvarabs \\-o\\fR now\n");
    expect(TEXT, "see [varabs-check(1)](check.md), `a[i](x)`",
           "see varabs\\-check(1), \\fBa[i](x)\\fR\n");
}
END_TEST

START_TEST(text_is_no_markup) {
    expect(TEXT, ".name 'x' \\n", "\\&.name \\(aqx\\(aq \\en\n");
    expect(TEXT, "a call f() of", "a call f(\\&) of\n");
    expect(ARGUMENTS, "No deadlock \"x\"", " \\&No deadlock \\(dqx\\(dq");
    expect(LITERAL, ".Sh\n'x", "\\&.Sh\n\\(aqx\n");
}
END_TEST

START_TEST(lines_are_short) {
    char text[1200], *got;
    size_t size;
    memset(text, 0, sizeof text);
    for (size_t i = 0; i + 4 < sizeof text; i += 4) memcpy(text + i, "-'a ", 4);
    FILE *file = open_memstream(&got, &size);
    mdoc_text(file, text);
    fclose(file);
    for (char *line = got; *line; line += strcspn(line, "\n") + 1)
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    free(got);
}
END_TEST

START_TEST(introduction_ends_at_a_section) {
    expect(INTRODUCTION, "# title\n\nOne\nline.\n\n- a\n  b\n- c\n\nEnd.\n\n## Next\n\nx\n",
           ".Pp\nOne line.\n.Bl -bullet -width Ds\n.It\na b\n.It\nc\n.El\n.Pp\nEnd.\n");
    expect(INTRODUCTION, "# title\n", "");
}
END_TEST

START_TEST(sections_hold_blocks) {
    expect(SECTIONS,
           "x\n\n## A part\n\ntext\n\n    code `x`\n\n    .more\n\nbehind\n\n### B\n\n1. one\n2. "
           "two\n",
           ".Sh A PART\ntext\n.Bd -literal -offset indent\ncode \\(gax\\(ga\n\n\\&.more\n.Ed\n.Pp\n"
           "behind\n.Ss B\n.Bl -enum -width Ds\n.It\none\n.It\ntwo\n.El\n");
}
END_TEST

START_TEST(tables_are_lists) {
    expect(SECTIONS, "\n## T\n\n| a | b |\n|---|---|\n| `x \\| y` | means |\n",
           ".Sh T\n.Bl -tag -width Ds\n.It \\fBx | y\\fR\nmeans\n.El\n");
    expect(SECTIONS, "\n## T\n\n| a | may | must |\n|---|---|---|\n| x | yes | no |\n",
           ".Sh T\n.Bl -tag -width Ds\n.It x\nmay: yes; must: no\n.El\n");
}
END_TEST

Suite *manual_mdoc_suite(void) {
    Suite *suite = suite_create("manual_mdoc");
    TCase *cases = tcase_create("mdoc");
    tcase_add_test(cases, text_has_a_line_for_each_sentence);
    tcase_add_test(cases, text_is_no_markup);
    tcase_add_test(cases, lines_are_short);
    tcase_add_test(cases, introduction_ends_at_a_section);
    tcase_add_test(cases, sections_hold_blocks);
    tcase_add_test(cases, tables_are_lists);
    suite_add_tcase(suite, cases);
    return suite;
}
