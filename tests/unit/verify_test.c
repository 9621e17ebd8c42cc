#include "explore/verify.h"

#include "approx_sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *verify_suite(void);

#define NTA(declarations, templates, system, queries)                                              \
    "<nta><declaration>" declarations "</declaration>" templates "<system>" system                 \
    "</system><queries>" queries "</queries></nta>"
#define QUERY(formula) "<query><formula><![CDATA[" formula "]]></formula><comment/></query>"
#define URGENT(name) "<location id=\"" name "\"><name>" name "</name><urgent/></location>"
#define ONE(declarations, body, queries)                                                           \
    NTA(declarations, TEMPLATE("P", "", "", body), "system P;", queries)

static struct sample sample;
static struct arena arena; /* of the results */
static struct verification verification;
static struct verify_options options;

static void setup(void) {
    sample = (struct sample){0};
    verification = (struct verification){0};
    options = (struct verify_options){.wants_traces = true};
    arena_init(&arena);
}

static void teardown(void) {
    if (verification.arena) verify_close(&verification);
    sample_close(&sample);
    arena_close(&arena);
}

static void run_again(void) {
    if (verification.arena) verify_close(&verification);
    const struct model *model = sample.model;
    ck_assert(verify(&verification, &arena, sample.network, model->queries, model->query_count,
                     &options));
    ck_assert_uint_eq(verification.answer_count, model->query_count);
}

static void run(const char *text, enum semantics semantics) {
    if (sample.network) sample_close(&sample);
    sample_open(&sample, text);
    options.semantics = semantics;
    run_again();
}

/* A letter for each query: Satisfied, Violated, Unknown. */
static const char *verdicts(void) {
    char *text = arena_alloc(&arena, verification.answer_count + 1);
    for (uint32_t i = 0; i < verification.answer_count; i++)
        text[i] = "USV"[verification.answers[i].verdict];
    return text;
}

/* Traces are runs */

static void pack(const struct trace_state *state, uint64_t *words) {
    const struct layout *layout = verification.search.layout;
    memcpy(words, layout->initial, layout->word_count * sizeof *words);
    for (uint32_t i = 0; i < layout->network->process_count; i++)
        field_set(&layout->fields[layout_location(layout, i)], words, (int32_t)state->locations[i]);
    for (uint32_t i = 0; i < layout->network->slot_count; i++)
        if (!layout->fields[i].is_scratch) field_set(&layout->fields[i], words, state->values[i]);
}

static bool is_step(const struct expander *expander, const struct step_record *record,
                    const struct trace_step *step) {
    if (record->part_count != step->part_count) return false;
    for (uint32_t i = 0; i < step->part_count; i++) {
        uint32_t part = expander->parts.items[record->first_part + i];
        const struct edge_instance *instance = &expander->program->instances.items[part];
        if (instance->process != step->parts[i]->process ||
            instance->edges[0] != step->parts[i]->edges[0])
            return false;
    }
    return true;
}

static void check_step(struct expander *expander, const struct trace *trace, uint32_t index,
                       uint64_t *state, uint64_t *next) {
    bool is_error = index + 1 == trace->state_count, is_found = false;
    pack(&trace->states[index], state);
    if (!is_error) pack(&trace->states[index + 1], next);
    expander_clear(expander);
    ck_assert(expander_run(expander, state));
    for (uint32_t i = 0; i < expander->errors.count && is_error; i++)
        is_found |= is_step(expander, &expander->errors.items[i], &trace->steps[index]);
    for (uint32_t i = 0; i < expander_degree(expander) && !is_error; i++)
        is_found |=
            !memcmp(expander_state(expander, i), next, expander->word_count * sizeof *next) &&
            is_step(expander, &expander->records.items[i], &trace->steps[index]);
    ck_assert(is_found);
}

static void check_trace(const struct trace *trace, bool is_error) {
    const struct search *search = &verification.search;
    struct expander expander;
    uint64_t *state = ARENA_ARRAY(&arena, uint64_t, search->layout->word_count + 1);
    uint64_t *next = ARENA_ARRAY(&arena, uint64_t, search->layout->word_count + 1);
    size_t size = search->layout->stored_words * sizeof *state;
    ck_assert_uint_eq(trace->step_count + !is_error, trace->state_count);
    expander_init(&expander, search->program);
    expander.is_recording = true;
    pack(&trace->states[0], state);
    ck_assert(!memcmp(state, search->layout->initial, size));
    for (uint32_t i = 0; i < trace->step_count; i++) check_step(&expander, trace, i, state, next);
    pack(&trace->states[trace->state_count - 1], state);
    if (trace->end == TRACE_LOOP) {
        ck_assert_uint_lt(trace->loop, trace->state_count - 1);
        pack(&trace->states[trace->loop], next);
        ck_assert(!memcmp(state, next, size));
    }
    expander_clear(&expander);
    ck_assert(expander_run(&expander, state));
    if (trace->end == TRACE_DEADLOCK) ck_assert_uint_eq(expander_degree(&expander), 0);
    if (trace->end == TRACE_IDLE) ck_assert(expander_can_idle(&expander, state));
    expander_close(&expander);
}

/* "4 open", "5 loop 2": the number of states and how it ends. */
static const char *trace_text(uint32_t index) {
    static const char *const ends[] = {"open", "deadlock", "idle", "loop"};
    const struct trace *trace = verification.answers[index].trace;
    if (!trace) return "none";
    check_trace(trace, false);
    if (trace->end != TRACE_LOOP)
        return arena_printf(&arena, "%u %s", trace->state_count, ends[trace->end]);
    return arena_printf(&arena, "%u loop %u", trace->state_count, trace->loop);
}

static void check_all(const char *expected, const char *const *traces) {
    ck_assert_str_eq(verdicts(), expected);
    for (uint32_t i = 0; expected[i]; i++)
        ck_assert_msg(!strcmp(trace_text(i), traces[i]), "query %u: %s instead of %s", i,
                      trace_text(i), traces[i]);
}

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
    ck_assert_uint_eq(store_count(&verification.search.store), 7);
    ck_assert_uint_eq(verification.search.deadlocks, 1);
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

#define LONG(limit, queries)                                                                       \
    ONE("int[0,1000000] x;",                                                                       \
        LOCATION("A") INIT("A") EDGE("A", "A", GUARD("x &lt; " #limit) UPDATE("x = x + 1")),       \
        queries)

START_TEST(fields_grow_while_runs_are_looked_for) {
    run(LONG(20000, QUERY("A<> x == 20000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_uint_gt(verification.search.restarts, 0);
    run(LONG(20000, QUERY("E[] x < 20001")), SEMANTICS_KRIPKE);
    check_all("S", (const char *[]){"20001 deadlock"});
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
    ck_assert_int_eq(verification.search.limit, LIMIT_STATES);
    run(LONG(20000, QUERY("A<> x == 19000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_int_eq(verification.search.limit, LIMIT_STATES);
    options.search.max_states = 10000;
    run(LONG(20000, QUERY("A<> x == 19000") QUERY("A<> x == 500")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "US");
    ck_assert_int_eq(verification.search.limit, LIMIT_STATES);
    options.search = (struct search_options){.max_size = 1 << 20};
    run(LONG(20000, UNDECIDED), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "UUUUUU");
    ck_assert_int_eq(verification.search.limit, LIMIT_MEMORY);
    options.search = (struct search_options){.max_seconds = 1e-9};
    run(LONG(20000, QUERY("A<> x == 19000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_int_eq(verification.search.limit, LIMIT_TIME);
}
END_TEST

START_TEST(memory_of_the_search_for_runs_counts) {
    options.search.max_size = (2u << 20) + (100u << 10);
    run(LONG(200000, QUERY("A<> x == 200000")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "U");
    ck_assert_int_eq(verification.search.limit, LIMIT_MEMORY);
    ck_assert_uint_le(verification.search.peak_size, options.search.max_size);
}
END_TEST

START_TEST(runs_need_no_more_than_their_states) {
    run(LONG(20000, QUERY("A<> x == 50")), SEMANTICS_KRIPKE);
    ck_assert_str_eq(verdicts(), "S");
    ck_assert_uint_lt(store_count(&verification.search.store), 60);
    ck_assert_uint_eq(verification.search.transitions, 50);
    options.search.is_full = true;
    run_again();
    ck_assert_uint_eq(store_count(&verification.search.store), 20001);
    ck_assert_uint_eq(verification.search.transitions, 20000);
    ck_assert(verification.search.is_complete);
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
        ck_assert_uint_eq(verification.search.errors, 1);
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

/* Random models against a fixpoint */

static uint32_t seed;

static uint32_t pick(uint32_t count) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 10) % count;
}

static void add_condition(struct buffer *text) {
    buffer_printf(text, "(x %s %u || ", pick(2) ? "!=" : "<", pick(4));
    if (pick(2)) buffer_printf(text, "!P.l%u || ", pick(5));
    buffer_printf(text, "Q.l%u) && (y != %u || x == %u)", pick(5), pick(3), pick(4));
}

static void add_template(struct buffer *text, char name) {
    buffer_printf(text, "<template><name>%c</name>", name);
    for (int i = 0; i < 5; i++) {
        uint32_t kind = pick(6);
        buffer_printf(text, "<location id=\"l%d\"><name>l%d</name>%s</location>", i, i,
                      kind == 0   ? "<urgent/>"
                      : kind == 1 ? "<committed/>"
                                  : "");
    }
    buffer_add_text(text, INIT("l0"));
    for (uint32_t i = 5 + pick(5); i-- > 0;) {
        static const char *const syncs[] = {"c!", "c?", "u!", "u?", "b!", "b?"};
        buffer_printf(text,
                      "<transition><source ref=\"l%u\"/><target ref=\"l%u\"/>"
                      "<label kind=\"guard\"><![CDATA[x %s %u]]></label>",
                      pick(5), pick(5), pick(2) ? "!=" : "<=", pick(4));
        if (pick(2))
            buffer_printf(text, "<label kind=\"synchronisation\">%s</label>", syncs[pick(6)]);
        buffer_printf(
            text, "<label kind=\"assignment\">%s</label></transition>",
            (const char *[]){"x = y", "y = 2, x = x ^ 1", "x++", "y = x % 3", "x = 0"}[pick(5)]);
    }
    buffer_add_text(text, "</template>");
}

static void add_query(struct buffer *text, const char *before, const char *between) {
    buffer_printf(text, "<query><formula><![CDATA[%s", before);
    add_condition(text);
    if (between) {
        buffer_add_text(text, between);
        add_condition(text);
    }
    buffer_add_text(text, "]]></formula><comment/></query>");
}

static char *random_model(uint32_t number) {
    struct buffer text = {0};
    seed = number * 7919 + 1;
    buffer_add_text(&text, "<nta><declaration>int[0,3] x; int[0,2] y; chan c; urgent chan u; "
                           "broadcast chan b;</declaration>");
    add_template(&text, 'P');
    add_template(&text, 'Q');
    buffer_add_text(&text, "<system>system P, Q;</system><queries>");
    for (int i = 0; i < 2; i++) {
        add_query(&text, "E[] ", NULL);
        add_query(&text, "A<> ", NULL);
        add_query(&text, "", " --> ");
    }
    buffer_add_text(&text, "</queries></nta>");
    char *copy = buffer_take(&text, &arena);
    buffer_close(&text);
    return copy;
}

struct graph {
    uint32_t count;
    bool *is_end, *is_inside, *is_root;
    uint32_t **next, *degree;
};

/* The whole graph, with the states of one query. */
static struct graph graph_of(const struct watch *from, const struct watch *inside) {
    const struct search *search = &verification.search;
    struct expander expander;
    uint64_t *state = ARENA_ARRAY(&arena, uint64_t, search->layout->word_count + 1);
    struct graph graph = {.count = atomic_load(&search->store.next)};
    graph.is_end = ARENA_ARRAY(&arena, bool, graph.count);
    graph.is_inside = ARENA_ARRAY(&arena, bool, graph.count);
    graph.is_root = ARENA_ARRAY(&arena, bool, graph.count);
    graph.next = ARENA_ARRAY(&arena, uint32_t *, graph.count);
    graph.degree = ARENA_ARRAY(&arena, uint32_t, graph.count);
    memcpy(state, search->layout->initial, search->layout->word_count * sizeof *state);
    expander_init(&expander, search->program);
    for (uint32_t row = 0; row < graph.count; row++) {
        store_load(&search->store, row, state);
        expander_clear(&expander);
        ck_assert(expander_run(&expander, state));
        uint32_t degree = graph.degree[row] = expander_degree(&expander);
        graph.is_end[row] = !degree || (options.semantics == SEMANTICS_UPPAAL &&
                                        expander_can_idle(&expander, state));
        graph.next[row] = ARENA_ARRAY(&arena, uint32_t, degree + 1);
        for (uint32_t i = 0; i < degree; i++) {
            const uint64_t *next = expander_state(&expander, i);
            graph.next[row][i] = store_find(&search->store, next, store_hash(&search->store, next));
        }
        graph.is_inside[row] = machine_unit(&expander.machine, &inside->unit, state) == RUN_TRUE;
        graph.is_root[row] =
            from ? machine_unit(&expander.machine, &from->unit, state) == RUN_TRUE : row == 0;
    }
    expander_close(&expander);
    return graph;
}

/* The greatest set of states inside that end or have a successor in it. */
static bool has_run(const struct graph *graph) {
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (uint32_t row = 0; row < graph->count; row++) {
            bool stays = graph->is_end[row];
            for (uint32_t i = 0; i < graph->degree[row]; i++)
                stays |= graph->is_inside[graph->next[row][i]];
            if (!graph->is_inside[row] || stays) continue;
            graph->is_inside[row] = false;
            is_changed = true;
        }
    }
    for (uint32_t row = 0; row < graph->count; row++)
        if (graph->is_root[row] && graph->is_inside[row]) return true;
    return false;
}

static const char *fixpoints(void) {
    const struct watch *watch = verification.search.watches;
    char *text = arena_alloc(&arena, verification.answer_count + 1);
    for (uint32_t i = 0; i < verification.answer_count; i++, watch++) {
        enum quantifier quantifier = verification.answers[i].query->quantifier;
        struct graph graph =
            quantifier == QUERY_LEADS_TO ? graph_of(watch, watch + 1) : graph_of(NULL, watch);
        watch += quantifier == QUERY_LEADS_TO;
        text[i] = has_run(&graph) == (quantifier == QUERY_POTENTIALLY) ? 'S' : 'V';
    }
    return text;
}

/* All states of the trace of E[] and A<> are inside, also those of --> from some root on. */
static void check_inside(void) {
    const struct search *search = &verification.search;
    struct machine machine;
    uint64_t *state = ARENA_ARRAY(&arena, uint64_t, search->layout->word_count + 1);
    const struct watch *watch = search->watches;
    machine_init(&machine, &search->program->code);
    for (uint32_t i = 0; i < verification.answer_count; i++, watch++) {
        const struct trace *trace = verification.answers[i].trace;
        bool leads = verification.answers[i].query->quantifier == QUERY_LEADS_TO;
        bool is_root = !leads, is_inside = true;
        watch += leads;
        for (uint32_t k = trace ? trace->state_count : 0; k-- > 0;) {
            pack(&trace->states[k], state);
            is_inside &= machine_unit(&machine, &watch->unit, state) == RUN_TRUE;
            if (leads && is_inside && (trace->end != TRACE_LOOP || k <= trace->loop))
                is_root |= machine_unit(&machine, &watch[-1].unit, state) == RUN_TRUE;
        }
        ck_assert(leads || is_inside);
        ck_assert(is_root || !trace);
    }
    machine_close(&machine);
}

START_TEST(runs_agree_with_fixpoints) {
    for (uint32_t number = (uint32_t)_i * 60; number < (uint32_t)_i * 60 + 60; number++) {
        char *model = random_model(number);
        for (int kripke = 0; kripke < 2; kripke++) {
            options.search = (struct search_options){.is_full = true};
            run(model, kripke ? SEMANTICS_KRIPKE : SEMANTICS_UPPAAL);
            const char *full = verdicts();
            ck_assert_msg(!strcmp(full, fixpoints()), "model %u: %s %s\n%s", number, full,
                          fixpoints(), model);
            check_inside();
            const char *traces[6] = {0};
            for (uint32_t i = 0; i < 6; i++) {
                traces[i] = trace_text(i);
                ck_assert(!strcmp(traces[i], "none") == ((full[i] == 'S') != (i % 3 == 0)));
            }
            options.search = (struct search_options){.max_states = 100000};
            run_again();
            check_all(full, traces);
            /* The order of steps is another one, so that runs may be others. */
            options.search = (struct search_options){.interprets = true};
            run_again();
            ck_assert_str_eq(verdicts(), full);
            check_inside();
            for (uint32_t i = 0; i < 6; i++) trace_text(i);
        }
        sample_close(&sample);
        sample.network = NULL;
    }
    sample_open(&sample, COUNTER(""));
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

Suite *verify_suite(void) {
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("queries");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, reachability_is_decided_with_shortest_traces);
    tcase_add_test(tcase, bounds_are_over_states_that_satisfy_the_predicate);
    tcase_add_test(tcase, runs_loop_or_end);
    tcase_add_test(tcase, time_may_pass_where_nothing_is_urgent);
    tcase_add_test(tcase, urgency_keeps_time_from_passing);
    tcase_add_test(tcase, dead_ends_stutter);
    tcase_add_test(tcase, leads_to_starts_anywhere);
    tcase_add_test(tcase, queries_that_cannot_be_evaluated_are_unknown);
    tcase_add_test(tcase, fields_grow_while_runs_are_looked_for);
    tcase_add_test(tcase, limits_leave_verdicts_unknown);
    tcase_add_test(tcase, memory_of_the_search_for_runs_counts);
    tcase_add_test(tcase, runs_need_no_more_than_their_states);
    tcase_add_test(tcase, paths_are_found_among_too_many_states);
    tcase_add_test(tcase, errors_have_a_trace);
    tcase_add_test(tcase, channels_of_steps_are_named);
    tcase_add_loop_test(tcase, runs_agree_with_fixpoints, 0, 5);
    tcase_add_test(tcase, results_do_not_depend_on_jobs);
    suite_add_tcase(suite, tcase);
    return suite;
}
