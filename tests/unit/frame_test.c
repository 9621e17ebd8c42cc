/* What goes around the updates of edges: values before, and resets behind. */
#include "abstract/edge/frame.h"

#include "abstract/edge/open.h"
#include "abstract/fold/model.h"
#include "abstract/request/obstacle.h"
#include "lang/print/print.h"
#include "model_sample.h"

Suite *frame_suite(void);

static struct sample sample;

/* In A, m is 0 to 3, w is 2, s[0] is 0 or 1 and s[1] is 1; g and the cells of a have all values.
 * The edge from A to B is the last one. */
static const char text_of_model[] =
    "<nta><declaration>int[0,9] x; int[0,3] g; int[0,3] a[3] = {1, 0, 0}; bool flag[2];"
    "void put(int[0,3] v) { a[1] = v; }</declaration>"
    "<template><name>P</name><declaration>int[0,3] m = 1, w; int[0,1] s[2];</declaration>"
    "<location id='s'><name>S</name></location><location id='a'><name>A</name></location>"
    "<location id='b'><name>B</name></location><init ref='s'/><transition><source ref='s'/>"
    "<target ref='a'/><label kind='select'>k : int[0,3]</label><label kind='assignment'>m = k, "
    "w = 2, s[0] = k / 2, s[1] = 1, g = k, a[0] = k, a[1] = k, a[2] = k, flag[1] = k > 1</label>"
    "</transition><transition><source ref='a'/><target ref='b'/><label kind='select'>k : int[0,3]"
    "</label><label kind='assignment'>%s</label></transition></template><system>system P;</system>"
    "</nta>";

static void setup(void) { sample_open(&sample, NULL); }
static void teardown(void) { sample_close(&sample); }

static struct network *load(const char *update) {
    char *text = arena_printf(&sample.arena, text_of_model, update);
    struct model *model = NULL;
    if (document_parse(&sample.document, &sample.arena, &sample.names, "model.xml", str_of(text),
                       &sample.diag))
        model = model_parse(&sample.arena, &sample.names, &sample.document, &sample.diag);
    ck_assert(model && model_check(model));
    return network_new(&sample.arena, model);
}

/* The items of the edge from A to B. */
static const struct {
    const char *removed, *update, *items;
} cases[] = {
    /* into a scope, and out of it */
    {"P.m@B", "x = 1", "x = 1, m = 1"},
    {"P.m@B", "m = k", "m = 1"},
    {"P.m@B", "m = 2, x = m", "m = 2, x = m, m = 1"},
    {"P.s@B", "s[k % 2] = 1", "s[k % 2] = 1, s[0] = 0, s[1] = 0"},
    {"P.m@A", "x = m", "m = m_1, x = m"},
    {"P.m@A", "x = m, m = 1", "m = m_1, x = m, m = 1"},
    {"P.m@A", "m = 1, x = m", "m = 1, x = m"},
    {"P.w@A", "x = w", "w = 2, x = w"},
    {"P.s@A", "x = s[k % 2]", "s[0] = s_0, s[1] = 1, x = s[k % 2]"},
    /* cells that are removed from a variable that stays */
    {"a[0]", "a[k % 3] = x", "a[k % 3] = x, a[0] = 1"},
    {"a[0]", "a[0] = k, x = 1", "x = 1, a[0] = 1"},
    {"a[0]", "a[1] = x", "a[1] = x"},
    {"a[0]", "x = a[k % 3]", "a[0] = a_0, x = a[k % 3], a[0] = 1"},
    {"a[0]", "put(1), a[0] = k", "put(1), a[0] = 1"},
    {"flag[1]", "flag[k % 2] = true", "flag[k % 2] = true, flag[1] = false"},
    /* locals of functions */
    {"g", "x = (g = k) + g",
     "update_P_A_2(k, g_old) void update_P_A_2(int[0,3] k, int[0,3] g) {\n    x = (g = k) + g;\n}"},
    {"g", "g = k, x = (g = 1) + g",
     "update_P_A_2(k) void update_P_A_2(int[0,3] k) {\n    int[0,3] g;\n    g = k;\n    x = (g = "
     "1) + g;\n}"},
    {"a", "a[k % 3] = x, x = a[x % 3]",
     "update_P_A_2(k, a_0, a_1, a_2) void update_P_A_2(int[0,3] k, int[0,3] a_0, int[0,3] a_1, "
     "int[0,3] a_2) {\n    int[0,3] a[3];\n    a[0] = a_0;\n    a[1] = a_1;\n    a[2] = a_2;\n    "
     "a[k % 3] = x;\n    x = a[x % 3];\n}"},
};

START_TEST(updates_are_framed) {
    struct network *network = load(cases[_i].update);
    struct request request = {.arena = &sample.arena};
    struct abstraction abstraction;
    struct abstract_options options = {.analysis = {.budget = ANALYSIS_DEFAULT_BUDGET}};
    struct open_edge open;
    struct buffer text = {0};
    ck_assert(network);
    ck_assert(request_add(&request, network, cases[_i].removed, &sample.diag));
    ck_assert(request_finish(&request, network, &sample.diag));
    ck_assert(
        abstraction_open(&abstraction, &sample.arena, network, &request, &options, &sample.diag));
    ck_assert(open_edge_make(&abstraction.context, network->model->templates[0], 1, &open));
    for (uint32_t i = 0; i < open.items.count; i++) {
        if (i) buffer_add_text(&text, ", ");
        print_expr(&text, open.items.items[i].expr);
    }
    for (uint32_t i = 0; i < abstraction.context.generated.count; i++)
        buffer_printf(&text, " %s", abstraction.context.generated.items[i].text);
    ck_assert_str_eq(text.data ? text.data : "", cases[_i].items);
    buffer_close(&text);
    abstraction_close(&abstraction);
}
END_TEST

Suite *frame_suite(void) {
    Suite *suite = suite_create("frame");
    TCase *tests = tcase_create("frame");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, updates_are_framed, 0, COUNT(cases));
    suite_add_tcase(suite, tests);
    return suite;
}
