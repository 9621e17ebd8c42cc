/* What two processes can do together, on models whose results were computed by hand. */
#include "approx_sample.h"

#include "approx/co_locations.h"

#include <check.h>

Suite *co_locations_suite(void);

static struct sample sample;
static struct co_locations *pairs;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

static void open_pairs(const char *text) {
    sample_open(&sample, text);
    sample_analyse(&sample, "P.i Q.k", APPROX_TEMPLATE, 0);
    ck_assert(sample.analysis != NULL);
    pairs = co_locations_new(&sample.arena, sample.analysis);
}

static const struct process *process(uint32_t number) { return &sample.network->processes[number]; }

/* Of the first two processes: "a.c a.d" for the locations that go together. */
static const char *locations(uint32_t left, uint32_t right) {
    const struct template *a = process(left)->template, *b = process(right)->template;
    struct buffer out = {0};
    for (uint32_t l = 0; l < a->location_count; l++)
        for (uint32_t m = 0; m < b->location_count; m++) {
            bool holds = co_locations_has(pairs, process(left), l, process(right), m);
            ck_assert(holds == co_locations_has(pairs, process(right), m, process(left), l));
            if (holds)
                buffer_printf(&out, "%s%s.%s", out.size ? " " : "", a->locations[l].name,
                              b->locations[m].name);
        }
    buffer_add_text(&out, "");
    const char *text = buffer_take(&out, &sample.arena);
    buffer_close(&out);
    return text;
}

#define PAIR(declarations, left, right, others, system)                                            \
    MODEL(declarations,                                                                            \
          TEMPLATE("P", "", "int[0,3] i;",                                                         \
                   LOCATION("a") LOCATION("b") BRANCHPOINT("x") INIT("a") left)                    \
              TEMPLATE("Q", "", "int[0,3] k;", LOCATION("c") LOCATION("d") INIT("c") right)        \
                  TEMPLATE("R", "", "", LOCATION("e") INIT("e") others),                           \
          "system " system ";")

static const struct {
    const char *model, *expected;
} walks[] = {
    /* By themselves, or together. */
    {PAIR("", EDGE("a", "b", ""), EDGE("c", "d", ""), "", "P, Q"), "a.c a.d b.c b.d"},
    {PAIR("chan s;", EDGE("a", "b", SYNC("s!")), EDGE("c", "d", SYNC("s?")), "", "P, Q"),
     "a.c b.d"},
    {PAIR("chan s;", EDGE("a", "b", SYNC("s?")), EDGE("c", "d", SYNC("s?")), "", "P, Q"), "a.c"},
    {PAIR("broadcast chan s;", EDGE("a", "b", SYNC("s!")), EDGE("c", "d", SYNC("s?")), "", "P, Q"),
     "a.c b.c b.d"},
    {PAIR("broadcast chan s;", EDGE("a", "b", SYNC("s?")), EDGE("c", "d", SYNC("s?")), "", "P, Q"),
     "a.c"},
    /* With a third. */
    {PAIR("chan s;", EDGE("a", "b", SYNC("s!")), EDGE("c", "d", SYNC("s?")),
          EDGE("e", "e", SYNC("s?")), "P, Q, R"),
     "a.c b.c b.d"},
    {PAIR("chan s;", EDGE("a", "b", SYNC("s!")), EDGE("c", "d", SYNC("s?")),
          EDGE("e", "e", SYNC("s!")), "P, Q, R"),
     "a.c a.d b.d"},
    {PAIR("broadcast chan s;", EDGE("a", "b", SYNC("s?")), EDGE("c", "d", SYNC("s?")),
          EDGE("e", "e", SYNC("s!")), "P, Q, R"),
     "a.c a.d b.c b.d"},
    /* Indices, conditions. */
    {PAIR("chan s[2];", EDGE("a", "b", SYNC("s[1]!")), EDGE("c", "d", SYNC("s[0]?")), "", "P, Q"),
     "a.c"},
    {PAIR("chan s[4];", EDGE("a", "a", UPDATE("i = 1")) EDGE("a", "b", SYNC("s[i]!")),
          EDGE("c", "d", SELECT("j : int[1,2]") SYNC("s[j]?")), "", "P, Q"),
     "a.c b.d"},
    {PAIR("chan s[4];", EDGE("a", "a", UPDATE("i = 1")) EDGE("a", "b", SYNC("s[i]!")),
          EDGE("c", "d", SYNC("s[2]?")), "", "P, Q"),
     "a.c"},
    {PAIR("chan s, t;", EDGE("a", "b", SYNC("(i == 0 ? s : t)!")), EDGE("c", "d", SYNC("t?")), "",
          "P, Q"),
     "a.c"},
    {PAIR("chan s, t;", EDGE("a", "a", UPDATE("i = 1")) EDGE("a", "b", SYNC("(i == 0 ? s : t)!")),
          EDGE("c", "d", SYNC("t?")), "", "P, Q"),
     "a.c b.d"},
    /* Guards that never hold, but for an invariant. */
    {PAIR("", EDGE("a", "b", GUARD("i == 2")), EDGE("c", "d", ""), "", "P, Q"), "a.c a.d"},
    /* Through branchpoints. */
    {PAIR("", EDGE("a", "x", "") EDGE("x", "b", "") EDGE("x", "a", ""), EDGE("c", "d", ""), "",
          "P, Q"),
     "a.c a.d b.c b.d"},
    {PAIR("chan s;", EDGE("a", "x", SYNC("s!")) EDGE("x", "b", ""),
          EDGE("c", "c", SYNC("s?")) EDGE("c", "d", ""), "", "P, Q"),
     "a.c a.d b.c b.d"},
    {PAIR("chan s;", EDGE("a", "x", SYNC("s!")) EDGE("x", "b", ""), EDGE("c", "d", SYNC("s?")), "",
          "P, Q"),
     "a.c b.d"},
};

START_TEST(locations_that_go_together) {
    open_pairs(walks[_i].model);
    ck_assert_str_eq(locations(0, 1), walks[_i].expected);
}
END_TEST

START_TEST(edges_that_match) {
    open_pairs(PAIR(
        "chan s[2]; broadcast chan t;", EDGE("a", "b", SYNC("s[1]!")) EDGE("a", "b", SYNC("t?")),
        EDGE("c", "d", SYNC("s[0]?")) EDGE("c", "d", SYNC("s[1]?")) EDGE("c", "d", SYNC("t?")),
        EDGE("e", "e", SYNC("t!")), "P, Q, R"));
    const struct edge *left = process(0)->template->edges, *right = process(1)->template->edges;
    ck_assert(!co_locations_can_sync(pairs, process(0), &left[0], process(1), &right[0]));
    ck_assert(co_locations_can_sync(pairs, process(0), &left[0], process(1), &right[1]));
    ck_assert(!co_locations_can_sync(pairs, process(0), &left[0], process(1), &right[2]));
    ck_assert(co_locations_can_sync(pairs, process(0), &left[1], process(1), &right[2]));
    ck_assert(!co_locations_can_sync(pairs, process(0), &left[0], process(0), &left[0]));
    ck_assert(co_locations_is_binary(pairs, process(0), &left[0]));
    ck_assert(!co_locations_is_binary(pairs, process(0), &left[1]));
}
END_TEST

Suite *co_locations_suite(void) {
    Suite *suite = suite_create("co_locations");
    TCase *table = tcase_create("walks");
    tcase_add_checked_fixture(table, setup, teardown);
    tcase_add_loop_test(table, locations_that_go_together, 0, (int)(sizeof walks / sizeof *walks));
    tcase_add_test(table, edges_that_match);
    suite_add_tcase(suite, table);
    return suite;
}
