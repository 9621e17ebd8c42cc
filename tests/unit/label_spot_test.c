/* Where generated labels, copies of edges and loops go. */
#include "abstract/emit/label_spot.h"
#include "xml/load.h"

#include <check.h>
#include <stdlib.h>

Suite *label_spot_suite(void);

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
} around[] = {{200, 0, ""},
              {200, 0, LABELS("-70", "-53")},
              {-200, 0, ""},
              {-50, -100, LABELS("-70", "-53")},
              {50, -100, LABELS("20", "37") "<nail x=\"-50\" y=\"50\"/>"}};

static bool overlap(struct box a, struct box b) { return box_common_area(a, b) > 0; }

/* Labels of loops cover no text that the file has, nor each other, and stand at their loop. */
START_TEST(loops_go_where_room_is) {
    enum { COUNT = 4 };
    struct sample sample;
    struct new_loop loops[COUNT] = {{.lines = 2, .width = 70},
                                    {.lines = 2, .width = 70},
                                    {.lines = 1, .width = 140},
                                    {.lines = 3, .width = 35}};
    open_sample(&sample, around[_i].x, around[_i].y, around[_i].labels);
    struct label_spots *spots = label_spots_new(&sample.arena);
    label_spots_enter(spots, sample.template);
    struct scene_mark before = scene_mark(&spots->scene);
    label_spots_add_loops(spots, 0, loops, COUNT);
    for (int i = 0; i < COUNT; i++) {
        struct box labels = box_of_lines(loops[i].labels, loops[i].lines, loops[i].width);
        for (uint32_t k = 0; k < before.texts; k++)
            ck_assert(!overlap(labels, spots->scene.texts.items[k].box));
        for (int k = 0; k < i; k++)
            ck_assert(
                !overlap(labels, box_of_lines(loops[k].labels, loops[k].lines, loops[k].width)));
        struct point ends[2] = {{loops[i].nails[0].x, loops[i].nails[0].y},
                                {loops[i].nails[1].x, loops[i].nails[1].y}};
        ck_assert_double_lt(box_distance_to_path(labels, ends, 2), 12);
    }
    arena_close(&sample.arena);
}
END_TEST

START_TEST(far_away) {
    struct sample sample;
    struct new_loop loop = {.lines = 1000, .width = 7000};
    struct spot shift;
    open_sample(&sample, -1000000, 1000000,
                "<label kind=\"guard\" x=\"1000000\" y=\"-1000000\">g</label>"
                "<nail x=\"99999999999\" y=\"-1000000\"/>");
    struct label_block block = block_of_edge(sample.template, sample.template->transitions);
    block_add_copy(&block, 1000, &shift);
    struct label_spots *spots = label_spots_new(&sample.arena);
    label_spots_enter(spots, sample.template);
    label_spots_add_loops(spots, 1, &loop, 1);
    ck_assert(abs(loop.nails[0].y) < 2000000 && abs(loop.labels.x) < 2000000);
    arena_close(&sample.arena);
}
END_TEST

Suite *label_spot_suite(void) {
    Suite *suite = suite_create("label_spot");
    TCase *tests = tcase_create("place");
    tcase_add_loop_test(tests, labels_grow_away_from_the_edge, 0, 4);
    tcase_add_loop_test(tests, copies_are_apart, 0, 2);
    tcase_add_test(tests, copies_of_steep_edges_stand_beside_them);
    tcase_add_loop_test(tests, loops_go_where_room_is, 0, 5);
    tcase_add_test(tests, far_away);
    suite_add_tcase(suite, tests);
    return suite;
}
