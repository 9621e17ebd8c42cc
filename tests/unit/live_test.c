/* Live variables, on models whose results were computed by hand. */
#include "approx_sample.h"

#include "suggest/live.h"

#include <check.h>
#include <stdlib.h>

Suite *live_suite(void);

static struct sample sample;
static struct live *live;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

static void open(const char *text) {
    sample_open(&sample, text);
    live =
        live_new(&sample.arena, sample.network, sample.model->queries, sample.model->query_count);
    ck_assert(live->is_complete);
}

/* "P.x" or "P.a[2]" (which counts cells) or "g", at some locations: the names of those where it is
 * live, in order. */
static const char *live_in(const char *name) {
    char owner[32] = "", base[32];
    const char *dot = strchr(name, '.'), *bracket = strchr(name, '[');
    if (dot) memcpy(owner, name, (size_t)(dot - name));
    const char *from = dot ? dot + 1 : name;
    snprintf(base, sizeof base, "%.*s", (int)strcspn(from, "["), from);
    const struct template *template = dot ? sample_template(&sample, owner) : NULL;
    const struct live_variable *variable = live_find(live, sample_symbol(&sample, template, base));
    ck_assert_msg(variable != NULL, "%s is not followed", name);
    uint32_t offset = bracket ? (uint32_t)strtoul(bracket + 1, NULL, 10) : 0;
    struct buffer out = {0};
    for (uint32_t l = 0; template && l < template->location_count; l++)
        if (live_at(live, variable, l, offset)) buffer_add_text(&out, template->locations[l].name);
    if (!template && live_at(live, variable, 0, offset)) buffer_add_text(&out, "live");
    buffer_add_text(&out, "");
    const char *text = buffer_take(&out, &sample.arena);
    buffer_close(&out);
    return text;
}

#define ck_live(name, expected) ck_assert_str_eq(live_in(name), expected)

#define THREE LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")

START_TEST(dead_behind_the_last_read) {
    open(MODEL("",
               TEMPLATE("P", "", "int[0,3] x, y, z;",
                        THREE EDGE("a", "b", UPDATE("x = 1, y = 2, z = 2"))
                            EDGE("b", "c", GUARD("x == 1") UPDATE("y = 3"))
                                EDGE("c", "b", GUARD("y == 3") UPDATE("x = 0"))),
               "system P;"));
    ck_live("P.x", "b"); /* a and c write it */
    ck_live("P.y", "c"); /* written between b and c */
    ck_live("P.z", "");  /* never read */
}
END_TEST

START_TEST(values_of_dead_variables_keep_nothing_alive) {
    open(MODEL("",
               TEMPLATE("P", "", "int[0,3] x, y, z, u;",
                        THREE EDGE("a", "b", UPDATE("x++, y = z, z += y, u = x"))
                            EDGE("b", "a", GUARD("u > 0"))),
               "system P;"));
    ck_live("P.y", ""); /* y and z only feed each other */
    ck_live("P.z", "");
    ck_live("P.x", "ab");
    ck_live("P.u", "b");
}
END_TEST

START_TEST(updates_are_read_from_left_to_right) {
    open(MODEL("int[0,3] g;",
               TEMPLATE("P", "", "int[0,3] x, y;",
                        THREE EDGE("a", "b", UPDATE("x = 1, g = x"))
                            EDGE("b", "c", UPDATE("g = y, y = 1")) EDGE("c", "a", GUARD("g > 0"))),
               "system P;"));
    ck_live("P.x", "");
    ck_live("P.y", "abc");
    ck_live("g", "live");
}
END_TEST

START_TEST(what_happens_perhaps_kills_nothing) {
    open(MODEL("int[0,3] g;",
               TEMPLATE("P", "", "int[0,3] x, y, z; void put(int v) { if (v > 1) y = v; }",
                        THREE EDGE("a", "b", UPDATE("g > 0 &amp;&amp; (x = 1) > 0, put(g)"))
                            EDGE("a", "b", UPDATE("z = g > 1 ? (x = 2) : (x = 3)")) EDGE(
                                "b", "c", GUARD("x == 1 &amp;&amp; y == 1 &amp;&amp; z == 1"))),
               "system P;"));
    ck_live("P.x", "ab");
    ck_live("P.y", "ab");
    ck_live("P.z", "ab"); /* the first edge keeps it */
}
END_TEST

START_TEST(invariants_synchronisations_and_weights_read) {
    open(MODEL("chan go[4];",
               TEMPLATE("P", "", "int[0,3] x, y;",
                        LOCATION("a") INVARIANT("b", "x &lt;= 2") LOCATION("c") INIT("a")
                            EDGE("a", "b", UPDATE("x = 1"))
                                EDGE("b", "c", SYNC("go[y]!") UPDATE("y = 0"))),
               "system P;"));
    ck_live("P.x", "b");
    ck_live("P.y", "ab");
}
END_TEST

START_TEST(cells_of_arrays) {
    open(MODEL(
        "",
        TEMPLATE("P", "", "int[0,3] u[3], v[3], w[3];",
                 THREE EDGE("a", "b", SELECT("i : int[1,2]") UPDATE("u[1] = 1, v[i] = 1, w[i] = 2"))
                     EDGE("b", "c",
                          SELECT("i : int[0,1]")
                              GUARD("u[1] == 1 &amp;&amp; v[1] == 1 &amp;&amp; w[i] == 1"))),
        "system P;"));
    ck_live("P.u[0]", "");
    ck_live("P.u[1]", "b");  /* killed by a constant index */
    ck_live("P.v[1]", "ab"); /* not by a select */
    ck_live("P.w[0]", "ab");
    ck_live("P.w[2]", ""); /* out of reach of the select */
}
END_TEST

START_TEST(parameters_of_the_process_are_indices) {
    open(
        MODEL("int[0,3] g;",
              TEMPLATE("P", "const int[0,1] id", "int[0,3] u[3];",
                       THREE EDGE("a", "b", UPDATE("u[id] = 1")) EDGE("b", "c", GUARD("u[id] == 1"))
                           EDGE("c", "a", UPDATE("g = u[id]")) EDGE("a", "c", GUARD("g == 1"))),
              "system P;"));
    ck_live("P.u[0]", "abc");
    ck_live("P.u[2]", "");
}
END_TEST

START_TEST(functions_are_followed) {
    open(MODEL("int[0,3] g;",
               TEMPLATE("P", "",
                        "int[0,3] x, y, z, u[3], w[3];"
                        "void put(int[0,3]&amp; to) { to = 1; }"
                        "void clear() { for (i : int[0,2]) u[i] = 0; }"
                        "void part() { for (i : int[0,1]) w[i] = 0; }"
                        "int get() { if (g == 1) return y; z = 1; return 0; }",
                        THREE EDGE("a", "b", UPDATE("put(x), clear(), part(), z = get()"))
                            EDGE("b", "c",
                                 GUARD("x == 1 &amp;&amp; u[2] == 1 &amp;&amp; z == 1 "
                                       "&amp;&amp; w[1] + w[2] == 1"))),
               "system P;"));
    ck_live("P.x", "b");
    ck_live("P.u[2]", "b");
    ck_live("P.w[1]", "b");
    ck_live("P.w[2]", "ab");
    ck_live("P.y", "a");
    ck_live("P.z", "b");
}
END_TEST

START_TEST(loops_are_followed) {
    open(MODEL("",
               TEMPLATE("P", "",
                        "int[0,3] x, y, z;"
                        "void spin() { int k = 0; while (k &lt; z) { x = y; k++; } }"
                        "void twice() { do { y = x; x = 1; } while (y &lt; 1); }",
                        THREE EDGE("a", "b", UPDATE("spin()")) EDGE("b", "c", UPDATE("twice()"))
                            EDGE("c", "a", GUARD("x == 1 &amp;&amp; y == 1"))),
               "system P;"));
    ck_live("P.x", "abc"); /* the loop may not run */
    ck_live("P.y", "ac");  /* the last runs at least once */
    ck_live("P.z", "abc");
}
END_TEST

START_TEST(global_variables_have_one_answer) {
    open(MODEL("int[0,3] read, fed, never; chan go;",
               TEMPLATE("P", "", "int[0,3] x;",
                        THREE EDGE("a", "b", SYNC("go!") UPDATE("read = 1, fed = 2, never = 3")))
                   TEMPLATE("Q", "", "int[0,3] y, z;",
                            THREE EDGE("a", "b", SYNC("go?") UPDATE("y = read, z = fed"))
                                EDGE("b", "c", GUARD("y == 1"))),
               "system P, Q;"));
    ck_live("read", "live");
    ck_live("fed", "");
    ck_live("never", "");
    ck_live("Q.y", "b");
}
END_TEST

START_TEST(a_branchpoint_is_in_between) {
    open(MODEL("",
               TEMPLATE("P", "", "int[0,3] x, y;",
                        LOCATION("a") LOCATION("b") LOCATION("c") BRANCHPOINT("p") INIT("a")
                            EDGE("a", "p", UPDATE("x = 1")) EDGE("p", "b", GUARD("x == 1"))
                                EDGE("p", "c", UPDATE("y = 1"))),
               "system P;"));
    ck_live("P.x", "");
    ck_live("P.y", "");
}
END_TEST

#define QUERY(formula) "<query><formula>" formula "</formula><comment/></query>"

START_TEST(queries_observe) {
    open("<nta><declaration>int g, h; bool f() { return h == 1; }</declaration>" TEMPLATE(
        "P", "const int[0,1] i", "int[0,3] x, y; int[0,3] u[2];",
        THREE EDGE("a", "b",
                   UPDATE("x = 1, y = 1, g = 1, h = 1"))) "<system>system "
                                                          "P;</system><queries>" QUERY(
                                                              "A[] P(0).x "
                                                              "== 1") QUERY("E&lt;&gt; f()")
                                                              QUERY("sup: P(1).u[1]") "</queries></"
                                                                                      "nta>");
    ck_live("P.x", "abc");
    ck_live("P.y", "");
    ck_live("P.u[0]", "abc");
    ck_live("g", "");
    ck_live("h", "live");
    ck_assert(live_find(live, sample_symbol(&sample, NULL, "h"))->is_observed);
}
END_TEST

START_TEST(what_cannot_be_removed_is_not_followed) {
    sample_open(&sample,
                MODEL("int[0,3] g, h; meta int m; const int k = 1; chan go;",
                      TEMPLATE("P", "int[0,3]&amp; r", "", THREE EDGE("a", "b", UPDATE("h = 1"))),
                      "Q = P(g); system Q;"));
    live = live_new(&sample.arena, sample.network, NULL, 0);
    ck_assert(live_find(live, sample_symbol(&sample, NULL, "g"))->is_passed);
    ck_live("g", "live");
    ck_assert_ptr_null(live_find(live, sample_symbol(&sample, NULL, "m")));
    ck_assert_ptr_null(live_find(live, sample_symbol(&sample, NULL, "k")));
    ck_assert_ptr_nonnull(live_find(live, sample_symbol(&sample, NULL, "h")));
}
END_TEST

/* 2^40 calls, if each were looked into. */
START_TEST(work_is_bounded) {
    struct buffer text = {0};
    buffer_add_text(&text, "<nta><declaration>int g; int f0() { return g; }");
    for (int i = 1; i <= 40; i++)
        buffer_printf(&text, "int f%d() { return f%d() + f%d(); }", i, i - 1, i - 1);
    buffer_add_text(&text, "</declaration>" TEMPLATE(
                               "P", "", "int x;",
                               THREE EDGE("a", "b", UPDATE("x = f40()")) EDGE(
                                   "b", "c", GUARD("x == 1"))) "<system>system P;</system></nta>");
    sample_open(&sample, text.data);
    live = live_new(&sample.arena, sample.network, NULL, 0);
    ck_assert(!live->is_complete);
    ck_live("g", "live");
    ck_live("P.x", "abc");
    buffer_close(&text);
}
END_TEST

Suite *live_suite(void) {
    Suite *suite = suite_create("live");
    TCase *flow = tcase_create("flow"), *observed = tcase_create("observed");
    tcase_add_checked_fixture(flow, setup, teardown);
    tcase_add_test(flow, dead_behind_the_last_read);
    tcase_add_test(flow, values_of_dead_variables_keep_nothing_alive);
    tcase_add_test(flow, updates_are_read_from_left_to_right);
    tcase_add_test(flow, what_happens_perhaps_kills_nothing);
    tcase_add_test(flow, invariants_synchronisations_and_weights_read);
    tcase_add_test(flow, cells_of_arrays);
    tcase_add_test(flow, parameters_of_the_process_are_indices);
    tcase_add_test(flow, functions_are_followed);
    tcase_add_test(flow, loops_are_followed);
    tcase_add_test(flow, a_branchpoint_is_in_between);
    suite_add_tcase(suite, flow);
    tcase_add_checked_fixture(observed, setup, teardown);
    tcase_add_test(observed, global_variables_have_one_answer);
    tcase_add_test(observed, queries_observe);
    tcase_add_test(observed, what_cannot_be_removed_is_not_followed);
    tcase_add_test(observed, work_is_bounded);
    suite_add_tcase(suite, observed);
    return suite;
}
