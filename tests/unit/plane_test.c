/* Boxes and lines, and places for loops and labels. */
#include "plane/label.h"
#include "plane/loop.h"

#include <check.h>
#include <math.h>

Suite *plane_suite(void);

static const struct box box = {0, 0, 10, 4};

START_TEST(distance_of_a_line_that_crosses) {
    ck_assert_double_eq(box_distance(box, (struct point){-5, 2}, (struct point){15, 2}), 0);
    ck_assert_double_eq(box_length_inside(box, (struct point){-5, 2}, (struct point){15, 2}), 10);
}
END_TEST

START_TEST(distance_of_a_line_beside) {
    ck_assert_double_eq(box_distance(box, (struct point){-5, -3}, (struct point){15, -3}), 3);
    ck_assert_double_eq(box_distance(box, (struct point){13, 8}, (struct point){20, 20}), 5);
    /* past a corner, with both ends far away */
    ck_assert_double_eq_tol(box_distance(box, (struct point){10, -10}, (struct point){20, 0}),
                            sqrt(50), 1e-9);
}
END_TEST

START_TEST(crossing_lines) {
    struct point a = {0, 0}, b = {10, 10}, c = {0, 10}, d = {10, 0}, e = {4, 5};
    ck_assert(lines_cross(a, b, c, d));
    ck_assert(!lines_cross(a, b, c, e)); /* ends before it */
    ck_assert(!lines_cross(a, b, a, d)); /* from the same point */
}
END_TEST

static bool overlap(struct box a, struct box b) { return box_common_area(a, b) > 0; }

static struct box box_at(struct point at, struct point size) {
    return (struct box){at.x, at.y, at.x + size.x, at.y + size.y};
}

/* So many loops around a node with an edge to the right: texts apart, each nearest to its own. */
START_TEST(loops_and_texts_are_apart) {
    enum { MOST = 12 };
    struct arena arena;
    struct scene scene;
    struct loop_request requests[MOST];
    struct loop loops[MOST];
    struct point edge[2] = {{0, 0}, {300, 0}}, size = {100, 34};
    uint32_t count = (uint32_t)_i;
    arena_init(&arena);
    scene_init(&scene, &arena);
    scene_add_box(&scene, (struct box){-10, -10, 10, 10});
    scene_add_line(&scene, edge, edge, 2);
    for (uint32_t i = 0; i < count; i++) requests[i] = (struct loop_request){&requests[i], size};
    loops_place(&scene, (struct point){0, 0}, requests, loops, count, _i % 2);
    for (uint32_t i = 0; i < count; i++) {
        struct box text = box_at(loops[i].text.at, size);
        double own = box_distance_to_path(text, loops[i].points, loops[i].count);
        ck_assert_double_gt(box_distance_to_path(text, edge, 2), own);
        for (uint32_t k = 0; k < count; k++) {
            if (k == i) continue;
            ck_assert(!overlap(text, box_at(loops[k].text.at, size)));
            ck_assert_double_gt(box_distance_to_path(text, loops[k].points, loops[k].count), own);
        }
    }
    arena_close(&arena);
}
END_TEST

START_TEST(a_label_stands_beside_its_line) {
    struct arena arena;
    struct scene scene;
    struct point edge[2] = {{0, 0}, {200, 40}}, other[2] = {{0, -30}, {200, 10}}, size = {80, 17};
    arena_init(&arena);
    scene_init(&scene, &arena);
    scene_add_line(&scene, edge, edge, 2);
    scene_add_line(&scene, other, other, 2);
    struct text_place place = label_place_beside(&scene, edge, edge, 2, size);
    struct box text = box_at(place.at, size);
    ck_assert_double_eq(box_length_inside(text, edge[0], edge[1]), 0);
    ck_assert_double_lt(box_distance_to_path(text, edge, 2), 12);
    ck_assert_double_gt(box_distance_to_path(text, other, 2), box_distance_to_path(text, edge, 2));
    arena_close(&arena);
}
END_TEST

START_TEST(texts_of_an_edge_that_touch_are_one) {
    struct arena arena;
    struct scene scene;
    struct point edge[2] = {{0, 0}, {200, 0}};
    arena_init(&arena);
    scene_init(&scene, &arena);
    scene_add_line(&scene, edge, edge, 2);
    scene_add_text(&scene, edge, (struct box){0, 5, 50, 20});
    scene_add_text(&scene, edge, (struct box){0, 22, 50, 40});
    scene_add_text(&scene, edge, (struct box){0, 80, 50, 100});
    ck_assert_uint_eq(scene.texts.count, 2);
    ck_assert_double_eq(scene.texts.items[0].distance, 5);
    ck_assert_double_eq(scene.texts.items[1].distance, 80);
    scene_remove_texts(&scene, edge);
    ck_assert_uint_eq(scene.texts.count, 0);
    arena_close(&arena);
}
END_TEST

Suite *plane_suite(void) {
    Suite *suite = suite_create("plane");
    TCase *cases = tcase_create("plane");
    tcase_add_test(cases, distance_of_a_line_that_crosses);
    tcase_add_test(cases, distance_of_a_line_beside);
    tcase_add_test(cases, crossing_lines);
    tcase_add_loop_test(cases, loops_and_texts_are_apart, 1, 11);
    tcase_add_test(cases, a_label_stands_beside_its_line);
    tcase_add_test(cases, texts_of_an_edge_that_touch_are_one);
    suite_add_tcase(suite, cases);
    return suite;
}
