/* Where generated labels, copies of edges and loops go. */
#include "abstract/generate_place.h"

#include <check.h>
#include <stdlib.h>

Suite *place_suite(void);

struct sample {
    struct arena arena;
    struct interner names;
    struct diag diag;
    struct document document;
    const struct xml_template *template;
};

/* Two locations 200 apart, the second at x, y, and an edge with the content given. */
static void open_sample(struct sample *sample, int x, int y, const char *content) {
    *sample = (struct sample){0};
    arena_init(&sample->arena);
    interner_init(&sample->names, &sample->arena);
    diag_init(&sample->diag, &sample->arena, NULL);
    char *text = arena_printf(&sample->arena,
                              "<nta><template><name>T</name><location id=\"a\" x=\"0\" y=\"0\"/>"
                              "<location id=\"b\" x=\"%d\" y=\"%d\"/><init ref=\"a\"/>"
                              "<transition><source ref=\"a\"/><target ref=\"b\"/>%s</transition>"
                              "</template><system>system T;</system></nta>",
                              x, y, content);
    ck_assert(document_parse(&sample->document, &sample->arena, &sample->names, "t.xml",
                             str_of(text), &sample->diag));
    sample->template = sample->document.templates;
}

#define LABELS(y1, y2)                                                                             \
    "<label kind=\"guard\" x=\"70\" y=\"" y1 "\">v == 1</label>"                                   \
    "<label kind=\"assignment\" x=\"60\" y=\"" y2 "\">v = 2,\nw = 3</label>"

static const struct {
    const char *labels;
    bool is_above;
    int top, bottom;
} blocks[] = {
    {LABELS("-70", "-53"), true, -70, -19},
    {LABELS("20", "37"), false, 20, 71},
    {LABELS("-70", "-53") "<nail x=\"100\" y=\"-90\"/>", false, -70, -19},
    {"", true, -LABEL_LINE, -LABEL_LINE},
};

START_TEST(labels_grow_away_from_the_edge) {
    struct sample sample;
    open_sample(&sample, 200, 0, blocks[_i].labels);
    struct label_block block = block_of_edge(sample.template, sample.template->transitions);
    ck_assert_int_eq(block.is_above, blocks[_i].is_above);
    ck_assert_int_eq(block.top, blocks[_i].top);
    ck_assert_int_eq(block.bottom, blocks[_i].bottom);
    struct spot spot = block_add(&block, 2);
    ck_assert_int_eq(spot.y,
                     blocks[_i].is_above ? blocks[_i].top - 2 * LABEL_LINE : blocks[_i].bottom);
    arena_close(&sample.arena);
}
END_TEST

/* The labels of a copy do not reach those before; its line runs in between. */
START_TEST(copies_are_apart) {
    struct sample sample;
    bool is_above = _i;
    open_sample(&sample, 200, 0, is_above ? LABELS("-70", "-53") : LABELS("20", "37"));
    struct label_block block = block_of_edge(sample.template, sample.template->transitions);
    int edge = is_above ? block.top : block.bottom, before = 0;
    for (int lines = 1; lines < 4; lines++) {
        struct spot shift, spot = block_add_copy(&block, lines, &shift);
        ck_assert_int_eq(spot.x, 60);
        ck_assert_int_eq(shift.x, 0);
        if (is_above) {
            ck_assert_int_le(spot.y + lines * LABEL_LINE, edge - 5);
            ck_assert_int_lt(shift.y, before);
            edge = spot.y;
        } else {
            ck_assert_int_ge(spot.y, edge + 5);
            ck_assert_int_gt(shift.y, before);
            edge = spot.y + lines * LABEL_LINE;
        }
        before = shift.y;
    }
    arena_close(&sample.arena);
}
END_TEST

START_TEST(copies_of_steep_edges_stand_beside_them) {
    struct sample sample;
    struct spot first, second;
    open_sample(&sample, 10, 200, LABELS("80", "97"));
    struct label_block block = block_of_edge(sample.template, sample.template->transitions);
    block_add_copy(&block, 1, &first);
    block_add_copy(&block, 1, &second);
    ck_assert(first.y == 0 && second.y == 0);
    ck_assert(first.x > 10 && second.x > first.x + 10);
    arena_close(&sample.arena);
}
END_TEST

static const struct {
    int x, y;
    const char *labels;
    int side_x, side_y;
} corners[] = {
    {200, 0, "", -1, -1}, /* away from the edge */
    {200, 0, LABELS("-70", "-53"), -1, -1},
    {-200, 0, "", 1, -1},
    {-50, -100, LABELS("-70", "-53"), 1, 1},
    {50, -100, LABELS("20", "37") "<nail x=\"-50\" y=\"50\"/>", -1, -1},
};

START_TEST(loops_go_where_room_is) {
    struct sample sample;
    struct loops loops = {0};
    open_sample(&sample, corners[_i].x, corners[_i].y, corners[_i].labels);
    int last = 0;
    for (int i = 0; i < 3; i++) {
        struct spot nails[2];
        struct spot spot = add_loop(&loops, sample.template, 0, 2, 10, nails);
        ck_assert_int_eq(loops.side_x, corners[_i].side_x);
        ck_assert_int_eq(loops.side_y, corners[_i].side_y);
        ck_assert_int_eq(nails[0].y, nails[1].y);
        ck_assert_int_lt(nails[0].y * loops.side_y, 200);
        ck_assert(i == 0 || abs(spot.y - last) >= 2 * LABEL_LINE);
        ck_assert(loops.side_x > 0 ? spot.x > nails[1].x : spot.x + 50 < nails[1].x);
        last = spot.y;
    }
    arena_close(&sample.arena);
}
END_TEST

START_TEST(far_away) {
    struct sample sample;
    struct loops loops = {0};
    struct spot nails[2], shift;
    open_sample(&sample, -1000000, 1000000,
                "<label kind=\"guard\" x=\"1000000\" y=\"-1000000\">g</label>"
                "<nail x=\"99999999999\" y=\"-1000000\"/>");
    struct label_block block = block_of_edge(sample.template, sample.template->transitions);
    block_add_copy(&block, 1000, &shift);
    add_loop(&loops, sample.template, 1, 1000, 1000, nails);
    ck_assert(abs(nails[0].y) < 2000000);
    arena_close(&sample.arena);
}
END_TEST

Suite *place_suite(void) {
    Suite *suite = suite_create("place");
    TCase *tests = tcase_create("place");
    tcase_add_loop_test(tests, labels_grow_away_from_the_edge, 0, 4);
    tcase_add_loop_test(tests, copies_are_apart, 0, 2);
    tcase_add_test(tests, copies_of_steep_edges_stand_beside_them);
    tcase_add_loop_test(tests, loops_go_where_room_is, 0, 5);
    tcase_add_test(tests, far_away);
    suite_add_tcase(suite, tests);
    return suite;
}
