/* What an edge may look at, on functions that constant arguments lead through. */
#include "approx_sample.h"

#include "classes/edge_reads.h"

#include <check.h>

Suite *edge_reads_suite(void);

static struct sample sample;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

#define CASE(body, labels)                                                                         \
    MODEL("const int A = 1, B = 2; const int L[2] = {1, 2}; int[0,9] u, v, w, x;",                 \
          TEMPLATE("P", "const int id", "int[0,9] y;" body,                                        \
                   LOCATION("a") INIT("a") EDGE("a", "a", labels)),                                \
          "Q = P(2); system Q;")

#define ACT(condition)                                                                             \
    "void set(int k, int[0,9] &amp;r) { if (k == 3) r = u; else r = v; }"                          \
    "void act(int e, bool b) { if (" condition ") { x = u; } else { x = v; set(e, w); } }"

static const struct {
    const char *model, *expected; /* of u v w x y */
} cases[] = {
    {CASE(ACT("e == A"), UPDATE("act(A, true)")), "u x"},
    {CASE(ACT("e == A"), UPDATE("act(B, true)")), "v w x"},
    {CASE(ACT("e == A"), UPDATE("act(3, true)")), "u v w x"},
    {CASE(ACT("e == A"), UPDATE("act(y, true)")), "u v w x y"},
    {CASE(ACT("e == A"), UPDATE("act(L[0], true)")), "u v w x"},
    {CASE(ACT("e == id"), UPDATE("act(2, true)")), "u x"},
    {CASE(ACT("e == id"), UPDATE("act(id, true)")), "u x"},
    {CASE(ACT("e != A || y &gt; 0"), UPDATE("act(B, true)")), "u x"},
    {CASE(ACT("e != A || y &gt; 0"), UPDATE("act(A, true)")), "u v w x y"},
    {CASE(ACT("e == B &amp;&amp; y &gt; 0"), UPDATE("act(A, true)")), "v w x"},
    {CASE(ACT("-e &lt; -1"), UPDATE("act(B, true)")), "u x"},
    {CASE(ACT("!b"), UPDATE("act(B, true)")), "v w x"},
    {CASE(ACT("b"), UPDATE("act(B, 2)")), "u v w x"}, /* true holds 1 */
    {CASE("int get(int e) { e++; if (e == 2) return u; return v; }", UPDATE("x = get(A)")),
     "u v x"}, /* not what it was called with */
    {CASE("int get(int e) { while (e == 2) { return u; } return v; }", UPDATE("x = get(A)")),
     "u v x"},
    {CASE("int get(int e) { int k = e == 1 ? u : v; return k; }", UPDATE("x = get(A)")), "u x"},
    {CASE("const int32_t M = -2147483647 - 1; int get(int32_t e) { return -e &gt; 0 ? u : v; }",
          UPDATE("x = get(M)")),
     "u v x"}, /* the negation of the least number is itself */
    {CASE("bool get(int e) { return e == 1 imply u &gt; 0; }", GUARD("get(B)")), ""},
    {CASE("bool get(int e) { return e == 1 imply u &gt; 0; }", GUARD("get(A)")), "u"},
};

START_TEST(what_is_read) {
    static const char *const names[] = {"u", "v", "w", "x", "y"};
    struct buffer out = {0};
    sample_open(&sample, cases[_i].model);
    const struct process *process = &sample.network->processes[0];
    const struct edge_reads *edge_reads =
        reads_of_edge(&sample.arena, sample.network, process, &process->template->edges[0]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct template *owner = names[i][0] == 'y' ? process->template : NULL;
        if (edge_reads_has(edge_reads, sample_symbol(&sample, owner, names[i])))
            buffer_printf(&out, "%s%s", out.size ? " " : "", names[i]);
    }
    buffer_add_text(&out, "");
    ck_assert_str_eq(buffer_take(&out, &sample.arena), cases[_i].expected);
    buffer_close(&out);
}
END_TEST

Suite *edge_reads_suite(void) {
    Suite *suite = suite_create("edge_reads");
    TCase *table = tcase_create("arguments");
    tcase_add_checked_fixture(table, setup, teardown);
    tcase_add_loop_test(table, what_is_read, 0, (int)(sizeof cases / sizeof *cases));
    suite_add_tcase(suite, table);
    return suite;
}
