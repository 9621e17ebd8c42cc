/* Places that do not matter, on models whose results were computed by hand. */
#include "approx_sample.h"

#include "approx/pin.h"
#include "classes/classes.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *classes_suite(void);

static struct sample sample;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

static bool is_asked(const void *context, const struct template *template, uint32_t location,
                     const struct symbol *symbol, uint32_t offset) {
    const struct network *network = sample.network;
    (void)context, (void)template, (void)location;
    for (uint32_t slot = 0; slot < network->slot_count; slot++)
        if (network->slots[slot].symbol == symbol && network->slots[slot].offset == offset)
            return sample.is_removed[slot];
    return false;
}

static const struct classes *find(const char *asked, bool is_all_or_nothing, uint64_t budget) {
    sample_analyse(&sample, asked, APPROX_TEMPLATE, budget);
    ck_assert(sample.analysis != NULL);
    return classes_find(&sample.arena, sample.analysis, is_all_or_nothing, is_asked, NULL);
}

/* Of the first process: "x y" for the cells that are one class at the location. */
static const char *ones_at(const struct classes *classes, const char *location) {
    const struct network *network = sample.network;
    const struct template *template = network->processes[0].template;
    struct buffer out = {0};
    for (uint32_t slot = 0; slot < network->slot_count; slot++) {
        const struct slot *own = &network->slots[slot];
        if (own->process && own->process != &network->processes[0]) continue;
        if (!classes_is_one(classes, template, sample_location(template, location), own->symbol,
                            own->offset, NULL))
            continue;
        buffer_printf(&out, "%s%s", out.size ? " " : "", own->symbol->name);
    }
    buffer_add_text(&out, "");
    const char *text = buffer_take(&out, &sample.arena);
    buffer_close(&out);
    return text;
}

#define ck_ones(classes, location, expected) ck_assert_str_eq(ones_at(classes, location), expected)

/* x and y have the values 0 to 2 at a, whatever the other one has; v stays. */
#define ONE_LOOP(labels)                                                                           \
    MODEL(                                                                                         \
        "const int same[3] = {1, 1, 1}, last[3] = {1, 1, 0}, two[2] = {1, 1};"                     \
        "int[0,2] v; chan c[3];",                                                                  \
        TEMPLATE("P", "", "int[0,2] x, y; void put(int n) { if (n &gt; 0) v = 1; }",               \
                 LOCATION("a") INIT("a") EDGE(                                                     \
                     "a", "a", SELECT("s : int[0,2], t : int[0,2]") UPDATE("v = s, x = s, y = t")) \
                     EDGE("a", "a", labels))                                                       \
            TEMPLATE("Q", "", "",                                                                  \
                     LOCATION("a") INIT("a") EDGE("a", "a", SELECT("i : int[0,2]") SYNC("c[i]!"))  \
                         EDGE("a", "a", SELECT("i : int[0,2]") SYNC("c[i]?"))),                    \
        "system P, Q;")

/* What one edge does: which of x and y do not matter for it. */
static const struct {
    const char *model, *expected;
} functions[] = {
    {ONE_LOOP(GUARD("v == 1")), "x y"},
    {ONE_LOOP(GUARD("x + v &gt;= 0")), "x y"},
    {ONE_LOOP(GUARD("x + v &lt; 4")), "y"},
    {ONE_LOOP(GUARD("x == y")), ""},
    {ONE_LOOP(GUARD("x &lt;= y || x &gt; y")), "x y"},
    {ONE_LOOP(GUARD("v == 0 &amp;&amp; x == 1")), "y"},
    {ONE_LOOP(UPDATE("x = y")), "x y"},
    {ONE_LOOP(UPDATE("v = x")), "y"},
    {ONE_LOOP(UPDATE("x = y, v = x")), "x"},
    {ONE_LOOP(UPDATE("v = (x + y) * 0")), "x y"},
    {ONE_LOOP(UPDATE("put(x)")), "y"},
    {ONE_LOOP(UPDATE("put(x + 1)")), "x y"},
    {ONE_LOOP(UPDATE("v = same[x]")), "x y"},
    {ONE_LOOP(UPDATE("v = last[x]")), "y"},
    {ONE_LOOP(GUARD("two[x] == 1")), "y"},            /* V7: fails for 2 */
    {ONE_LOOP(UPDATE("v = two[x]")), "x y"},          /* V14: fails for 2 */
    {ONE_LOOP(UPDATE("x++")), "x y"},                 /* V14: fails at 2 */
    {ONE_LOOP(UPDATE("v = 0 / x")), "y"},             /* V14: fails at 0, which stands for all */
    {ONE_LOOP(GUARD("x &lt; 2") UPDATE("x++")), "y"}, /* enabled or not */
    {ONE_LOOP(UPDATE("x = (x + 1) % 3")), "x y"},
    {ONE_LOOP(SYNC("c[x]!")), "y"},
    {ONE_LOOP(SYNC("c[x]?")), "y"},
    {ONE_LOOP(SYNC("c[same[y]]?") UPDATE("v = x")), "y"},
    {ONE_LOOP(SELECT("i : int[0,2]") GUARD("i == x") UPDATE("v = i")), "y"},
    {ONE_LOOP(SELECT("i : int[0,2]") GUARD("i + x &gt;= 0") UPDATE("v = i")), "x y"},
};

START_TEST(what_an_edge_does) {
    sample_open(&sample, functions[_i].model);
    ck_ones(find("P.x P.y", false, 0), "a", functions[_i].expected);
}
END_TEST

#define THREE LOCATION("a") LOCATION("b") LOCATION("c") INIT("a")
#define ANY(name) SELECT("s : int[0,2]") UPDATE(name " = s")

START_TEST(until_it_is_written_again) { /* V3 */
    sample_open(&sample, MODEL("int[0,2] v;",
                               TEMPLATE("P", "", "int[0,2] x;",
                                        THREE EDGE("a", "b", ANY("x")) EDGE("b", "c", "")
                                            EDGE("c", "a", GUARD("x == 1"))),
                               "system P;"));
    const struct classes *classes = find("P.x", false, 0);
    ck_ones(classes, "a", "x"); /* written before it is read */
    ck_ones(classes, "b", "");
    ck_ones(classes, "c", "");
}
END_TEST

START_TEST(some_runs_write) { /* V3 */
    sample_open(&sample,
                MODEL("int[0,2] v;",
                      TEMPLATE("P", "", "int[0,2] x, y; void put() { if (v &gt; 0) x = 0; y = 0; }",
                               THREE EDGE("a", "a", SELECT("s : int[0,2]") UPDATE("x = s, y = s"))
                                   EDGE("a", "b", UPDATE("put()"))
                                       EDGE("b", "a", GUARD("x == 1 &amp;&amp; y == 1"))
                                           EDGE("b", "b", UPDATE("v = 1 - v, y = 1"))),
                      "system P;"));
    const struct classes *classes = find("P.x P.y", false, 0);
    ck_ones(classes, "a", "y");
    ck_ones(classes, "b", "");
}
END_TEST

START_TEST(within_a_step) { /* V4 */
    sample_open(
        &sample,
        MODEL("chan c; int[0,2] h, k, v;",
              TEMPLATE("S", "", "",
                       LOCATION("a") INIT("a")
                           EDGE("a", "a", SELECT("s : int[0,2]") SYNC("c!") UPDATE("h = s, k = s")))
                  TEMPLATE("R", "", "",
                           LOCATION("a") INIT("a")
                               EDGE("a", "a", SYNC("c?") UPDATE("v = h, h = 0, k = 0"))),
              "system S, R;"));
    ck_ones(find("h k", false, 0), "a", "k");
}
END_TEST

START_TEST(invariants) { /* V1 */
    sample_open(&sample,
                MODEL("int[0,2] x, y, v;",
                      TEMPLATE("P", "", "",
                               LOCATION("a") INVARIANT("b", "x + v &lt; 4 &amp;&amp; y + v &lt; 5")
                                   INIT("a") EDGE("a", "a",
                                                  SELECT("s : int[0,2], t : int[0,2]")
                                                      UPDATE("x = s, y = t, v = s"))
                                       EDGE("a", "b", "") EDGE("b", "a", "")),
                      "system P;"));
    ck_ones(find("x y", false, 0), "a", "y");
}
END_TEST

START_TEST(processes_of_a_template_share) { /* V9 */
    sample_open(&sample,
                MODEL("int[0,2] v;",
                      TEMPLATE("P", "const int[0,1] id", "int[0,2] x, y;",
                               LOCATION("a") INIT("a")
                                   EDGE("a", "a", SELECT("s : int[0,2]") UPDATE("x = s, y = s"))
                                       EDGE("a", "a", GUARD("x * id &lt; 2 &amp;&amp; y &lt; 3"))),
                      "system P;"));
    ck_ones(find("P.x P.y", false, 0), "a", "y");
}
END_TEST

static bool is_common(const void *context, const struct symbol *symbol) {
    return !strcmp(symbol->name, context);
}

static const struct class_point *point_in(const struct classes *classes, uint32_t process,
                                          const char *name) {
    const struct process *own = &sample.network->processes[process];
    const struct symbol *symbol = sample_symbol(&sample, own->template, name);
    uint32_t slot = sample.network->slot_of[own->locals[symbol->index].address];
    return classes_point(classes, slot, sample_location(own->template, "b"), 0);
}

START_TEST(processes_told_apart) { /* V9 */
    sample_open(
        &sample,
        MODEL("int[0,1] v;",
              TEMPLATE("P", "const int[0,2] id, int[0,1] n", "int[0,2] x, y;",
                       LOCATION("a") LOCATION("b") INIT("a")
                           EDGE("a", "b", SELECT("s : int[0,2]") UPDATE("x = s, y = s, n = 1 - n"))
                               EDGE("b", "a", GUARD("x == id"))
                                   EDGE("b", "a", GUARD("y == 2 || id == 0"))),
              "P0 = P(0, 0); P1 = P(1, 0); Q1 = P(1, 1); system P0, P1, Q1;"));
    sample_analyse(&sample, "P.x P.y", APPROX_TEMPLATE, 0);
    const struct classes *classes =
        classes_part(&(struct classes_request){.arena = &sample.arena,
                                               .analysis = sample.analysis,
                                               .wanted = is_asked,
                                               .common = is_common,
                                               .context = "y"});
    const struct class_point *first = point_in(classes, 0, "x"), *other = point_in(classes, 1, "x");
    ck_assert_int_eq(point_normal(first, 0), 0);
    ck_assert_int_eq(point_normal(first, 1), point_normal(first, 2));
    ck_assert_int_ne(point_normal(first, 1), 0);
    ck_assert_int_eq(point_normal(other, 0), point_normal(other, 2));
    ck_assert_int_ne(point_normal(other, 1), point_normal(other, 2));
    ck_assert_ptr_eq(point_in(classes, 2, "x"), other); /* n changes, so it tells nothing */
    ck_assert_ptr_eq(point_in(classes, 0, "y"), point_in(classes, 1, "y"));
    ck_assert(!point_in(classes, 0, "y")->is_one); /* for P(0) alone it would be */
    ck_assert_int_eq(point_normal(point_in(classes, 0, "y"), 1), 0);
}
END_TEST

START_TEST(together_or_not) { /* C3 */
    static const char model[] =
        MODEL("int[0,2] x, y, z, v;",
              TEMPLATE("P", "", "",
                       LOCATION("a") INIT("a") EDGE("a", "a", ANY("x"))
                           EDGE("a", "a", UPDATE("y = x, z = y, v = (v + 1) % 3"))),
              "system P;");
    sample_open(&sample, model);
    ck_ones(find("x y z", false, 0), "a", "x y z");
    ck_assert(classes_are_complete(find("x y z", true, 0)));
    ck_ones(find("x z", false, 0), "a", "z");
    ck_assert(!classes_are_complete(find("x z", true, 0)));
}
END_TEST

START_TEST(past_the_budget) { /* V12 */
    sample_open(&sample, MODEL("int[0,99] x; int[0,2] y, v;",
                               TEMPLATE("P", "", "",
                                        LOCATION("a") INIT("a")
                                            EDGE("a", "a", SELECT("s : int[0,99]") UPDATE("x = s"))
                                                EDGE("a", "a", ANY("y"))
                                                    EDGE("a", "a", GUARD("x + v &gt;= 0"))
                                                        EDGE("a", "a", GUARD("y + v &gt;= 0"))),
                               "system P;"));
    ck_ones(find("x y", false, 0), "a", "x y");
    ck_ones(find("x y", false, 60), "a", "y");
}
END_TEST

START_TEST(representatives) {
    sample_open(&sample, MODEL("int[0,2] v;",
                               TEMPLATE("P", "", "int[0,5] x = 4;",
                                        THREE EDGE("a", "b", SELECT("s : int[1,3]") UPDATE("x = s"))
                                            EDGE("b", "c", SELECT("s : int[3,5]") UPDATE("x = s"))
                                                EDGE("c", "b", "")),
                               "system P;"));
    const struct classes *classes = find("P.x", true, 0);
    const struct template *template = sample_template(&sample, "P");
    const struct symbol *x = sample_symbol(&sample, template, "x");
    int32_t value;
    ck_assert(classes_is_one(classes, template, sample_location(template, "b"), x, 0, &value));
    ck_assert_int_eq(value, 4); /* it may come back from c with the initial value */
    ck_assert(classes_is_one(classes, template, sample_location(template, "c"), x, 0, &value));
    ck_assert_int_eq(value, 4);

    struct analysis *pinned = classes_pin(classes, sample.analysis);
    const struct value_set *at_b =
        analysis_values(pinned, template, sample_location(template, "b"), x, 0, false);
    ck_assert(value_set_size(at_b) == 1 && value_set_has(at_b, 4));
    ck_assert(analysis_is_pinned(pinned, template, sample_location(template, "b"), x, 0));
    ck_assert(!analysis_is_pinned(pinned, template, sample_location(template, "a"), x, 0));
    check_values(&sample, "P.b", "x", "{1,2,3,4,5}"); /* the analysis itself stays */
}
END_TEST

Suite *classes_suite(void) {
    Suite *suite = suite_create("classes");
    TCase *table = tcase_create("functions"), *places = tcase_create("places");
    tcase_add_checked_fixture(table, setup, teardown);
    tcase_add_loop_test(table, what_an_edge_does, 0, (int)(sizeof functions / sizeof *functions));
    suite_add_tcase(suite, table);
    tcase_add_checked_fixture(places, setup, teardown);
    tcase_add_test(places, until_it_is_written_again);
    tcase_add_test(places, some_runs_write);
    tcase_add_test(places, within_a_step);
    tcase_add_test(places, invariants);
    tcase_add_test(places, processes_of_a_template_share);
    tcase_add_test(places, processes_told_apart);
    tcase_add_test(places, together_or_not);
    tcase_add_test(places, past_the_budget);
    tcase_add_test(places, representatives);
    suite_add_tcase(suite, places);
    return suite;
}
