#include "verify_sample.h"

Suite *verify_suite(void);

/* 0 3 6 9 12 15, and from 9 by B back to 6 */
#define COUNTER(queries)                                                                           \
    ONE("int[0,20] x; int a[4];",                                                                  \
        LOCATION("A") LOCATION("B") INIT("A")                                                      \
            EDGE("A", "A", GUARD("x &lt; 15") UPDATE("x = x + 3")) EDGE("A", "B", GUARD("x == 9")) \
                EDGE("B", "A", UPDATE("x = 6")),                                                   \
        queries)

START_TEST(reachability_is_decided_with_shortest_traces) {
    run(COUNTER(QUERY("A[] x < 12") QUERY("A[] x < 16") QUERY("E<> P.B") QUERY("E<> x == 7")
                    QUERY("E<> deadlock") QUERY("A[] not deadlock") QUERY("E<> x == 0")
                        QUERY("A[] not (P.B && x == 6)")),
        SEMANTICS_UPPAAL);
    check_all("VSSVSVSS", (const char *[]){"5 open", "none", "5 open", "none", "6 open", "6 open",
                                           "1 open", "none"});
    ck_assert_uint_eq(store_count(&verification.search->store), 7);
    ck_assert_uint_eq(verification.search->deadlocks, 1);
}
END_TEST

START_TEST(bounds_are_over_states_that_satisfy_the_predicate) {
    run(COUNTER(QUERY("sup: x, -x") QUERY("inf{P.B}: x") QUERY("bounds{x > 3}: x")
                    QUERY("sup{x == 7}: x")),
        SEMANTICS_UPPAAL);
    ck_assert_str_eq(verdicts(), "SSSS");
    const struct answer *answers = verification.answers;
    ck_assert_int_eq(answers[0].bounds[0].upper, 15);
    ck_assert_int_eq(answers[0].bounds[1].upper, 0);
    ck_assert(answers[1].bounds[0].is_found);
    ck_assert_int_eq(answers[1].bounds[0].lower, 9);
    ck_assert_int_eq(answers[2].bounds[0].lower, 6);
    ck_assert_int_eq(answers[2].bounds[0].upper, 15);
    ck_assert(!answers[3].bounds[0].is_found);
}
END_TEST

#define RUNS                                                                                       \
    QUERY("A<> x == 15")                                                                           \
    QUERY("A<> x == 6")                                                                            \
    QUERY("E[] x < 12")                                                                            \
    QUERY("E[] x < 9")                                                                             \
    QUERY("P.B --> x == 15")                                                                       \
    QUERY("x == 12 --> x == 15") QUERY("x > 20 --> x == 0") QUERY("E[] x >= 0")

START_TEST(runs_loop_or_end) {
    run(COUNTER(RUNS), SEMANTICS_KRIPKE);
    check_all("VSSVVSSS", (const char *[]){"6 loop 2", "none", "6 loop 2", "none", "8 loop 4",
                                           "none", "none", "6 deadlock"});
}
END_TEST

START_TEST(time_may_pass_where_nothing_is_urgent) {
    run(COUNTER(RUNS), SEMANTICS_UPPAAL);
    check_all("VVSSVVSS", (const char *[]){"1 idle", "1 idle", "1 idle", "1 idle", "5 idle",
                                           "5 idle", "none", "1 idle"});
}
END_TEST

#define FROM(location, label)                                                                      \
    NTA("chan c; urgent chan u;",                                                                  \
        TEMPLATE("P", "", "", location LOCATION("B") INIT("A") EDGE("A", "B", SYNC(label "!")))    \
            TEMPLATE("Q", "", "", LOCATION("B") INIT("B") EDGE("B", "B", SYNC(label "?"))),        \
        "system P, Q;", QUERY("A<> P.B") QUERY("E[] P.A"))

START_TEST(urgency_keeps_time_from_passing) {
    static const struct {
        const char *model, *verdicts, *trace;
    } rows[] = {{FROM(LOCATION("A"), "c"), "VS", "1 idle"},
                {FROM(URGENT("A"), "c"), "SV", "none"},
                {FROM(COMMITTED("A"), "c"), "SV", "none"},
                {FROM(LOCATION("A"), "u"), "SV", "none"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(rows[i].model, SEMANTICS_UPPAAL);
        check_all(rows[i].verdicts, (const char *[]){rows[i].trace, rows[i].trace});
        run(rows[i].model, SEMANTICS_KRIPKE);
        check_all("SV", (const char *[]){"none", "none"});
    }
}
END_TEST

/* The synchronisation cannot be taken, yet it keeps time from passing. */
START_TEST(priorities_do_not_let_time_pass) {
    run(NTA("urgent chan u; chan priority u &lt; default;",
            TEMPLATE("P", "", "", LOCATION("A") LOCATION("B") INIT("A") EDGE("A", "B", SYNC("u!")))
                TEMPLATE("Q", "", "", LOCATION("B") INIT("B") EDGE("B", "B", SYNC("u?")))
                    TEMPLATE("R", "", "", LOCATION("A") LOCATION("B") INIT("A") EDGE("A", "B", "")),
            "system P, Q, R;",
            QUERY("E<> P.B and R.A") QUERY("A<> R.B") QUERY("A<> P.B") QUERY("E[] P.A")),
        SEMANTICS_UPPAAL);
    check_all("VSSV", (const char *[]){"none", "none", "none", "none"});
}
END_TEST

#define MEETING(channel, guard)                                                                    \
    NTA(channel " chan u; int[0,1] x;",                                                            \
        TEMPLATE("P", "", "",                                                                      \
                 LOCATION("A") INVARIANT("B", "x == 1") INIT("A") EDGE("A", "B", SYNC("u!")))      \
            TEMPLATE("Q", "", "", LOCATION("B") INIT("B") EDGE("B", "B", GUARD(guard) SYNC("u?"))) \
                TEMPLATE("R", "", "", LOCATION("A") LOCATION("B") INIT("A") EDGE("A", "B", "")),   \
        "system P, Q, R;", QUERY("E<> P.B") QUERY("A<> R.B") QUERY("E[] R.A"))

/* Only guards count: the invariant of the target keeps out the step, and time does not pass. */
START_TEST(invariants_do_not_let_time_pass) {
    static const struct {
        const char *model, *verdicts, *trace;
    } rows[] = {{MEETING("", "true"), "VVS", "1 idle"},
                {MEETING("urgent", "true"), "VSV", "none"},
                {MEETING("urgent", "x == 1"), "VVS", "1 idle"},
                {MEETING("urgent broadcast", "x == 1"), "VSV", "none"},
                {MEETING("broadcast", "true"), "VVS", "1 idle"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(rows[i].model, SEMANTICS_UPPAAL);
        check_all(rows[i].verdicts, (const char *[]){"none", rows[i].trace, rows[i].trace});
        run(rows[i].model, SEMANTICS_KRIPKE);
        check_all("VSV", (const char *[]){"none", "none", "none"});
    }
}
END_TEST

START_TEST(dead_ends_stutter) {
    run(COUNTER(QUERY("A<> x == 7") QUERY("E[] x != 9 or P.A") QUERY("x == 12 --> x == 7")),
        SEMANTICS_KRIPKE);
    check_all("VSV", (const char *[]){"6 deadlock", "6 deadlock", "6 deadlock"});
}
END_TEST

/* Both 1 and 2 are roots; only from 2 on is there a run that never gets to 3. */
START_TEST(leads_to_starts_anywhere) {
    run(ONE("int[0,5] x;",
            LOCATION("A") LOCATION("B") INIT("A")
                EDGE("A", "A", GUARD("x &lt; 3") UPDATE("x = x == 1 ? 3 : 1"))
                    EDGE("A", "B", GUARD("x == 3") UPDATE("x = 2")),
            QUERY("x == 1 or x == 2 --> x == 3") QUERY("x == 1 --> x == 3")
                QUERY("x == 0 --> x == 2") QUERY("true --> P.B")),
        SEMANTICS_KRIPKE);
    check_all("VSSS", (const char *[]){"4 deadlock", "none", "none", "none"});
}
END_TEST

#define JUMP(from, to) EDGE("A", "A", GUARD("x == " #from) UPDATE("x = " #to))
#define JUMPS(jumps)                                                                               \
    ONE("int[0,9] x;", LOCATION("A") INIT("A") jumps, QUERY("x == 1 or x == 2 --> x == 3"))

/* Whatever order they are found in, it is the least state of the first level. */
START_TEST(leads_to_is_violated_in_a_certain_state) {
    static const struct {
        const char *model, *trace;
    } rows[] = {{JUMPS(JUMP(0, 2) JUMP(0, 1) JUMP(1, 4)), "3 deadlock"},
                {JUMPS(JUMP(0, 2) JUMP(0, 1) JUMP(2, 1)), "2 deadlock"},
                {JUMPS(JUMP(0, 2) JUMP(0, 1) JUMP(1, 2) JUMP(2, 4)), "4 deadlock"},
                {JUMPS(JUMP(0, 2) JUMP(2, 5) JUMP(2, 6) JUMP(6, 1)), "3 deadlock"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(rows[i].model, SEMANTICS_KRIPKE);
        check_all("V", &rows[i].trace);
    }
}
END_TEST

START_TEST(queries_that_cannot_be_evaluated_are_unknown) {
    run(COUNTER(QUERY("E<> a[x] == 1") QUERY("A[] a[x] == 0") QUERY("E<> x == 3 && a[x] == 0")
                    QUERY("A<> a[x] == 1") QUERY("E[] a[x] == 0") QUERY("x == 6 --> a[x] == 1")
                        QUERY("sup{x == 9}: a[x]") QUERY("A[] nonsense > 1")
                            QUERY("E[] x < 5 && a[x] == 0")),
        SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "UUSUUUUUV");
    for (uint32_t i = 0; i < 7; i++) {
        if (i == 2) continue;
        ck_assert_str_eq(verification.answers[i].problem, "index out of bounds");
        ck_assert_uint_gt(verification.answers[i].problem_span.begin, 0);
    }
    ck_assert_ptr_nonnull(verification.answers[7].problem);
    ck_assert_ptr_null(verification.answers[8].problem);
}
END_TEST

START_TEST(sums_in_fields_wrap_around) {
    for (int interprets = 0; interprets < 2; interprets++) {
        options.search.interprets = interprets;
        run(ONE("int[-2147483647,2147483647] x = 2147483640;",
                LOCATION("A") INIT("A") EDGE("A", "A", GUARD("x &gt; 0") UPDATE("x += 9"))
                    EDGE("A", "A", GUARD("x == 2147483640") UPDATE("x += 8")),
                QUERY("A[] x == 2147483640 || x == -2147483647")),
            SEMANTICS_KRIPKE);
        ck_assert_str_eq(verdicts(), "S");
        ck_assert_uint_eq(store_count(&verification.search->store), 2);
        ck_assert_uint_eq(verification.search->errors, 1);
    }
}
END_TEST

START_TEST(meta_variables_of_templates_are_scratch) {
    options.search.first_look = 1;
    run(NTA("int[0,3] x;",
            TEMPLATE("P", "", "meta int m; int[0,1] n;",
                     LOCATION("A") INIT("A")
                         EDGE("A", "A", GUARD("x &lt; 3") UPDATE("m = 5, x++, n = m == 5"))),
            "system P;", QUERY("E<> x == 3 && P.n == 1")),
        SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_uint_eq(verification.search->layout->scratch_count, 1);
}
END_TEST

#define LONG(limit, queries)                                                                       \
    ONE("int[0,1000000] x;",                                                                       \
        LOCATION("A") INIT("A") EDGE("A", "A", GUARD("x &lt; " #limit) UPDATE("x = x + 1")),       \
        queries)

START_TEST(fields_grow_while_runs_are_looked_for) {
    run(LONG(20000, QUERY("A<> x == 20000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_uint_gt(verification.search->restarts, 0);
    run(LONG(20000, QUERY("E[] x < 20001")), SEMANTICS_KRIPKE);
    check_all("S", (const char *[]){"20001 deadlock"});
}
END_TEST

START_TEST(cells_of_a_variable_are_kept_together) {
    options.search.first_look = 4; /* in which all cells are as before after each step */
    run(ONE("int[0,20] x; int[0,3] a[4];",
            LOCATION("A") INIT("A")
                EDGE("A", "A", GUARD("x &lt; 10") UPDATE("a[0]++, a[0] = 0, x++"))
                    EDGE("A", "A", GUARD("x &gt;= 10 and x &lt; 14") UPDATE("a[x - 10] = 2, x++")),
            QUERY("E<> a[0] + a[1] + a[2] + a[3] == 8")),
        SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_uint_eq(verification.search->restarts, 1);
}
END_TEST

#define UNDECIDED                                                                                  \
    QUERY("A[] x < 30000")                                                                         \
    QUERY("E<> x == 10")                                                                           \
    QUERY("A<> x == 19000") QUERY("x == 10 --> x == 20000") QUERY("inf: x") QUERY("A<> x == 500")

START_TEST(limits_leave_verdicts_unknown) {
    options.search.max_states = 1000;
    run(LONG(20000, UNDECIDED), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "USUUUS");
    ck_assert_int_eq(verification.search->limit, LIMIT_STATES);
    run(LONG(20000, QUERY("A<> x == 19000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_int_eq(verification.search->limit, LIMIT_STATES);
    options.search.max_states = 10000;
    run(LONG(20000, QUERY("A<> x == 19000") QUERY("A<> x == 500")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "US");
    ck_assert_int_eq(verification.search->limit, LIMIT_STATES);
    options.search = (struct search_options){.max_size = 1 << 20};
    run(LONG(20000, UNDECIDED), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "UUUUUU");
    ck_assert_int_eq(verification.search->limit, LIMIT_MEMORY);
    options.search = (struct search_options){.max_seconds = 1e-9};
    run(LONG(20000, QUERY("A<> x == 19000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_int_eq(verification.search->limit, LIMIT_TIME);
}
END_TEST

START_TEST(leads_to_needs_all_states) {
    run(LONG(20000, QUERY("x == 10000 --> x == 20001")), SEMANTICS_KRIPKE);
    check_all("V", (const char *[]){"20001 deadlock"});
    run(LONG(20000, QUERY("x == 10000 --> x == 20000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    options.search.max_states = 1000;
    run(LONG(20000, QUERY("x == 999 --> x == 20000")), SEMANTICS_UPPAAL);
    check_all("V", (const char *[]){"1000 idle"}); /* in a state that was not expanded */
}
END_TEST

START_TEST(memory_of_the_search_for_runs_counts) {
    options.search.max_size = (2u << 20) + (100u << 10);
    run(LONG(200000, QUERY("A<> x == 200000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_int_eq(verification.search->limit, LIMIT_MEMORY);
    ck_assert_uint_le(verification.search->peak_size, options.search.max_size);
}
END_TEST

START_TEST(runs_need_no_more_than_their_states) {
    run(LONG(20000, QUERY("A<> x == 50")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_uint_lt(store_count(&verification.search->store), 60);
    ck_assert_uint_eq(verification.search->transitions, 50);
    options.search.is_full = true;
    run_again();
    ck_assert_uint_eq(store_count(&verification.search->store), 20001);
    ck_assert_uint_eq(verification.search->transitions, 20000);
    ck_assert(verification.search->is_complete);
}
END_TEST

/* Three counters, and nothing is stuck before all of them are at the end. */
START_TEST(paths_are_found_among_too_many_states) {
    run(NTA("int[0,60] x, y, z;",
            TEMPLATE("P", "", "",
                     LOCATION("A") INIT("A") EDGE("A", "A", GUARD("x &lt; 60") UPDATE("x++"))
                         EDGE("A", "A", GUARD("y &lt; 60") UPDATE("y++"))
                             EDGE("A", "A", GUARD("z &lt; 60") UPDATE("z++"))),
            "system P;", QUERY("A<> x == 70")),
        SEMANTICS_KRIPKE);
    check_all("V", (const char *[]){"181 deadlock"});
}
END_TEST

#define FAILS(queries)                                                                             \
    NTA("int[0,2] x; broadcast chan b;",                                                           \
        TEMPLATE("P", "", "",                                                                      \
                 LOCATION("A") LOCATION("B") INIT("A") EDGE("A", "A", SYNC("b!") UPDATE("x++")))   \
            TEMPLATE("Q", "", "", LOCATION("A") INIT("A") EDGE("A", "A", SYNC("b?"))),             \
        "system P, Q;", queries)

START_TEST(errors_have_a_trace) {
    static const char *const models[] = {FAILS(""), FAILS(QUERY("A<> x == 3")),
                                         FAILS(QUERY("x == 1 --> x == 3"))};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        run(models[i], SEMANTICS_KRIPKE);
        ck_assert(verification.has_error);
        ck_assert_int_eq(verification.error.kind, FAULT_RANGE);
        ck_assert_uint_eq(verification.search->errors, 1);
        const struct trace *trace = verification.error_trace;
        ck_assert_uint_eq(trace->state_count, 3);
        check_trace(trace, true);
        ck_assert_uint_eq(trace->steps[2].part_count, 2);
        ck_assert_str_eq(trace->steps[2].channel, "b");
        options.wants_traces = false;
        run_again();
        ck_assert(verification.has_error && !verification.error_trace);
        options.wants_traces = true;
    }
}
END_TEST

START_TEST(channels_of_steps_are_named) {
    run(NTA("chan c[3]; int[0,2] x;",
            TEMPLATE("P", "", "", LOCATION("A") INIT("A") EDGE("A", "A", SYNC("c[x]!")))
                TEMPLATE("Q", "", "",
                         LOCATION("A") LOCATION("B") INIT("A") EDGE("A", "A", UPDATE("x = 2"))
                             EDGE("A", "B", SELECT("i : int[0,2]") SYNC("c[i]?"))),
            "system P, Q;", QUERY("E<> Q.B && x == 2")),
        SEMANTICS_KRIPKE);
    check_all("S", (const char *[]){"3 open"});
    const struct trace *trace = verification.answers[0].trace;
    const struct trace_step *last = &trace->steps[1];
    if (!trace->steps[0].channel) {
        ck_assert_str_eq(last->channel, "c[2]");
        ck_assert_int_eq(last->parts[1]->selects[0][0], 2);
    }
    ck_assert_str_eq(last->channel ? last->channel : "c[0]",
                     trace->steps[0].channel ? "c[0]" : "c[2]");
}
END_TEST

#define WIDE(queries)                                                                              \
    NTA("int[0,25] v[4];",                                                                         \
        TEMPLATE("P", "const int[0,3] i", "",                                                      \
                 LOCATION("A") LOCATION("B") INIT("A")                                             \
                     EDGE("A", "A", GUARD("v[i] &lt; 25") UPDATE("v[i]++"))                        \
                         EDGE("A", "B", GUARD("v[i] == 13"))                                       \
                             EDGE("B", "A", UPDATE("v[i] = i == 3 ? 13 : 25"))),                   \
        "system P;", queries)

START_TEST(states_of_a_level_that_is_cut_have_traces) {
    options.search.max_states = 1000;
    run(WIDE(QUERY("v[0] + v[1] + v[2] + v[3] >= 10 --> v[0] == 25")), SEMANTICS_UPPAAL);
    check_all("V", (const char *[]){"11 idle"});
    ck_assert_int_eq(verification.search->limit, LIMIT_STATES);
}
END_TEST

START_TEST(results_do_not_depend_on_jobs) {
    run(WIDE(QUERY("E<> v[0] + v[1] + v[2] + v[3] == 52 && P(2).B")
                 QUERY("v[0] == 20 && v[1] == 3 && v[2] == 20 --> v[1] == 4")
                     QUERY("v[0] == 20 && v[1] == 5 && v[3] > 10 --> v[3] == 25")
                         QUERY("A[] v[0] * v[1] < 600") QUERY("E[] v[2] < 20")),
        SEMANTICS_KRIPKE);
    const char *one = verdicts();
    const char *traces[5] = {0};
    for (uint32_t i = 0; i < 5; i++) traces[i] = trace_text(i);
    ck_assert_str_eq(one, "SVVVS");
    options.search.jobs = 2;
    run_again();
    check_all(one, traces);
}
END_TEST

static uint64_t stop_step;
static uint32_t stops_left, last_satisfied;

/* How many queries a state has been found for. */
static uint64_t count_stop(void *context, const struct verification *so_far) {
    uint64_t rows = atomic_load(&so_far->search->cursor);
    uint32_t *count = context, satisfied = 0;
    ck_assert_uint_ge(rows - so_far->search->store.gap_states, stop_step * ++*count);
    for (uint32_t i = 0; i < so_far->answer_count; i++)
        satisfied += so_far->answers[i].verdict == VERDICT_SATISFIED;
    ck_assert_uint_ge(satisfied, last_satisfied);
    last_satisfied = satisfied;
    return stops_left && !--stops_left ? 0 : stop_step * (*count + 1);
}

START_TEST(results_do_not_depend_on_stops) {
    static const char queries[] = QUERY("E<> v[0] + v[1] + v[2] + v[3] == 52 && P(2).B")
        QUERY("v[0] == 20 && v[1] == 3 && v[2] == 20 --> v[1] == 4") QUERY("E<> v[2] == 9");
    char *text = arena_printf(&arena, WIDE("%s"), queries);
    uint32_t count = 0;
    options.engine = ENGINE_AUTO;
    options.search.max_states = 10000000; /* by states only */
    run(text, SEMANTICS_KRIPKE);
    const char *one = verdicts(), *traces[] = {trace_text(0), trace_text(1), trace_text(2)};
    uint64_t states = verification.figures.states.value,
             transitions = verification.figures.transitions.value;
    options.stop = count_stop;
    options.stop_context = &count;
    options.first_stop = stop_step = _i ? 100000 : 7001;
    for (options.search.jobs = 1; options.search.jobs < 4; options.search.jobs++) {
        count = last_satisfied = 0;
        run_again();
        check_all(one, traces);
        ck_assert_uint_eq(count, states / stop_step);
        ck_assert_uint_eq(verification.figures.states.value, states);
        ck_assert_uint_eq(verification.figures.transitions.value, transitions);
        ck_assert(!verification.search->is_left);
    }
}
END_TEST

START_TEST(stops_know_what_was_found) {
    uint32_t count = 0;
    options = (struct verify_options){.engine = ENGINE_AUTO,
                                      .stop = count_stop,
                                      .stop_context = &count,
                                      .first_stop = stop_step = 5000};
    options.search.max_states = 10000000;
    last_satisfied = 0;
    stops_left = 3;
    run(WIDE(QUERY("E<> v[0] + v[1] == 3") QUERY("E<> v[0] > 25")), SEMANTICS_KRIPKE);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(last_satisfied, 1);
    ck_assert(verification.search->is_left);
}
END_TEST

#define ONES10 "1,1,1,1,1,1,1,1,1,1,"
#define ONES50 ONES10 ONES10 ONES10 ONES10 ONES10
/* More variables within steps than the compiler knows the values of. */
#define SCRATCH(queries)                                                                           \
    ONE("const int[0,3] ones[151] = {" ONES50 ONES50 ONES50 "1}; meta int[0,3] m[151] = ones;"     \
        "int[0,4] x;",                                                                             \
        URGENT("A") INIT("A") EDGE(                                                                \
            "A", "A", GUARD("x &lt; 4") UPDATE("m = ones, m[140] = 2, x = x + m[140] - m[139]")),  \
        queries)

START_TEST(many_variables_start_each_step_anew) {
    const char *const traces[] = {"none", "5 deadlock", "4 open"};
    run(SCRATCH(QUERY("A<> x == 3") QUERY("E[] x < 5") QUERY("E<> x == 3")), SEMANTICS_UPPAAL);
    check_all("SSS", traces);
}
END_TEST

/* Where max_states stands for effort, states with many steps end the search sooner, and at the same
 * state for any number of jobs. A meta variable that keeps its value is not for sets. */
START_TEST(effort_ends_at_one_state) {
    uint64_t ends[2];
    for (uint32_t jobs = 1; jobs <= 2; jobs++) {
        options = (struct verify_options){.search = {.max_states = 400000, .jobs = jobs},
                                          .engine = ENGINE_AUTO,
                                          .max_states_is_effort = true};
        run(ONE("int[0,9] a[6]; meta int last;",
                LOCATION("A") INIT("A")
                    EDGE("A", "A", SELECT("k : int[0,5]") GUARD("a[k] &lt; 9") UPDATE("a[k]++"))
                        EDGE("A", "A",
                             SELECT("k : int[0,399]") GUARD("last &gt;= 0") UPDATE("last = 1")),
                QUERY("E<> a[0] + a[1] + a[2] + a[3] + a[4] + a[5] == 54")),
            SEMANTICS_KRIPKE);
        ck_assert_str_eq(verdicts(), "U");
        ck_assert_int_eq(verification.search->limit, LIMIT_STATES);
        ends[jobs - 1] = store_count(&verification.search->store);
        ck_assert_uint_lt(ends[jobs - 1], 400000);
    }
    ck_assert_uint_eq(ends[0], ends[1]);
}
END_TEST

Suite *verify_suite(void) {
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("queries");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, reachability_is_decided_with_shortest_traces);
    tcase_add_test(tcase, bounds_are_over_states_that_satisfy_the_predicate);
    tcase_add_test(tcase, runs_loop_or_end);
    tcase_add_test(tcase, cells_of_a_variable_are_kept_together);
    tcase_add_test(tcase, time_may_pass_where_nothing_is_urgent);
    tcase_add_test(tcase, priorities_do_not_let_time_pass);
    tcase_add_test(tcase, urgency_keeps_time_from_passing);
    tcase_add_test(tcase, invariants_do_not_let_time_pass);
    tcase_add_test(tcase, dead_ends_stutter);
    tcase_add_test(tcase, leads_to_starts_anywhere);
    tcase_add_test(tcase, leads_to_is_violated_in_a_certain_state);
    tcase_add_test(tcase, leads_to_needs_all_states);
    tcase_add_test(tcase, queries_that_cannot_be_evaluated_are_unknown);
    tcase_add_test(tcase, sums_in_fields_wrap_around);
    tcase_add_test(tcase, meta_variables_of_templates_are_scratch);
    tcase_add_test(tcase, many_variables_start_each_step_anew);
    tcase_add_test(tcase, fields_grow_while_runs_are_looked_for);
    tcase_add_test(tcase, limits_leave_verdicts_unknown);
    tcase_add_test(tcase, memory_of_the_search_for_runs_counts);
    tcase_add_test(tcase, runs_need_no_more_than_their_states);
    tcase_add_test(tcase, paths_are_found_among_too_many_states);
    tcase_add_test(tcase, errors_have_a_trace);
    tcase_add_test(tcase, channels_of_steps_are_named);
    tcase_add_test(tcase, states_of_a_level_that_is_cut_have_traces);
    tcase_add_test(tcase, results_do_not_depend_on_jobs);
    tcase_add_test(tcase, effort_ends_at_one_state);
    tcase_add_loop_test(tcase, results_do_not_depend_on_stops, 0, 2);
    tcase_add_test(tcase, stops_know_what_was_found);
    suite_add_tcase(suite, tcase);
    return suite;
}
