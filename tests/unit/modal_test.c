/* How operators over states bind, and that what is read prints back. */
#include "expr/find.h"
#include "lang/print/print.h"

#include "approx_sample.h"

#include <check.h>
#include <string.h>

Suite *modal_suite(void);

#define FORMULAS(one, other)                                                                       \
    "<nta><declaration>int[0,3] x; bool p, q, r;\n//varabs: group G = {V, Z};</declaration>"       \
    "<template><name>T</name><location id=\"a\"><name>l</name></location><init ref=\"a\"/>"        \
    "</template><system>V = T(); Z = T(); system V, Z;</system><queries>"                          \
    "<query><formula><![CDATA[%s]]></formula></query>"                                             \
    "<query><formula><![CDATA[%s]]></formula></query></queries></nta>",                            \
        one, other

/* What is written, and the same with all parentheses. */
static const struct {
    const char *formula, *same;
} table[] = {
    {"A[] p imply K(V, q)", "A[] (p imply (K(V, (q))))"},
    {"A[] EX p && q", "A[] (EX (p && q))"},
    {"E<> p and K(V, q) or r", "E<> ((p and (K(V, q))) or r)"},
    {"(A[] EX p) && K(V, q)", "(A[] (EX p)) && (K(V, q))"},
    {"not K(V, p) && q", "(not (K(V, p))) && q"},
    {"! K(V, p) || E<> q", "(!(K(V, p))) || (E<> q)"},
    {"not EX p && q", "not (EX (p && q))"},
    {"AX p imply q", "AX (p imply q)"},
    {"A X p", "AX (p)"},
    {"E X p or q", "EX (p or q)"},
    {"(A<> p) --> q", "A[] ((A<> p) imply (A<> q))"},
    {"p imply K(V, q) imply r", "(p imply (K(V, q))) imply r"},
    {"K(V, p imply q) or r", "(K(V, (p imply q))) or r"},
    {"A[] K(V, E<> p && q)", "A[] (K(V, (E<> (p && q))))"},
    {"A(p or q U r)", "A((p or q) U (r))"},
    {"E(p U q imply r) && K(Z, p)", "(E(p U (q imply r))) && (K(Z, p))"},
    {"A(p W K(V, q) or r)", "A((p) W ((K(V, q)) or r))"},
    {"not A(p R q)", "not (A((p) R (q)))"},
    {"forall (i : int[0,1]) K(V, x == i) && p", "forall (i : int[0,1]) ((K(V, (x == i))) && p)"},
    {"A[] Kw(V, x + 1 < 2) imply p", "A[] ((Kw(V, ((x + 1) < 2))) imply p)"},
    {"GK(G, p) && GCK({V, Z}, q) || DK({V}, r)",
     "((GK(G, p)) && (GCK({V, Z}, q))) || (DK({V}, r))"},
    {"E[] p && EX q", "E[] (p && (EX q))"},
};

static struct sample open_formulas(const char *one, const char *other) {
    static char text[2048];
    struct sample sample;
    int size = snprintf(text, sizeof text, FORMULAS(one, other));
    ck_assert_int_lt(size, (int)sizeof text);
    sample_open(&sample, text);
    for (int i = 0; i < 2; i++)
        ck_assert_msg(sample.model->queries[i].quantifier == QUERY_FORMULA, "%s", i ? other : one);
    return sample;
}

static bool are_same(struct sample *sample) {
    return expr_equal(sample->model->queries[0].predicate, sample->model->queries[1].predicate);
}

START_TEST(binds_as_in_the_table) {
    struct sample sample = open_formulas(table[_i].formula, table[_i].same);
    ck_assert_msg(are_same(&sample), "%s", table[_i].formula);
    sample_close(&sample);
}
END_TEST

START_TEST(prints_back) {
    struct sample sample = open_formulas(table[_i].formula, table[_i].same);
    struct buffer text = {0};
    print_expr(&text, sample.model->queries[0].predicate);
    sample_close(&sample);
    sample = open_formulas(text.data, table[_i].same);
    ck_assert_msg(are_same(&sample), "%s became %s", table[_i].formula, text.data);
    buffer_close(&text);
    sample_close(&sample);
}
END_TEST

START_TEST(not_all_are_the_same) {
    struct sample sample = open_formulas("not (EX p) && q", "not EX p && q");
    ck_assert(!are_same(&sample));
    sample_close(&sample);
}
END_TEST

Suite *modal_suite(void) {
    Suite *suite = suite_create("modal");
    TCase *cases = tcase_create("precedence");
    int count = sizeof table / sizeof *table;
    tcase_add_loop_test(cases, binds_as_in_the_table, 0, count);
    tcase_add_loop_test(cases, prints_back, 0, count);
    tcase_add_test(cases, not_all_are_the_same);
    suite_add_tcase(suite, cases);
    return suite;
}
