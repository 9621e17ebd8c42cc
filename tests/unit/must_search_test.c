/* The search for a must-abstraction with more steps ends in time, and in so much memory; and what it
 * finds again is what it would make. */
#include "abstract/abstract.h"
#include "abstract/must/search.h"
#include "abstract/request/obstacle.h"
#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "wide_sample.h"
#include "xml/load.h"

#include <check.h>
#include <stdlib.h>

Suite *must_search_suite(void);

enum { VARIABLES = 16, LOCATIONS = 400, TEMPLATES = 4, MODELS = 300 };

static void add_edge(struct buffer *text, int template, int from, int number) {
    int x = (from * 7 + number * 3 + template) % VARIABLES, y = (from + number * 5) % VARIABLES;
    buffer_printf(text,
                  "<transition><source ref=\"l%d_%d\"/><target ref=\"l%d_%d\"/>"
                  "<label kind=\"guard\">x%d == %d</label>"
                  "<label kind=\"assignment\">x%d = (x%d + 1) %% 4, k = (k + 1) %% 8</label>"
                  "</transition>",
                  template, from, template, (from * 3 + number * 11 + 1) % LOCATIONS, x,
                  (from + number) % 4, y, x);
}

/* Where everything depends on everything, so that much is lost. */
static char *large_model(struct arena *arena) {
    struct buffer text = {0};
    buffer_printf(&text, "<nta><declaration>int[0,7] k;");
    for (int v = 0; v < VARIABLES; v++) buffer_printf(&text, "int[0,3] x%d;", v);
    buffer_printf(&text, "</declaration>");
    for (int t = 0; t < TEMPLATES; t++) {
        buffer_printf(&text, "<template><name>T%d</name>", t);
        for (int l = 0; l < LOCATIONS; l++) buffer_printf(&text, "<location id=\"l%d_%d\"/>", t, l);
        buffer_printf(&text, "<init ref=\"l%d_0\"/>", t);
        for (int l = 0; l < LOCATIONS; l++)
            for (int number = 0; number < 3; number++) add_edge(&text, t, l, number);
        buffer_printf(&text, "</template>");
    }
    buffer_printf(&text, "<system>system T0, T1, T2, T3;</system></nta>");
    char *copy = buffer_take(&text, arena);
    buffer_close(&text);
    return copy;
}

START_TEST(memory_is_bounded) {
    struct arena arena;
    struct interner names;
    struct diag diag;
    struct document document;
    struct abstraction abstraction;
    const struct abstract_options options = {.mode = MODE_MUST,
                                             .analysis = {.budget = ANALYSIS_DEFAULT_BUDGET}};
    arena_init(&arena);
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
    ck_assert(
        document_parse(&document, &arena, &names, "t.xml", str_of(large_model(&arena)), &diag));
    struct model *model = model_parse(&arena, &names, &document, &diag);
    ck_assert(model_check(model));
    struct network *network = network_new(&arena, model);
    struct request request = {.arena = &arena};
    for (int v = 0; v < VARIABLES; v++)
        ck_assert(request_add(&request, network, arena_printf(&arena, "x%d", v), &diag));
    ck_assert(request_finish(&request, network, &diag));
    size_t before = arena.used_size;
    ck_assert(abstraction_make(&abstraction, &arena, network, &request, &options, &diag));
    ck_assert(!abstraction.is_exact);
    ck_assert_uint_lt(arena.used_size - before, (size_t)2 * MUST_MAX_SIZE);
    abstraction_close(&abstraction);
    arena_close(&arena);
}
END_TEST

/* Removes one or two variables of a model of many values. */
static const char *abstract(struct arena *arena, int number, bool folds_anew) {
    struct interner names;
    struct diag diag;
    struct document document;
    struct abstraction abstraction;
    struct buffer text = {0};
    const struct abstract_options options = {
        .mode = MODE_MUST, .analysis = {.budget = 2000}, .folds_anew = folds_anew};
    wide_write(&text, number);
    interner_init(&names, arena);
    diag_init(&diag, arena, NULL);
    ck_assert(document_parse(&document, arena, &names, "t.xml", str_of(buffer_take(&text, arena)),
                             &diag));
    buffer_close(&text);
    struct model *model = model_parse(arena, &names, &document, &diag);
    ck_assert(model_check(model));
    struct network *network = network_new(arena, model);
    struct request request = {.arena = arena};
    int first = wide_pick(WIDE_VARIABLES), second = wide_pick(2 * WIDE_VARIABLES);
    for (int v = 0; v < WIDE_VARIABLES; v++)
        if (v == first || v == second)
            ck_assert(request_add(&request, network,
                                  arena_printf(arena, "%s%s", v < 2 ? "" : "P.", wide_names[v]),
                                  &diag));
    ck_assert(request_finish(&request, network, &diag));
    bool ok = abstraction_make(&abstraction, arena, network, &request, &options, &diag);
    const char *output =
        ok ? arena_copy(arena, abstraction.output.data, abstraction.output.size) : "none";
    for (uint32_t i = 0; ok && i < abstraction.inexact.count; i++)
        output = arena_printf(arena, "%s\n%s", output, abstraction.inexact.items[i]);
    abstraction_close(&abstraction);
    return output;
}

START_TEST(folds_that_are_found_again_are_right) {
    for (int i = 0; i < MODELS; i++) {
        struct arena arena;
        arena_init(&arena);
        ck_assert(!strcmp(abstract(&arena, i, false), abstract(&arena, i, true))); /* long texts */
        arena_close(&arena);
    }
}
END_TEST

Suite *must_search_suite(void) {
    Suite *suite = suite_create("must_search");
    TCase *tests = tcase_create("limits");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, memory_is_bounded);
    tcase_add_test(tests, folds_that_are_found_again_are_right);
    suite_add_tcase(suite, tests);
    return suite;
}
