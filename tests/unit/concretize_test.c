#include "explore/compare/concretize.h"

#include "verify_sample.h"

Suite *concretize_suite(void);

/* The abstraction is the sample of the verification. */
static struct sample original;
static struct visible visible;
static struct concretize_options limits;
static struct concretization result;

static void open_both(void) {
    setup();
    original = (struct sample){0};
    limits = (struct concretize_options){0};
}

static void close_both(void) {
    sample_close(&original);
    teardown();
}

static void add_slots(struct buffer *out) {
    for (uint32_t i = 0; i < result.slot_count; i++) {
        const struct slot *slot = &original.network->slots[result.slots[i]];
        buffer_printf(out, "%s %s", i ? "," : " because of", slot->symbol->name);
    }
}

static const char *result_text(void) {
    static const char *const names[] = {"none", "states", "memory", "time"};
    static const char *const ends[] = {"open", "deadlock", "idle", "loop"};
    struct buffer text = {0};
    ck_assert((result.outcome == CONCRETE_REAL) == (result.trace != NULL));
    if (result.outcome == CONCRETE_REAL)
        buffer_printf(&text, "real: %u %s", result.trace->state_count, ends[result.trace->end]);
    else if (result.problem)
        buffer_printf(&text, "unknown: %s", result.problem);
    else if (result.outcome == CONCRETE_UNKNOWN)
        buffer_printf(&text, "unknown: %s", names[result.limit]);
    else if (result.is_at_end)
        buffer_add_text(&text, "spurious at the end");
    else
        buffer_printf(&text, "spurious at step %u, round %u", result.step, result.round);
    add_slots(&text);
    const char *copy = buffer_take(&text, &arena);
    buffer_close(&text);
    return copy;
}

/* What becomes of the run of the only query. */
static const char *follow(const char *concrete, const char *abstract, enum semantics semantics) {
    struct concretizer concretizer;
    const char *ignored[] = {"h"};
    bool has_ignored = strstr(abstract, "int h") != NULL;
    run(abstract, semantics);
    ck_assert_ptr_nonnull(verification.answers[0].trace);
    if (original.network) sample_close(&original);
    sample_open(&original, concrete);
    const char *problem =
        visible_init(&visible, &arena, original.network, sample.network, ignored, has_ignored);
    ck_assert_msg(!problem, "%s", problem);
    limits.semantics = semantics;
    ck_assert(concretizer_init(&concretizer, &visible, original.model->queries, 1, &limits));
    concretize(&concretizer, 0, verification.answers[0].trace, &arena, &result);
    concretizer_close(&concretizer);
    return result_text();
}

#define BOX LOCATION("A") INIT("A")
#define STEP(guard, update) EDGE("A", "A", GUARD(guard) UPDATE(update))
#define ABSTRACT(query) ONE("int[0,9] x;", BOX STEP("x &lt; 9", "x++"), QUERY(query))
/* m keeps x from getting far; k changes, too, and does not matter. */
#define COUNTED(limit, query)                                                                      \
    ONE("int[0,9] x; int[0,9] m, k;",                                                              \
        BOX STEP("x &lt; 9 &amp;&amp; m &lt; " limit, "x++, m = m + 1, k = 9 - k"), QUERY(query))

static const struct {
    const char *concrete, *abstract, *expected;
} steps[] = {
    {COUNTED("9", "E<> x == 4"), ABSTRACT("E<> x == 4"), "real: 5 open"},
    {COUNTED("2", "E<> x == 4"), ABSTRACT("E<> x == 4"),
     "spurious at step 2, round 0 because of m"},
    {COUNTED("0", "A[] x < 1"), ABSTRACT("A[] x < 1"), "spurious at step 0, round 0 because of m"},
    /* the guard holds, but m leaves its range, */
    {ONE("int[0,9] x; int[0,1] m;", BOX STEP("x &lt; 9", "x++, m = m + 1"), QUERY("E<> x == 3")),
     ABSTRACT("E<> x == 3"), "spurious at step 1, round 0 because of m"},
    /* or the invariant of where it leads is violated */
    {ONE("int[0,9] x; int[0,9] m, k;",
         INVARIANT("A", "m &lt; 2") INIT("A") STEP("x &lt; 9", "x++, m = x"), QUERY("E<> x == 3")),
     ABSTRACT("E<> x == 3"), "spurious at step 1, round 0 because of m"},
};

START_TEST(steps_are_followed) {
    const char *text = follow(steps[_i].concrete, steps[_i].abstract, SEMANTICS_UPPAAL);
    ck_assert_str_eq(text, steps[_i].expected);
}
END_TEST

#define TURN(more, update) STEP("x == 0" more, "x = 1" update) STEP("x == 1", "x = 0")
#define RING ONE("int[0,1] x;", BOX TURN("", ""), QUERY("E[] x < 2"))

static const struct {
    const char *concrete, *expected;
} loops[] = {
    /* three rounds, after one step: the predicate holds since then */
    {ONE("int[0,1] x; int[0,2] n;", BOX TURN("", ", n = (n + 1) % 3"), QUERY("E[] x < 2")),
     "real: 8 loop"},
    {ONE("int[0,1] x; int[0,9] n;", BOX TURN(" &amp;&amp; n &lt; 4", ", n++"), QUERY("E[] x < 2")),
     "real: 9 deadlock"},
    /* a run that ends proves the same; where a step leads out of the loop there is none */
    {ONE("int[0,2] x; int[0,9] n;",
         BOX TURN(" &amp;&amp; n &lt; 4", ", n++") STEP("x == 0 &amp;&amp; n == 4", "x = 2"),
         QUERY("E[] x < 2")),
     "spurious at step 0, round 4 because of n"},
};

START_TEST(loops_are_followed) {
    const char *text = follow(loops[_i].concrete, RING, SEMANTICS_KRIPKE);
    ck_assert_str_eq(text, loops[_i].expected);
}
END_TEST

/* The last state of the run is no end of the original. */
START_TEST(the_end_matters) {
    const char *abstract = ONE("int[0,9] x;", BOX STEP("x &lt; 1", "x++"), QUERY("A<> x == 2"));
    const char *concrete =
        ONE("int[0,9] x; bool m;", BOX STEP("x &lt; 1", "x++, m = true") STEP("m", "x = 2"),
            QUERY("A<> x == 2"));
    ck_assert_str_eq(follow(concrete, abstract, SEMANTICS_KRIPKE), "spurious at the end");
    ck_assert_str_eq(follow(abstract, abstract, SEMANTICS_KRIPKE), "real: 2 deadlock");
    ck_assert_str_eq(follow(abstract, abstract, SEMANTICS_UPPAAL), "real: 1 idle");
}
END_TEST

#define SLOW                                                                                       \
    ONE("int[0,9] x; int m; bool slow() { int i, s; for (i = 0; i &lt; 20000; i++) "               \
        "s = (s + i) % 7; return s + m &gt;= 0; }",                                                \
        BOX STEP("slow() &amp;&amp; x &lt; 9", "x++"), QUERY("E<> x == 4"))

START_TEST(limits_leave_it_unknown) {
    const char *concrete = COUNTED("9", "E<> x == 4"), *abstract = ABSTRACT("E<> x == 4");
    limits.max_states = 4;
    ck_assert_str_eq(follow(concrete, abstract, SEMANTICS_UPPAAL), "unknown: states");
    limits.max_states = 5;
    ck_assert_str_eq(follow(concrete, abstract, SEMANTICS_UPPAAL), "real: 5 open");
    limits.max_size = 1;
    ck_assert_str_eq(follow(concrete, abstract, SEMANTICS_UPPAAL), "unknown: memory");
    limits.max_size = 0;
    limits.max_seconds = 1e-6;
    ck_assert_str_eq(follow(SLOW, abstract, SEMANTICS_UPPAAL), "unknown: time");
}
END_TEST

START_TEST(predicates_that_fail_leave_it_unknown) {
    const char *abstract =
        ONE("int[0,9] x; int h = 9;", BOX STEP("x &lt; 9", "x++"), QUERY("E<> 6 / (x - h) < -2"));
    const char *concrete = ONE("int[0,9] x; int h = 9;", BOX STEP("x &lt; 9", "x++, h = x"),
                               QUERY("E<> 6 / (x - h) < -2"));
    ck_assert_str_eq(follow(concrete, abstract, SEMANTICS_UPPAAL), "unknown: division by zero");
}
END_TEST

START_TEST(states_that_look_different_from_the_start) {
    const char *concrete = ONE("int[0,9] x = 1;", BOX, QUERY("E<> x == 4"));
    ck_assert_str_eq(follow(concrete, ABSTRACT("E<> x == 4"), SEMANTICS_UPPAAL),
                     "unknown: the initial states look different");
}
END_TEST

Suite *concretize_suite(void) {
    Suite *suite = suite_create("concretize");
    TCase *tcase = tcase_create("concretize");
    tcase_add_checked_fixture(tcase, open_both, close_both);
    tcase_add_loop_test(tcase, steps_are_followed, 0, sizeof steps / sizeof *steps);
    tcase_add_loop_test(tcase, loops_are_followed, 0, sizeof loops / sizeof *loops);
    tcase_add_test(tcase, the_end_matters);
    tcase_add_test(tcase, limits_leave_it_unknown);
    tcase_add_test(tcase, predicates_that_fail_leave_it_unknown);
    tcase_add_test(tcase, states_that_look_different_from_the_start);
    suite_add_tcase(suite, tcase);
    return suite;
}
