#include "explore/compare/certify.h"

#include "approx_sample.h"

#include <check.h>
#include <string.h>

Suite *certify_suite(void);

#define P(declarations, body) TEMPLATE("P", "", declarations, body)
#define ONE(declarations, locals, body) MODEL(declarations, P(locals, body), "system P;")
#define BOX LOCATION("A") INIT("A")
#define STEP(guard, update) EDGE("A", "A", GUARD(guard) UPDATE(update))

static struct sample samples[SIDE_COUNT];
static struct arena arena;
static struct visible visible;
static struct certification certification;
static struct certify_options options;
static const char *ignored[4];

static void setup(void) {
    arena_init(&arena);
    options = (struct certify_options){0};
    certification = (struct certification){0};
    memset(samples, 0, sizeof samples);
    memset(ignored, 0, sizeof ignored);
}

static void teardown(void) {
    certify_close(&certification);
    for (int side = 0; side < SIDE_COUNT; side++) sample_close(&samples[side]);
    arena_close(&arena);
}

/* NULL or what is wrong with the two. */
static const char *open(const char *concrete, const char *abstract) {
    uint32_t count = 0;
    while (count < 4 && ignored[count]) count++;
    for (int side = 0; side < SIDE_COUNT; side++) sample_close(&samples[side]);
    sample_open(&samples[SIDE_CONCRETE], concrete);
    sample_open(&samples[SIDE_ABSTRACT], abstract);
    return visible_init(&visible, &arena, samples[SIDE_CONCRETE].network,
                        samples[SIDE_ABSTRACT].network, ignored, count);
}

/* That a run ends where it should: sets have one wherever states have. */
static void compare_runs(const struct refutation *own, const struct refutation *other) {
    ck_assert_int_eq(own != NULL, other != NULL);
    if (!own) return;
    ck_assert_int_eq(own->is_initial, other->is_initial);
    ck_assert_int_eq(own->is_timed, other->is_timed);
    for (int side = 0; side < SIDE_COUNT; side++) {
        uint32_t last = other->at[side][other->count - 1];
        bool goes_on = !other->is_initial && !other->is_timed && !other->is_stutter;
        ck_assert_uint_eq(other->at[side][0], 0);
        ck_assert_uint_eq(other->traces[side]->state_count,
                          last + 1 + (goes_on && other->mover == (enum side)side));
    }
}

/* Sets say the same of what they are for. */
static void compare_sets(enum simulation_outcome outcome, enum simulation_outcome time) {
    struct certification other;
    bool has_states = options.search.max_states;
    if (has_states || options.search.max_size || options.search.max_seconds > 0) return;
    for (uint64_t shuffle = 0; shuffle < 3; shuffle++) {
        options.engine = ENGINE_SYMBOLIC;
        options.shuffle = shuffle;
        if (certify(&other, &arena, &visible, &options)) {
            ck_assert_int_eq(other.outcome, outcome);
            ck_assert_int_eq(other.time, time);
            compare_runs(certification.refutation, other.refutation);
            compare_runs(certification.time_refutation, other.time_refutation);
        }
        certify_close(&other);
    }
    options.engine = ENGINE_EXPLICIT;
    options.shuffle = 0;
}

static char run(enum simulation_mode mode, bool is_stuttering) {
    certify_close(&certification);
    options.mode = mode;
    options.is_stuttering = is_stuttering && mode != SIMULATE_EXACT;
    ck_assert(certify(&certification, &arena, &visible, &options));
    ck_assert((certification.outcome == SIMULATION_FAILS) == (certification.refutation != NULL));
    ck_assert((certification.time == SIMULATION_FAILS) == (certification.time_refutation != NULL));
    ck_assert(certification.outcome == SIMULATION_HOLDS || !certification.time);
    if (!options.observes) compare_sets(certification.outcome, certification.time);
    return "?+-"[certification.outcome];
}

/* May, must, exact; then with stutter, which exact does not know: + holds, - fails, ? unknown. */
static const char *verdicts(const char *concrete, const char *abstract) {
    static char text[8];
    const char *problem = open(concrete, abstract);
    ck_assert_msg(!problem, "%s", problem);
    for (int i = 0; i < 6; i++) text[i + i / 3] = run((enum simulation_mode)(i % 3), i >= 3);
    text[3] = ' ';
    return text;
}

#define COUNT(limit) ONE("int[0,9] x;", "", BOX STEP("x &lt; " limit, "x++"))

#define KIND(kind) "<location id=\"A\"><name>A</name>" kind "</location>" INIT("A")
#define AT(kind) ONE("int[0,9] x;", "", KIND(kind) STEP("x &lt; 4", "x++"))

START_TEST(steps_are_followed) {
    ck_assert_str_eq(verdicts(COUNT("4"), COUNT("4")), "+++ +++");
    ck_assert_uint_eq(certification.pairs.value, 5);
    /* where the concrete model stutters, the abstract one goes on */
    ck_assert_str_eq(verdicts(COUNT("4"), COUNT("5")), "+-- ---");
    ck_assert_str_eq(verdicts(COUNT("5"), COUNT("4")), "-+- ---");
}
END_TEST

/* Who answers if sets are asked: s, e, or r: the models are refused; for may, must, exact, and with
 * stutter. */
static const char *answerers(const char *concrete, const char *abstract) {
    static char text[8];
    const char *problem = open(concrete, abstract);
    ck_assert_msg(!problem, "%s", problem);
    for (int i = 0; i < 6; i++) {
        options.mode = (enum simulation_mode)(i % 3);
        options.is_stuttering = i >= 3 && i % 3 != SIMULATE_EXACT;
        options.engine = ENGINE_SYMBOLIC;
        certify_close(&certification);
        bool is_fine = certify(&certification, &arena, &visible, &options);
        text[i + i / 3] = !is_fine ? 'r' : certification.engine == ENGINE_SYMBOLIC ? 's' : 'e';
    }
    text[3] = ' ';
    options.engine = ENGINE_EXPLICIT;
    return text;
}

#define HIDDEN(more) ONE("int[0,9] x; int[0,9] h;", "", BOX STEP("x &lt; 4", "x++, h = 9 - x") more)

START_TEST(sets_show_what_holds) {
    ck_assert_str_eq(answerers(COUNT("4"), COUNT("4")), "sss sss");
    ck_assert_str_eq(answerers(HIDDEN(""), COUNT("4")), "sss sss");
    ck_assert_str_eq(verdicts(HIDDEN(""), COUNT("4")), "+++ +++");
    ck_assert_uint_eq(certification.pairs.value, 5);
    /* and why other things fail */
    ck_assert_str_eq(answerers(COUNT("4"), COUNT("5")), "sss sss");
    ck_assert_str_eq(answerers(COUNT("5"), COUNT("4")), "sss sss");
    ck_assert_str_eq(verdicts(HIDDEN(STEP("h == 7", "x = 0")), COUNT("4")), "-+- -+-");
    ck_assert_str_eq(
        verdicts(HIDDEN(STEP("h == 7", "x = 0")),
                 ONE("int[0,9] x;", "", BOX STEP("x &lt; 4", "x++") STEP("", "x = 0"))),
        "+-- ---");
    /* a step of the abstract model that only looks like the concrete one there */
    ck_assert_str_eq(verdicts(COUNT("4"), ONE("int[0,9] x;", "",
                                              BOX STEP("x &lt; 4", "x = x == 2 ? 4 : x + 1"))),
                     "--- ---");
    ck_assert_str_eq(verdicts(ONE("int[0,9] x;", "", BOX STEP("x &lt; 4", "x++")),
                              ONE("int[0,9] x = 1;", "", BOX STEP("x &lt; 4", "x++"))),
                     "--- ---");
    /* a step that fails is none */
    ck_assert_str_eq(answerers(COUNT("10"), COUNT("10")), "sss sss");
    ck_assert_str_eq(answerers(COUNT("10"), COUNT("9")), "sss sss");
    /* another step does the same */
    ck_assert_str_eq(answerers(ONE("int[0,9] x, y;", "", BOX STEP("x &lt; 4", "x++")),
                               ONE("int[0,9] x, y;", "",
                                   BOX STEP("x &lt; 4", "x++, y = 0")
                                       STEP("x == 3 &amp;&amp; y == 0", "x = 4"))),
                     "sss sss");
}
END_TEST

START_TEST(sets_are_not_for_all) {
    ck_assert_str_eq(answerers(COUNT("4"), ONE("int[0,9] x; int[0,999] h;", "",
                                               BOX STEP("x &lt; 4", "x++, h = 99 * x"))),
                     "rrr rrr"); /* h is not compared, and has many values */
    ck_assert_str_eq(answerers(AT(""), AT("<urgent/>")), "sss sss"); /* time */
    options.observes = true;
    ck_assert_str_eq(answerers(COUNT("4"), COUNT("4")), "rrr rrr");
}
END_TEST

/* x goes to 1 with two values of h, which say where it goes on; or there is no such variable. */
#define FORK(steps)                                                                                \
    ONE("int[0,3] x; int[0,2] h;", "",                                                             \
        BOX STEP("x == 0", "x = 1, h = 1") STEP("x == 0", "x = 1, h = 2") steps)
#define ON(number) STEP("x == 1 &amp;&amp; h == " number, "x = 1 + h")
#define NARROW(steps) ONE("int[0,3] x;", "", BOX STEP("x == 0", "x = 1") steps)

START_TEST(sets_compare_all_pairs) {
    /* a variable that only the abstract model has, with one value for each state or several */
    ck_assert_str_eq(answerers(COUNT("4"), HIDDEN("")), "sss sss");
    ck_assert_uint_eq(certification.pairs.value, 25); /* with those that no run leads to */
    const char *plain = NARROW(STEP("x == 1", "x = 2"));
    ck_assert_str_eq(answerers(plain, FORK(ON("1"))), "sss sss");
    ck_assert_str_eq(verdicts(plain, FORK(ON("1"))), "++- +--");
    ck_assert_str_eq(answerers(plain, FORK(ON("1") ON("2"))), "sss sss");
    /* that both have, and have different values of */
    ignored[0] = "h";
    ck_assert_str_eq(answerers(FORK(ON("1")), FORK(STEP("x == 1 &amp;&amp; h == 2", "x = 2"))),
                     "sss sss");
    ck_assert_str_eq(answerers(FORK(ON("1") ON("2")), FORK(ON("1"))), "sss sss");
    ignored[0] = NULL;
    /* a must-abstraction that not all states follow which look like its own */
    ck_assert_str_eq(answerers(FORK(ON("1") ON("2")), plain), "sss sss");
    ck_assert_str_eq(verdicts(FORK(ON("1") ON("2")), plain), "-+- -+-");
}
END_TEST

START_TEST(the_counterexample_is_shortest) {
    open(COUNT("4"), COUNT("2"));
    ck_assert_int_eq(run(SIMULATE_MAY, false), '-');
    const struct refutation *refutation = certification.refutation;
    ck_assert_uint_eq(refutation->count, 3);
    ck_assert_int_eq(refutation->mover, SIDE_CONCRETE);
    ck_assert_uint_eq(refutation->choices, 0);
    const struct trace *concrete = refutation->traces[SIDE_CONCRETE];
    const struct trace *abstract = refutation->traces[SIDE_ABSTRACT];
    ck_assert_uint_eq(concrete->state_count, 4);
    ck_assert_uint_eq(abstract->state_count, 3);
    ck_assert_int_eq(concrete->states[3].values[0], 3);
    /* with stutter the abstract model stands still while the other goes on */
    ck_assert_int_eq(run(SIMULATE_MUST, true), '-');
    refutation = certification.refutation;
    ck_assert_uint_eq(refutation->count, 3);
    ck_assert(refutation->is_stutter);
    ck_assert_uint_eq(refutation->choices, 1);
}
END_TEST

/* Names: one step, then a choice or the other way round; h is hidden. */
#define LATE                                                                                       \
    ONE("int[0,3] x; int h;", "",                                                                  \
        BOX STEP("x == 0", "x = 1") STEP("x == 1", "x = 2") STEP("x == 1", "x = 3"))
#define EARLY                                                                                      \
    ONE("int[0,3] x; int h;", "",                                                                  \
        BOX STEP("x == 0", "x = 1, h = 2") STEP("x == 0", "x = 1, h = 3")                          \
            STEP("x == 1 &amp;&amp; h == 2", "x = 2") STEP("x == 1 &amp;&amp; h == 3", "x = 3"))
/* The same as far as simulation goes, but there is a dead end. */
#define STRAIGHT ONE("int[0,3] x; int h;", "", BOX STEP("x == 0", "x = 1") STEP("x == 1", "x = 2"))
#define DEAD_END                                                                                   \
    ONE("int[0,3] x; int h;", "",                                                                  \
        BOX STEP("x == 0", "x = 1") STEP("x == 0", "x = 1, h = 1")                                 \
            STEP("x == 1 &amp;&amp; h == 0", "x = 2"))

START_TEST(hidden_choices_matter) {
    ignored[0] = "h";
    ck_assert_str_eq(verdicts(LATE, EARLY), "-+- -+-");
    ck_assert_str_eq(verdicts(EARLY, LATE), "+-- +--");
    open(LATE, EARLY);
    ck_assert_int_eq(run(SIMULATE_MAY, false), '-');
    ck_assert_uint_eq(certification.refutation->count, 2);
    ck_assert_uint_eq(certification.refutation->steps[0].choices, 2);
    ck_assert_str_eq(verdicts(STRAIGHT, DEAD_END), "++- +--");
    ck_assert_str_eq(verdicts(DEAD_END, STRAIGHT), "++- -+-");
    ignored[0] = NULL;
    ck_assert_str_eq(verdicts(STRAIGHT, DEAD_END), "+-- +--");
}
END_TEST

/* The run that sets find. */
static const struct refutation *run_of_sets(const char *concrete, const char *abstract,
                                            enum simulation_mode mode) {
    const char *problem = open(concrete, abstract);
    ck_assert_msg(!problem, "%s", problem);
    certify_close(&certification);
    options.mode = mode;
    options.engine = ENGINE_SYMBOLIC;
    ck_assert(certify(&certification, &arena, &visible, &options));
    ck_assert_int_eq(certification.engine, ENGINE_SYMBOLIC);
    ck_assert_int_eq(certification.outcome, SIMULATION_FAILS);
    return certification.refutation;
}

START_TEST(sets_show_why_it_fails) {
    /* as short as can be: not by the steps that go on one by one */
    const char *branch =
        ONE("int[0,9] x;", "", BOX STEP("x &lt; 6", "x++") STEP("x == 2", "x = 9"));
    const char *strict = ONE("int[0,9] x;", "", BOX STEP("x &lt; 5", "x++"));
    const struct refutation *refutation = run_of_sets(branch, strict, SIMULATE_MAY);
    ck_assert_uint_eq(refutation->count, 3);
    ck_assert_int_eq(refutation->mover, SIDE_CONCRETE);
    ck_assert_int_eq(refutation->traces[SIDE_CONCRETE]->states[3].values[0], 9);
    ck_assert_uint_eq(refutation->choices, 1);
    ck_assert_uint_eq(certification.pairs.value, 8);
    /* a step of the abstract model, where the other one stutters */
    options.is_stuttering = true;
    refutation = run_of_sets(COUNT("2"), COUNT("4"), SIMULATE_MUST);
    ck_assert_uint_eq(refutation->count, 3);
    ck_assert_int_eq(refutation->mover, SIDE_ABSTRACT);
    ck_assert(!refutation->is_stutter);
    options.is_stuttering = false;
    /* both choices of the first step go wrong */
    refutation = run_of_sets(NARROW(STEP("x == 1", "x = 2") STEP("x == 1", "x = 3")),
                             FORK(ON("1") ON("2")), SIMULATE_MAY);
    ck_assert_uint_eq(refutation->count, 2);
    ck_assert_uint_eq(refutation->steps[0].choices, 2);
    /* pairs go one after another */
    refutation = run_of_sets(ONE("int[0,9] x;", "", BOX STEP("x &lt; 9", "x++")),
                             ONE("int[0,9] x; int[0,1] h;", "",
                                 BOX STEP("x &lt; 8", "x++") STEP("x &lt; 8", "x++, h = 1")
                                     STEP("x == 8 &amp;&amp; h == 2", "x++")),
                             SIMULATE_MAY);
    ck_assert_uint_eq(refutation->count, 9);
    for (uint32_t i = 0; i < 8; i++) ck_assert_uint_ge(refutation->steps[i].choices, 1);
}
END_TEST

START_TEST(errors_are_no_steps) {
    const char *bad = ONE("int[0,2] x;", "", BOX STEP("true", "x++"));
    ck_assert_str_eq(verdicts(bad, ONE("int[0,2] x;", "", BOX STEP("x &lt; 2", "x++"))), "+++ +++");
    ck_assert_uint_eq(certification.searches[SIDE_CONCRETE].errors, 1);
    ck_assert_uint_eq(certification.searches[SIDE_ABSTRACT].errors, 0);
    open(COUNT("4"), bad);
    ck_assert_int_eq(run(SIMULATE_MAY, false), '-');
    ck_assert(certification.refutation->has_fault);
}
END_TEST

START_TEST(values_are_compared_not_codes) {
    ck_assert_str_eq(verdicts(ONE("int[-3,3] x;", "", BOX STEP("x &lt; 2", "x++")),
                              ONE("int x;", "", BOX STEP("x &lt; 2", "x++"))),
                     "+++ +++");
    ck_assert_str_eq(verdicts(ONE("int[-3,3] x = -3;", "", BOX STEP("x &lt; 2", "x++")),
                              ONE("int[-9,9] x = -2;", "", BOX STEP("x &lt; 2", "x++"))),
                     "--- ---");
    ck_assert(certification.refutation->is_initial);
    ck_assert_str_eq(verdicts(ONE("bool x;", "", BOX STEP("!x", "x = true")),
                              ONE("int[0,1] x;", "", BOX STEP("x == 0", "x = 1"))),
                     "+++ +++");
    /* never written here, and back at its initial value after each step there */
    const char *still = ONE("int[5,9] x = 7; int[0,9] y;", "", BOX STEP("y &lt; 9", "y++"));
    const char *busy =
        ONE("int[0,99] x = 7; int[0,9] y;", "", BOX STEP("y &lt; 9", "x = y, y++, x = 7"));
    ck_assert_str_eq(verdicts(still, busy), "+++ +++");
    options.search.first_look = 2; /* chooses a layout with what is known after two states */
    ck_assert_str_eq(verdicts(still, busy), "+++ +++");
    ck_assert_str_eq(verdicts(busy, ONE("int[0,9] x = 6; int[0,9] y;", "", BOX)), "--- ---");
}
END_TEST

#define NAMED(id, name) "<location id=\"" id "\"><name>" name "</name></location>"
#define BARE(id) "<location id=\"" id "\"/>"

START_TEST(locations_are_matched_by_name_then_id) {
    const char *model = ONE("", "", NAMED("a", "A") BARE("b") INIT("a") EDGE("a", "b", ""));
    ck_assert_str_eq(
        verdicts(model, ONE("", "", BARE("b") NAMED("z", "A") INIT("z") EDGE("z", "b", ""))),
        "+++ +++");
    ck_assert_str_eq(
        verdicts(model, ONE("", "", NAMED("b", "A") BARE("a") INIT("b") EDGE("b", "a", ""))),
        "--- ---");
    ck_assert_str_eq(
        verdicts(model, ONE("", "", NAMED("b", "B") NAMED("a", "A") INIT("a") EDGE("a", "b", ""))),
        "+++ +++");
    ck_assert_str_eq(verdicts(model, ONE("", "", NAMED("a", "A") INIT("a"))), "-+- ---");
    ck_assert_str_eq(verdicts(ONE("", "", NAMED("a", "A") INIT("a")), model), "+-- ---");
}
END_TEST

START_TEST(only_common_slots_are_compared) {
    const char *two = MODEL("int[0,3] x; meta int m; int g[2];",
                            P("int[0,3] x;", BOX STEP("x &lt; 3", "x++, g[1] = x, m = x"))
                                TEMPLATE("Q", "", "int[0,3] y;", BOX STEP("y &lt; 3", "y++")),
                            "system P, Q;");
    const char *one = MODEL("int[0,3] x; int m; int g[2];",
                            P("int[0,3] x;", BOX STEP("x &lt; 3", "x++"))
                                TEMPLATE("Q", "", "int[0,3] z;", BOX STEP("true", "")),
                            "system P, Q;");
    ck_assert_str_eq(verdicts(two, one), "--- ---");
    ignored[0] = "g[1]";
    ck_assert_str_eq(verdicts(two, one), "+-- +--");
    ck_assert_uint_eq(visible.slot_count, 3);
    ignored[0] = "g";
    ck_assert_ptr_null(open(two, one));
    ck_assert_uint_eq(visible.slot_count, 2);
    ignored[0] = "x";
    ck_assert_str_eq(open(two, one), "x is ambiguous: write .x or P.x");
    ignored[0] = "P.x";
    ck_assert_ptr_null(open(two, one));
    ck_assert_uint_eq(visible.slot_count, 3);
    ignored[0] = ".x";
    ck_assert_ptr_null(open(two, one));
    ck_assert_uint_eq(visible.slot_count, 3);
    ignored[1] = "y";
    ignored[2] = "z";
    ck_assert_ptr_null(open(two, one));
    ignored[1] = "w";
    ck_assert_str_eq(open(two, one), "--ignore w: neither model has such a variable");
}
END_TEST

START_TEST(processes_must_be_the_same) {
    const char *templates = P("", BOX) TEMPLATE("Q", "const int[0,1] i", "", BOX);
    const char *first =
        arena_printf(&arena, "<nta><declaration/>%s<system>system P, Q;</system></nta>", templates);
    const char *second =
        arena_printf(&arena, "<nta><declaration/>%s<system>system P;</system></nta>", templates);
    const char *turned =
        arena_printf(&arena, "<nta><declaration/>%s<system>system Q, P;</system></nta>", templates);
    ck_assert_str_eq(open(first, second),
                     "the models have different processes; only the concrete one has Q(0), Q(1)");
    ck_assert_str_eq(open(second, first),
                     "the models have different processes; only the abstract one has Q(0), Q(1)");
    ck_assert_str_eq(verdicts(first, turned), "+++ +++");
}
END_TEST

START_TEST(limits_leave_it_open) {
    const char *model = ONE("int[0,200] x; int[0,200] y;", "",
                            BOX STEP("x &lt; 200", "x++") STEP("y &lt; 200", "y++"));
    options.search.max_states = 100;
    ck_assert_str_eq(verdicts(model, model), "??? ???");
    ck_assert_int_eq(certification.limit, LIMIT_STATES);
    options.search = (struct search_options){.max_seconds = 1e-9};
    ck_assert_str_eq(verdicts(model, model), "??? ???");
    ck_assert_int_eq(certification.limit, LIMIT_TIME);
    /* little memory ends the search, the graphs or the comparison */
    options.search = (struct search_options){0};
    ck_assert_int_eq(run(SIMULATE_EXACT, false), '+');
    size_t peak = certification.peak_size;
    ck_assert_uint_gt(peak, 0);
    for (size_t size = 1; size < peak; size += peak / 40) {
        options.search.max_size = size;
        ck_assert_int_eq(run(SIMULATE_EXACT, false), '?');
        ck_assert_int_eq(certification.limit, LIMIT_MEMORY);
        ck_assert_uint_le(certification.peak_size, size);
    }
}
END_TEST

/* May, must, exact with time compared. */
static const char *times(const char *concrete, const char *abstract) {
    static char text[4];
    const char *problem = open(concrete, abstract);
    ck_assert_msg(!problem, "%s", problem);
    for (int i = 0; i < 3; i++) {
        run((enum simulation_mode)i, false);
        text[i] = "?+-"[certification.time];
    }
    return text;
}

#define GO(guard) EDGE("A", "A", GUARD(guard) SYNC("go!"))
#define URGENT(steps) ONE("int[0,3] x; int h; urgent broadcast chan go;", "", BOX steps)

START_TEST(time_is_compared_apart) {
    ck_assert_str_eq(times(AT(""), AT("")), "+++");
    ck_assert_str_eq(times(AT("<urgent/>"), AT("<committed/>")), "+++");
    ck_assert_str_eq(times(AT(""), AT("<urgent/>")), "-+-");
    ck_assert_str_eq(times(AT("<committed/>"), AT("")), "+--");
    ck_assert_str_eq(verdicts(AT(""), AT("<urgent/>")), "+++ +++");
    ck_assert_uint_eq(certification.pairs.value, 5);
    ck_assert_str_eq(times(AT(""), ONE("int[0,9] x;", "", KIND("<urgent/>"))), "?+?");
}
END_TEST

START_TEST(guards_on_urgent_channels_stop_time) {
    const char *late = URGENT(GO("x == 2") STEP("x &lt; 2", "x++"));
    const char *never = URGENT(GO("x == 3") STEP("x &lt; 2", "x++"));
    ck_assert_str_eq(times(late, late), "+++");
    ck_assert_str_eq(times(never, late), "-??");
    run(SIMULATE_MAY, false);
    const struct refutation *refutation = certification.time_refutation;
    ck_assert(refutation->is_timed);
    ck_assert_int_eq(refutation->mover, SIDE_CONCRETE);
    ck_assert_uint_eq(refutation->count, 3);
    ck_assert_uint_eq(refutation->traces[SIDE_CONCRETE]->state_count, 3);
    ck_assert_uint_eq(refutation->traces[SIDE_ABSTRACT]->state_count, 3);
    ck_assert_int_eq(refutation->traces[SIDE_ABSTRACT]->states[2].values[0], 2);
    /* the invariant of the target forbids the step, and time does not pass all the same */
    const char *forbidden =
        ONE("urgent broadcast chan go;", "",
            LOCATION("A") INVARIANT("B", "false") INIT("A") EDGE("A", "B", SYNC("go!")));
    const char *without =
        ONE("urgent broadcast chan go;", "", LOCATION("A") INVARIANT("B", "false") INIT("A"));
    ck_assert_str_eq(times(without, forbidden), "-+-");
    ck_assert_str_eq(times(forbidden, without), "+--");
}
END_TEST

/* x goes to 1 with two values of h, of which one is urgent and one or both go on. */
#define WITH(urgent, condition)                                                                    \
    URGENT(STEP("x == 0", "x = 1, h = 1") STEP("x == 0", "x = 1, h = 2")                           \
               GO("x == 1 &amp;&amp; h == " urgent) STEP("x == 1" condition, "x = 2"))

START_TEST(time_chooses_among_hidden_states) {
    const char *plain = URGENT(STEP("x == 0", "x = 1") STEP("x == 1", "x = 2"));
    ignored[0] = "h";
    ck_assert_int_eq(times(plain, WITH("1", ""))[0], '+');
    ck_assert_int_eq(times(plain, WITH("2", ""))[0], '+');
    ck_assert_int_eq(times(plain, WITH("1", " &amp;&amp; h == 2"))[0], '+');
    ck_assert_int_eq(times(plain, WITH("2", " &amp;&amp; h == 1"))[0], '+');
    ck_assert_int_eq(times(plain, WITH("1", " &amp;&amp; h == 1"))[0], '-');
    ck_assert_int_eq(times(plain, WITH("2", " &amp;&amp; h == 2"))[0], '-');
    run(SIMULATE_MAY, false);
    const struct refutation *refutation = certification.time_refutation;
    ck_assert_uint_eq(refutation->count, 2);
    ck_assert_uint_eq(refutation->steps[0].choices, 2);
    ck_assert_int_eq(refutation->traces[SIDE_ABSTRACT]->states[1].values[1], 2);
}
END_TEST

Suite *certify_suite(void) {
    Suite *suite = suite_create("certify");
    TCase *tests = tcase_create("certify");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, steps_are_followed);
    tcase_add_test(tests, sets_show_what_holds);
    tcase_add_test(tests, sets_are_not_for_all);
    tcase_add_test(tests, sets_compare_all_pairs);
    tcase_add_test(tests, the_counterexample_is_shortest);
    tcase_add_test(tests, hidden_choices_matter);
    tcase_add_test(tests, sets_show_why_it_fails);
    tcase_add_test(tests, errors_are_no_steps);
    tcase_add_test(tests, values_are_compared_not_codes);
    tcase_add_test(tests, locations_are_matched_by_name_then_id);
    tcase_add_test(tests, only_common_slots_are_compared);
    tcase_add_test(tests, processes_must_be_the_same);
    tcase_add_test(tests, limits_leave_it_open);
    tcase_add_test(tests, time_is_compared_apart);
    tcase_add_test(tests, guards_on_urgent_channels_stop_time);
    tcase_add_test(tests, time_chooses_among_hidden_states);
    suite_add_tcase(suite, tests);
    return suite;
}
