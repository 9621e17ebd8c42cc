/* The two folds (F3, F4): what becomes of the edges of a location for sets of joint
 * values of what is removed, and when both agree (X1). */
#include "fold_sample.h"

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

Suite *fold_suite(void) {
    Suite *suite = suite_create("fold");
    TCase *tests = tcase_create("folds");
    tcase_add_loop_test(tests, guards_and_classes_are_those_of_the_fold, 0, FOLD_COUNT(folds));
    suite_add_tcase(suite, tests);
    return suite;
}
