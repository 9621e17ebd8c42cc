#include "verify_sample.h"

Suite *verify_random_suite(void);

#ifdef VARABS_CHECKS /* with sanitizers all takes longer */
enum { MODELS = 20 };
#else
enum { MODELS = 60 };
#endif

/* Random models: verdicts against a fixpoint over the whole graph. */

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
    const struct search *search = verification.search;
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
        graph.is_end[row] =
            !degree || (options.semantics == SEMANTICS_UPPAAL && expander_can_idle(&expander));
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
    const struct watch *watch = verification.search->watches;
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
    const struct search *search = verification.search;
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
    for (uint32_t number = (uint32_t)_i * MODELS; number < (uint32_t)_i * MODELS + MODELS;
         number++) {
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
    }
}
END_TEST

Suite *verify_random_suite(void) {
    Suite *suite = suite_create("verify_random");
    TCase *tcase = tcase_create("runs");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, runs_agree_with_fixpoints, 0, 5);
    suite_add_tcase(suite, tcase);
    return suite;
}
