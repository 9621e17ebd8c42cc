/* The two folds (F3, F4): what becomes of the edges of a location for sets of joint
 * values of what is removed, and when both agree (X1). */
#include "abstract/edge/unknown.h"
#include "abstract/fold/fold.h"
#include "abstract/fold/guard.h"
#include "expr/build.h"
#include "fold_sample.h"
#include "lang/syntax/frame.h"

Suite *fold_suite(void);

/* What the may-fold and the must-fold give for the edges that leave B. */
static const struct {
    struct fold_model model;
    const char *may, *must; /* must NULL: the same, as the removal is exact */
} folds[] = {
/* one removed variable with the values 0, 1 and 2 */
#define X012 "int[0,2] x; int[0,3] y; int[0,9] z;", "x"
#define Z_ANY                                                                                      \
    { "CA", "i : int[0,9]", NULL, "z = i" }
#define TO_B                                                                                       \
    { "AB", "i : int[0,2]", NULL, "x = i" }
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 2", "y = 1"}}}, "true / y = 1", ""},
    {{X012, .edges = {TO_B, {"BC", NULL, "x >= 0 && y > 1"}}}, "y > 1", NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, "x > 2"}}}, "", NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 1 && z > 1 || x != 1 && z < 8"}}},
     "true",
     "z < 8 && z > 1"},
    /* known by the location */
    {{X012, .edges = {{"AB", NULL, NULL, "x = 1"}, {"BC", NULL, "x == 1 && y > 0"}}},
     "y > 0",
     NULL},
    {{X012, .edges = {{"AC", NULL, NULL, "x = 1"}, {"BC", NULL, "x == 1 && y > 0"}}}, "", NULL},
    /* edges that do the same are one class, others are not */
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 0"}, {"BC", NULL, "x > 0"}}}, "true", NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 0 && z > 1"}, {"BC", NULL, "x > 0 && z > 3"}}},
     "z > 1",
     "z > 1 && z > 3"},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 0", "y = 1"}, {"BC", NULL, "x > 0", "y = 2"}}},
     "true / y = 1; true / y = 2",
     ""},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 0"}, {"BA", NULL, "x > 0"}}}, "true; true", ""},
    {{X012, .edges = {TO_B, {"BC", "i : int[0,2]", "i == x", "y = i"}}},
     "i == 0 || i == 1 || i == 2 / y = i",
     ""},
    /* updates */
    {{X012, .edges = {TO_B, {"BC", NULL, "y > 0", "x = y"}}}, "y > 0", NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, NULL, "x = 0, y = x + 1"}}}, "true / y = 1", NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, NULL, "y = x"}}}, "[x : 0..2] true / y = x", ""},
    {{X012, .edges = {TO_B, {"BC", NULL, "x > 0", "y = x"}}}, "[x : 1..2] true / y = x", ""},
    /* errors: nothing is a step then */
    {{X012, .edges = {TO_B, {"BC", NULL, NULL, "x = z"}, Z_ANY}}, "z <= 2", NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, NULL, "z = 9 / x"}, Z_ANY}},
     "[x : 1..2] true / z = 9 / x",
     ""},
    {{X012, .edges = {TO_B, {"BC", NULL, NULL, "y = x == 0 ? 3 : 4"}, Z_ANY}}, "true / y = 3", ""},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 0 || z / x > 2"}, Z_ANY}},
     "true",
     "z > 2 && z / 2 > 2"},
/* two variables: only the pairs that there are */
#define XY "int[0,2] x, y; int[0,9] z;", "x,y"
#define TO_B_ALIKE                                                                                 \
    { "AB", "i : int[0,2]", NULL, "x = i, y = i" }
#define TO_B_OPPOSITE                                                                              \
    { "AB", "i : int[0,2]", NULL, "x = i, y = 2 - i" }
    {{XY, .edges = {TO_B_ALIKE, {"BC", NULL, "x == y"}}}, "true", NULL},
    {{XY, .edges = {TO_B_OPPOSITE, {"BC", NULL, "x + y + z == 4"}}}, "z + 2 == 4", NULL},
    {{XY, .edges = {TO_B_OPPOSITE, {"BC", NULL, "x - y + z == 4"}}},
     "z - 2 == 4 || z == 4 || z + 2 == 4",
     "z - 2 == 4 && z == 4 && z + 2 == 4"},
/* a cell by an index that is not constant */
#define A2 "int[0,2] a[2]; int[0,1] y; int[0,9] z;", "a"
    {{A2, .edges = {{"AB", NULL, NULL, "a[1] = 1"}, {"BC", NULL, "a[y] == 1"}}}, "y == 1", NULL},
    {{A2, .edges = {{"AB", "i : int[0,1]", NULL, "a[i] = 1"}, {"BC", NULL, "a[y] == 1"}}},
     "true",
     ""},
    {{A2, .edges = {{"AB", NULL, NULL, "a[0] = 2"}, {"BC", NULL, "a[z] == 2"}, Z_ANY}},
     "z == 0",
     NULL},
/* a merged variable v says which values there are, and follows them */
#define MERGE .merge = {"P.v", "bool", "x > 1"}
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, "x == 2"}}}, "v", NULL},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, "x < 2", "y = 1"}}}, "!v / y = 1", NULL},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, "x == 0"}}}, "!v", ""},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, "x == y"}}},
     "!v && (y == 0 || y == 1) || v && y == 2",
     "v && y == 2"},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, "x > 0 && z > 1", "x = 0"}}},
     "z > 1 / v = false",
     "v && z > 1 / v = false"},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, NULL, "x = 2"}}}, "true / v = true", NULL},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, NULL, "x = y == 0 ? 0 : 2"}}},
     "true / v = y != 0",
     NULL},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, NULL, "y = x"}}},
     "[x : 0..2] !v && (x == 0 || x == 1) || x == 2 && v / y = x",
     "v / y = 2"},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, "x < 2", "x = 0"}, {"BC", NULL, "x > 1", "x = 1"}}},
     "true / v = false",
     NULL},
    {{X012, MERGE, .edges = {TO_B, {"BC", NULL, "x < 2", "x = 0"}, {"BC", NULL, "x > 1", "x = 2"}}},
     "!v / v = false; v / v = true",
     NULL},
    {{XY, .merge = {"P.v", "int[0,4]", "x + y"},
      .edges = {TO_B_ALIKE, {"BC", NULL, "x + y == 2", "z = x"}}},
     "v == 2 / z = 1",
     NULL},
};

START_TEST(guards_and_classes_are_those_of_the_fold) {
    const enum mode modes[] = {MODE_MAY, MODE_MUST};
    bool is_exact = !folds[_i].must;
    for (int k = 0; k < 2; k++) {
        struct fold_sample sample;
        fold_sample_open(&sample, &folds[_i].model, modes[k]);
        ck_assert(abstraction_fold(&sample.abstraction, &sample.options));
        const char *expected = k && !is_exact ? folds[_i].must : folds[_i].may;
        ck_assert_str_eq(fold_sample_edges(&sample, 1), expected);
        ck_assert(!sample.abstraction.inexact.count == is_exact);
        fold_sample_close(&sample);
    }
}
END_TEST

/* Conjuncts that are passed through, as an atom of time would be: y <= x, or y <= 3. */
static const struct {
    struct fold_model model;
    const char *atoms; /* by edge from B: '3', 'x', or '-' for none */
    const char *may, *must;
} passed[] = {
    /* it stands behind the guard, as it is, and the guard is folded */
    {{X012, .edges = {TO_B, {"BC", NULL, "x >= 0 && z > 1"}}}, "3", "z > 1 & y <= 3", NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 2"}}}, "3", "true & y <= 3", ""},
    /* what is passed has to be equal in a class; must asks for all of it */
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 0"}, {"BC", NULL, "x > 0"}}},
     "33",
     "true & y <= 3",
     NULL},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 0"}, {"BC", NULL, "x > 0"}}},
     "3-",
     "true & y <= 3; true",
     "true & y <= 3"},
    /* values are put in, and make classes of their own */
    {{X012, .edges = {TO_B, {"BC", NULL, "x != 1"}, {"BC", NULL, "x == 1"}}},
     "x3",
     "true & y <= 2; true & y <= 3",
     "true & y <= 0"},
    {{X012, .edges = {TO_B, {"BC", NULL, "x == 1"}, {"BC", NULL, "z > 1"}}},
     "xx",
     "true & y <= 1; z > 1 & y <= 0; z > 1 & y <= 2",
     "z > 1 & y <= 0"},
    {{X012, .edges = {{"AB", NULL, NULL, "x = 1"}, {"BC", NULL, "z > 1"}}},
     "x",
     "z > 1 & y <= 1",
     NULL},
};

static void carry(struct fold_sample *sample, struct open_edge *open, char atom) {
    struct context *context = &sample->abstraction.context;
    struct arena *arena = &sample->arena;
    const struct template *template = open->template;
    const struct expr *y =
        build_name(arena, frame_find_here(template->frame, intern_find(&sample->names, "y")));
    const struct expr *bound = build_int(arena, 3);
    if (atom == '-') return;
    if (atom == 'x') {
        const struct removal *removal = &sample->request.removals.items[0];
        bound = build_name(arena, unknown_of_cell(context, open, removal, 0, false)->placeholder);
    }
    const struct expr *expr = build_binary(arena, OP_LE, y, bound);
    open_edge_add_conjunct(context, open, (struct conjunct){CONJUNCT_PASSED, expr, expr});
}

START_TEST(what_is_passed_through_makes_classes_and_is_no_part_of_the_fold) {
    const enum mode modes[] = {MODE_MAY, MODE_MUST};
    for (int k = 0; k < 2; k++) {
        struct fold_sample sample;
        struct open_edge opened[FOLD_EDGES], *open[FOLD_EDGES];
        struct fold fold = {0};
        uint32_t count = 0;
        fold_sample_open(&sample, &passed[_i].model, modes[k]);
        struct context *context = &sample.abstraction.context;
        const struct template *template = sample.network->model->templates[0];
        for (uint32_t i = 0; i < template->edge_count; i++) {
            if (template->edges[i].source != 1) continue;
            ck_assert(open_edge_make(context, template, i, &opened[count]));
            carry(&sample, &opened[count], passed[_i].atoms[count]);
            open[count] = &opened[count];
            count++;
        }
        fold_location(context, NULL, &sample.abstraction.blocked, open, count, &fold);
        const char *expected = k && passed[_i].must ? passed[_i].must : passed[_i].may;
        struct buffer text = {0};
        buffer_add(&text, "", 0);
        for (uint32_t i = 0; i < fold.edges.count; i++)
            fold_sample_add_edge(&sample, &text, &fold.edges.items[i]);
        ck_assert_str_eq(text.data, expected);
        ck_assert(!fold.inexact.count == !passed[_i].must);
        buffer_close(&text);
        fold_sample_close(&sample);
    }
}
END_TEST

/* The same of an invariant: its evaluated part is folded; of what is passed, a may-fold has the
 * weakest bound, and a must-fold the strongest one. */
START_TEST(what_an_invariant_passes_is_folded_by_itself) {
    static const struct fold_model model = {X012, .edges = {TO_B}};
    static const struct {
        enum mode mode;
        char atom;
        const char *evaluated, *passed;
        uint32_t reasons;
    } cases[] = {{MODE_MAY, '3', "", "y <= 3", 0},
                 {MODE_MUST, '3', "", "y <= 3", 0},
                 {MODE_MAY, 'x', "", "y <= 2", 1},
                 {MODE_MUST, 'x', "", "y <= 0", 1}};
    struct fold_sample sample;
    struct open_edge open;
    struct fold fold = {0};
    fold_sample_open(&sample, &model, cases[_i].mode);
    struct context *context = &sample.abstraction.context;
    open_invariant_make(context, sample.network->model->templates[0], 1, &open);
    carry(&sample, &open, cases[_i].atom);
    struct folded_invariant folded = fold_invariant(context, &open, &fold);
    ck_assert_str_eq(fold_sample_expr(&sample, folded.evaluated), cases[_i].evaluated);
    ck_assert_str_eq(fold_sample_expr(&sample, folded.passed), cases[_i].passed);
    ck_assert_uint_eq(fold.inexact.count, cases[_i].reasons);
    fold_sample_close(&sample);
}
END_TEST

Suite *fold_suite(void) {
    Suite *suite = suite_create("fold");
    TCase *tests = tcase_create("folds");
    tcase_add_loop_test(tests, guards_and_classes_are_those_of_the_fold, 0, FOLD_COUNT(folds));
    tcase_add_loop_test(tests, what_is_passed_through_makes_classes_and_is_no_part_of_the_fold, 0,
                        FOLD_COUNT(passed));
    tcase_add_loop_test(tests, what_an_invariant_passes_is_folded_by_itself, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
