#include "lang/syntax/query_text.h"

#include <check.h>
#include <string.h>

Suite *query_text_suite(void);

static struct arena arena;

static void setup(void) { arena_init(&arena); }

static void teardown(void) { arena_close(&arena); }

/* The formulas in a text, with a bar in front of each. */
static const char *split(const char *content) {
    struct text text = {.content = str_of(content), .begin = 100};
    struct query_texts texts = {.arena = &arena};
    struct buffer out = {0};
    query_texts_add(&texts, &text, true);
    for (uint32_t i = 0; i < texts.list.count; i++) {
        const struct text *part = &texts.list.items[i].formula->text;
        ck_assert(texts.list.items[i].is_given);
        ck_assert_uint_ge(part->begin, text.begin);
        ck_assert(
            !memcmp(part->content.data, content + (part->begin - text.begin), part->content.size));
        buffer_printf(&out, "|%s", query_formula(&arena, part->content));
    }
    buffer_add_text(&out, "");
    const char *result = buffer_take(&out, &arena);
    buffer_close(&out);
    return result;
}

static const struct {
    const char *text, *formulas;
} cases[] = {
    {"", ""},
    {"\n \n", ""},
    {"// nothing\n/* at\nall */\n", ""},
    {"A[] p", "|A[] p"},
    {"K(a, p)\nnot K(a, q)", "|K(a, p)|not K(a, q)"},
    {"A[] p imply\nK(a, q)\nKw(a, x)", "|A[] p imply K(a, q)|Kw(a, x)"},
    {"A[] (p or\n  not q)\n!K(a, p)", "|A[] (p or not q)|!K(a, p)"},
    {"A[]\nK(a, p)\nAX p", "|A[] K(a, p)|AX p"},
    {"agent X = {P,\n  Q};\nobserve X: local,\n  K;\nE<> p",
     "|agent X = {P, Q};|observe X: local, K;|E<> p"},
    {"A[] p\nE<> q", "|A[] p|E<> q"},
    {"A[] p\r\nE<> q\r\n", "|A[] p|E<> q"},
    {"A[] p and\n  q", "|A[] p and q"},
    {"A[] p \\\n and q", "|A[] p and q"},
    {"A[] p \\  \nE<> q", "|A[] p E<> q"}, /* joined all the same, so wrong */
    {"A[] p // A[] q\nE[] r", "|A[] p|E[] r"},
    {"/* A[] q\n*/ A<> p /* and\nmore */ && q\nA[] r", "|A<> p && q|A[] r"},
    {"p --> q\nr --> s", "|p --> q|r --> s"},
    {"p\n--> q\nr --> s", "|p --> q|r --> s"},
    {"p and\nq\n-->\nr", "|p and q --> r"},
    {"A[] p\nr --> s", "|A[] p|r --> s"},
    {"sup: x\ninf{p}: y\nbounds {q}: z", "|sup: x|inf{p}: y|bounds {q}: z"},
    {"A[] supply\n+ sup\n> 0", "|A[] supply + sup > 0"},
    {"A[] p\n(q) --> r", "|A[] p|(q) --> r"},
    {"K(a, p)\n(q) --> r", "|K(a, p)|(q) --> r"},
    {"A[] p\n(K(a, q) or K(a, r))", "|A[] p|(K(a, q) or K(a, r))"},
    {"A[] (p)\n(A[] q)\n\\\n(E<> r)", "|A[] (p)|(A[] q)|(E<> r)"},
    {"A[] (p and\n(q)\n)\n(E<> r)", "|A[] (p and (q) )|(E<> r)"},
    {"p imply\n(q)\n(E<> r)", "|p imply (q)|(E<> r)"},
    {"A[] forall (i : int[0,1])\n(p)\n(E<> r)", "|A[] forall (i : int[0,1]) (p)|(E<> r)"},
    {"A[] sum\n(i : int[0,1])\na[i] < 2", "|A[] sum (i : int[0,1]) a[i] < 2"},
    {"A[] p_not\nforall (i : t) q", "|A[] p_not|forall (i : t) q"},
    {"A[] P\n.a\nor a\n[1] ? b\n: c", "|A[] P .a or a [1] ? b : c"},
    {"E<> p\n-x > 0 --> q\nx\n- y > 0 --> z", "|E<> p|-x > 0 --> q|x - y > 0 --> z"},
    {"A[] p\n<<a>> F q\n[[a]] F q", "|A[] p|<<a>> F q|[[a]] F q"},
    {"A[] p\nq", "|A[] p|q"},
    {"]\n)\nA[] p", "|] )|A[] p"},
    {"x == 1\nA[] p", "|x == 1|A[] p"},
    {"A[] p /* never\nA[] q", "|A[] p /* never\nA[] q"},
    {"/* never", "|/* never"},
    {"/*/ A[] q */ E<> p", "|E<> p"},
    {"\\", "|\\"},
    {"/", "|/"},
};

START_TEST(queries_end_with_their_lines) {
    ck_assert_str_eq(split(cases[_i].text), cases[_i].formulas);
}
END_TEST

Suite *query_text_suite(void) {
    Suite *suite = suite_create("query_text");
    TCase *tcase = tcase_create("query_text");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, queries_end_with_their_lines, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tcase);
    return suite;
}
