/* Whether other participants of a step write what a receiver's update names. */
#include "approx_sample.h"

#include "approx/labels/interference.h"

#include <check.h>

Suite *interference_suite(void);

static struct sample sample;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

#define THREE(declarations, left, right, interference, system)                                     \
    MODEL(declarations,                                                                            \
          TEMPLATE("P", "", "int p;", LOCATION("a") BRANCHPOINT("x") INIT("a") left)               \
              TEMPLATE("Q", "chan &amp;r, int &amp;m", "int q;",                                   \
                       LOCATION("b") BRANCHPOINT("y") INIT("b") right)                             \
                  TEMPLATE("R", "", "", LOCATION("c") INIT("c") interference),                     \
          system)

/* Of the first edge of Q. */
static const struct {
    const char *model;
    bool is_disturbed;
} receivers[] = {
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("s!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = v + 1")), "", "B = Q(t, w); system P, B;"),
     false},
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("s!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")), "", "B = Q(t, w); system P, B;"),
     true},
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("s!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("s?") UPDATE("w = 2")), "", "B = Q(t, w); system P, B;"),
     true},
    /* On another channel, by itself, or of other variables. */
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("t!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")), EDGE("c", "c", UPDATE("w = 2")),
           "B = Q(t, w); system P, B, R;"),
     false},
    {THREE("chan s[3], t; int v, w;", EDGE("a", "a", SYNC("s[0]!") UPDATE("p = 1")),
           EDGE("b", "b", SYNC("s[1]?") UPDATE("q = v")), "", "B = Q(t, w); system P, B;"),
     false},
    /* A function that the sender calls. */
    {THREE("chan s, t; int v, w; void f(int &amp;i) { i = 3; }",
           EDGE("a", "a", SYNC("s!") UPDATE("f(v)")), EDGE("b", "b", SYNC("s?") UPDATE("q = v")),
           "", "B = Q(t, w); system P, B;"),
     true},
    /* Through reference parameters. */
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("s!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = m")), "", "B = Q(t, w); system P, B;"),
     true},
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("s!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("r?") UPDATE("v = w")), "", "B = Q(t, w); system P, B;"),
     false},
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("t!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("r?") UPDATE("v = w")), "", "B = Q(t, w); system P, B;"),
     true},
    {THREE("chan s[2], t; int v[2], w;", EDGE("a", "a", SYNC("s[0]!") UPDATE("v[0] = 1")),
           EDGE("b", "b", SYNC("r?") UPDATE("w = m")), "", "B = Q(s[1], v[1]); system P, B;"),
     true},
    /* Receivers of a broadcast before it, but not of a channel for two. */
    {THREE("broadcast chan s; chan t; int v, w;", EDGE("a", "a", SYNC("s!")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")), EDGE("c", "c", SYNC("s?") UPDATE("w = 2")),
           "B = Q(t, w); system P, B, R;"),
     true},
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("s!")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")), EDGE("c", "c", SYNC("s?") UPDATE("w = 2")),
           "B = Q(t, w); system P, B, R;"),
     false},
    {THREE("broadcast chan s; chan t; int v, w;", EDGE("a", "a", SYNC("s!")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")) EDGE("b", "b", SYNC("s?") UPDATE("w = 2")),
           "", "B = Q(t, w); system P, B;"),
     false},
    {THREE("broadcast chan s; chan t; int v, w;", EDGE("a", "a", SYNC("s!")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")) EDGE("b", "b", SYNC("s?") UPDATE("w = 2")),
           "", "B = Q(t, w); C = Q(t, w); system P, B, C;"),
     true},
    /* The first process of the template writes what the second finds. */
    {THREE("chan s, t; int v, w;", "",
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")) EDGE("b", "b", SYNC("r!") UPDATE("w = 1")),
           "", "B = Q(s, w); C = Q(t, w); system B, C;"),
     true},
    /* One that may be either, and one that may be any. */
    {THREE("chan s, t; bool u; int v, w;", EDGE("a", "a", SYNC("(u ? s : t)!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")), "", "B = Q(t, w); system P, B;"),
     true},
    {THREE("chan s, t; bool u; int v, w;", EDGE("a", "a", SYNC("t!") UPDATE("w = 1")),
           EDGE("b", "b", SYNC("(u ? s : t)?") UPDATE("v = w")), "", "B = Q(t, w); system P, B;"),
     true},
    /* Next to branchpoints. */
    {THREE("chan s, t; int v, w;",
           EDGE("a", "x", SYNC("s!")) EDGE("x", "a", UPDATE("w = 1")) EDGE("x", "a", ""),
           EDGE("b", "b", SYNC("s?") UPDATE("v = w")), "", "B = Q(t, w); system P, B;"),
     true},
    {THREE("chan s, t; int v, w;", EDGE("a", "a", SYNC("s!")),
           EDGE("b", "y", SYNC("s?") UPDATE("v = w")) EDGE("y", "b", "") EDGE("y", "b", ""), "",
           "B = Q(t, w); system P, B;"),
     true},
};

START_TEST(updates_of_receivers) {
    sample_open(&sample, receivers[_i].model);
    const struct template *template = sample_template(&sample, "Q");
    const struct interference *interference = interference_find(&sample.arena, sample.network);
    ck_assert(interference_disturbs(interference, template, &template->edges[0]) ==
              receivers[_i].is_disturbed);
}
END_TEST

Suite *interference_suite(void) {
    Suite *suite = suite_create("interference");
    TCase *table = tcase_create("receivers");
    tcase_add_checked_fixture(table, setup, teardown);
    tcase_add_loop_test(table, updates_of_receivers, 0,
                        (int)(sizeof receivers / sizeof *receivers));
    suite_add_tcase(suite, table);
    return suite;
}
