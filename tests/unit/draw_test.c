/* Drawing: what is compared with what, where things go, what hostile models cost. */
#include "draw/arrange.h"
#include "draw/compare.h"
#include "draw/draw.h"
#include "draw/notes.h"
#include "xml/load.h"

#include <check.h>
#include <math.h>
#include <string.h>

Suite *draw_suite(void);

struct sample {
    struct arena arena;
    struct interner names;
    struct diag diag;
    struct document document;
    struct diagram diagram;
};

/* A template of three locations A, B, C (a, b, c) with the transitions given. The attributes are
 * those of A; B has coordinates, C has none. */
static void open_sample(struct sample *sample, const char *places, const char *transitions) {
    *sample = (struct sample){0};
    arena_init(&sample->arena);
    interner_init(&sample->names, &sample->arena);
    diag_init(&sample->diag, &sample->arena, NULL);
    char *text =
        arena_printf(&sample->arena,
                     "<nta><template><name>T</name>"
                     "<location id=\"a\" %s><name>A</name></location>"
                     "<location id=\"b\" x=\"200\" y=\"0\"><name>B</name></location><location "
                     "id=\"c\"><name>C</name></location>"
                     "<init ref=\"a\"/>%s</template><system>system T;</system></nta>",
                     places, transitions);
    ck_assert(document_parse(&sample->document, &sample->arena, &sample->names, "t.xml",
                             str_of(text), &sample->diag));
    diagram_read(&sample->diagram, sample->document.templates, &sample->arena);
}

static void close_sample(struct sample *sample) { arena_close(&sample->arena); }

/* Marks of the edges and their labels in a comparison: = same, ~ changed, + new, - removed. */
static const char *marks_of(const struct diagram *diagram, struct arena *arena) {
    static const char letters[] = "=~+-";
    struct buffer text = {0};
    for (uint32_t i = 0; i < diagram->edge_count; i++) {
        const struct draw_edge *edge = &diagram->edges[i];
        buffer_printf(&text, "%s%c", i ? " " : "", letters[edge->mark]);
        for (uint32_t k = 0; k < edge->notes.count; k++)
            buffer_printf(&text, "%c", letters[edge->notes.items[k].mark]);
    }
    char *marks = buffer_take(&text, arena);
    buffer_close(&text);
    return marks;
}

#define EDGE(from, to, labels)                                                                     \
    "<transition><source ref=\"" from "\"/><target ref=\"" to "\"/>" labels "</transition>"
#define GUARD(text) "<label kind=\"guard\">" text "</label>"
#define SYNC(text) "<label kind=\"synchronisation\">" text "</label>"
#define UPDATE(text) "<label kind=\"assignment\">" text "</label>"
#define NAIL "<nail x=\"5\" y=\"7\"/>"

static const struct {
    const char *before, *after, *marks;
} comparisons[] = {
    {EDGE("a", "b", GUARD("x == 1")), EDGE("a", "b", GUARD("x==1")), "=="},
    {EDGE("a", "b", GUARD("x == 1")), EDGE("a", "b", GUARD("x == 2")), "~~"},
    {EDGE("a", "b", GUARD("x == 1") SYNC("c!")), EDGE("a", "b", SYNC("c!")), "~-="},
    {EDGE("a", "b", SYNC("c!")), EDGE("a", "b", SYNC("c!") UPDATE("y = 1")), "~=+"},
    {EDGE("a", "b", ""), EDGE("a", "c", ""), "+ -"},
    {EDGE("a", "b", SYNC("c!")), EDGE("b", "a", SYNC("c!")), "++ --"},
    {"", EDGE("a", "b", ""), "+"},
    {EDGE("a", "a", ""), "", "-"},
    /* What is equal is matched before what is similar, whatever the order. */
    {EDGE("a", "b", GUARD("x == 1")) EDGE("a", "b", GUARD("x == 2")),
     EDGE("a", "b", GUARD("x == 2")) EDGE("a", "b", GUARD("x == 12")), "== ~~"},
    /* The most similar ones are a pair; what is over is new. */
    {EDGE("a", "b", SYNC("c!") GUARD("m == 1 &amp;&amp; n == 1")),
     EDGE("a", "b", SYNC("d?")) EDGE("a", "b", SYNC("c!") GUARD("n == 1")), "++ ~~="},
    /* An edge that keeps its place is the changed one, its copy is new. */
    {EDGE("a", "b", GUARD("m == 1") UPDATE("m = 0") NAIL), EDGE("a", "b", "") EDGE("a", "b", NAIL),
     "+ ~--"},
    {EDGE("a", "b", "") EDGE("a", "b", ""), EDGE("a", "b", ""), "= -"},
    {EDGE("a", "b", GUARD("first")), EDGE("a", "b", SYNC("other!") NAIL), "++ --"},
};

START_TEST(edges_are_matched) {
    struct sample before, after;
    open_sample(&before, "x=\"0\" y=\"0\"", comparisons[_i].before);
    open_sample(&after, "x=\"0\" y=\"0\"", comparisons[_i].after);
    struct diagram merged = compare_diagrams(&before.diagram, &after.diagram, &after.arena);
    ck_assert_str_eq(marks_of(&merged, &after.arena), comparisons[_i].marks);
    close_sample(&after);
    close_sample(&before);
}
END_TEST

/* What a line or text is cut into, and how wide it is taken to be. */
START_TEST(lines_are_wrapped) {
    struct arena arena;
    arena_init(&arena);
    struct lines lines = lines_of(&arena, STR("one\n\ttwo"), 500);
    ck_assert_uint_eq(lines.count, 2);
    ck_assert_str_eq(lines.items[1].data, "    two");
    lines = lines_of(&arena,
                     STR("first = second + third, f(alpha, beta, gamma), fourth = 12345678"), 300);
    ck_assert_uint_eq(lines.count, 2);
    ck_assert_uint_eq(lines.text_count, 1);
    ck_assert_str_eq(lines.items[1].data, "  fourth = 12345678");
    ck_assert(lines.width > 150 && lines.width <= 300 && lines.most_width >= lines.width);
    char *text = arena_alloc(&arena, 100001);
    memset(text, 'x', 100000);
    lines = lines_of(&arena, str_of(text), 300);
    ck_assert(lines.count == 1 && lines.items[0].size < 2000);
    memset(text, '\n', 100000);
    lines = lines_of(&arena, str_of(text), 300);
    ck_assert(lines.count <= 100);
    arena_close(&arena);
}
END_TEST

static bool is_finite_box(const struct diagram *diagram) {
    for (uint32_t i = 0; i < diagram->edge_count; i++)
        for (uint32_t k = 0; k < diagram->edges[i].point_count; k++)
            if (!(fabs(diagram->edges[i].points[k].x) <= 2e6) ||
                !(fabs(diagram->edges[i].points[k].y) <= 2e6))
                return false;
    return true;
}

static double node_distance(const struct diagram *diagram, uint32_t i, uint32_t k) {
    return hypot(diagram->nodes[i].at.x - diagram->nodes[k].at.x,
                 diagram->nodes[i].at.y - diagram->nodes[k].at.y);
}

/* Coordinates that are missing, no numbers or too large count as missing. */
START_TEST(places_are_found) {
    static const char *const places[] = {"",
                                         "x=\"1\" y=\"2\"",
                                         "x=\"99999999999999999999\" y=\"0\"",
                                         "x=\"nan\" y=\"inf\"",
                                         "x=\"-1000000\" y=\"1000000\"",
                                         "x=\"1e300\" y=\"\"",
                                         "x=\"7\""};
    struct sample sample;
    open_sample(&sample, places[_i],
                EDGE("a", "b", "") EDGE("b", "c", "<nail x=\"1000000\" y=\"-1000000\"/>")
                    EDGE("c", "c", "") EDGE("c", "c", "<nail x=\"0\" y=\"0\"/>")
                        EDGE("a", "a", "<nail x=\"1\" y=\"2\"/>"));
    diagram_arrange(&sample.diagram, &sample.arena);
    ck_assert(is_finite_box(&sample.diagram));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < i; k++)
            ck_assert(node_distance(&sample.diagram, i, k) > 3 * NODE_RADIUS);
    close_sample(&sample);
}
END_TEST

static double middle_distance(const struct draw_edge *left, const struct draw_edge *right) {
    return hypot(left->middle.x - right->middle.x, left->middle.y - right->middle.y);
}

/* Edges and loops without nails stay apart from others between the same locations. */
START_TEST(lines_are_apart) {
    struct sample sample;
    open_sample(&sample, "",
                EDGE("a", "b", "") EDGE("a", "b", "") EDGE("b", "a", "") EDGE("b", "a", "")
                    EDGE("c", "c", "") EDGE("c", "c", "") EDGE("c", "c", "") EDGE("c", "c", "")
                        EDGE("c", "c", ""));
    diagram_arrange(&sample.diagram, &sample.arena);
    for (uint32_t i = 0; i < sample.diagram.edge_count; i++)
        for (uint32_t k = 0; k < i; k++)
            ck_assert(middle_distance(&sample.diagram.edges[i], &sample.diagram.edges[k]) > 12);
    close_sample(&sample);
}
END_TEST

/* Labels that the file puts on top of each other are moved apart. */
START_TEST(labels_are_apart) {
    struct sample sample;
    open_sample(&sample, "x=\"0\" y=\"0\"",
                EDGE("a", "a", "<label kind=\"guard\" x=\"50\" y=\"0\">first</label>")
                    EDGE("a", "a", "<label kind=\"guard\" x=\"60\" y=\"4\">second</label>"));
    diagram_arrange(&sample.diagram, &sample.arena);
    const struct note *first = sample.diagram.edges[0].notes.items,
                      *second = sample.diagram.edges[1].notes.items;
    ck_assert(second->at.y >= first->at.y + LINE_HEIGHT ||
              second->at.x >= first->at.x + first->lines.width ||
              first->at.y >= second->at.y + LINE_HEIGHT);
    close_sample(&sample);
}
END_TEST

/* A template with so many loops, each with labels of so many bytes. */
static bool draw_large(uint32_t loops, size_t label, enum status *status) {
    struct sample sample;
    struct buffer text = {0};
    struct str page;
    for (uint32_t i = 0; i < loops; i++) {
        buffer_add_text(&text, "<transition><source ref=\"a\"/><target ref=\"a\"/>");
        buffer_add_text(&text, "<label kind=\"guard\" x=\"0\" y=\"0\">");
        for (size_t k = 0; k < label; k++) buffer_add_text(&text, k % 9 ? "x" : "\n");
        buffer_add_text(&text, "</label></transition>");
    }
    open_sample(&sample, "", text.data);
    buffer_close(&text);
    bool ok =
        draw_page(&page, &sample.document, &sample.document, NULL, &sample.arena, &sample.diag);
    ck_assert(!ok || page.size < DRAW_MAX_BYTES + 100000);
    *status = sample.diag.status;
    close_sample(&sample);
    return ok;
}

START_TEST(large_models_end) {
    enum status status;
    ck_assert(draw_large(300, 3000, &status));
    ck_assert(draw_large(20000, 1, &status));
    ck_assert(!draw_large(110000, 0, &status));
    ck_assert_int_eq(status, STATUS_LIMIT);
}
END_TEST

START_TEST(unknown_template) {
    struct sample sample;
    struct str page;
    open_sample(&sample, "", "");
    ck_assert(!draw_page(&page, &sample.document, NULL, "X", &sample.arena, &sample.diag));
    ck_assert_int_eq(sample.diag.status, STATUS_USAGE);
    ck_assert(draw_page(&page, &sample.document, NULL, "T", &sample.arena, &sample.diag));
    close_sample(&sample);
}
END_TEST

/* One template as a group for another page. */
START_TEST(panel_alone) {
    struct sample sample;
    struct panel panel;
    open_sample(&sample, "", EDGE("a", "b", GUARD("x &lt; 1")));
    ck_assert(
        draw_panel(&panel, NULL, sample.document.templates, false, &sample.arena, &sample.diag));
    ck_assert(!strncmp(panel.markup.data, "<g data-template=", 17));
    ck_assert(strstr(panel.markup.data, ">x &lt; 1</text>") != NULL);
    ck_assert(panel.width > 100 && panel.height > 50);
    close_sample(&sample);
}
END_TEST

Suite *draw_suite(void) {
    Suite *suite = suite_create("draw");
    TCase *tests = tcase_create("draw");
    tcase_set_timeout(tests, 20);
    tcase_add_loop_test(tests, edges_are_matched, 0, sizeof comparisons / sizeof *comparisons);
    tcase_add_test(tests, lines_are_wrapped);
    tcase_add_loop_test(tests, places_are_found, 0, 7);
    tcase_add_test(tests, lines_are_apart);
    tcase_add_test(tests, labels_are_apart);
    tcase_add_test(tests, large_models_end);
    tcase_add_test(tests, unknown_template);
    tcase_add_test(tests, panel_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
