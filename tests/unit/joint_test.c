/* Joint values: the tuples of what an open edge reads of removed variables, each of them once. */
#include "fold_sample.h"

#include "abstract/fold/joint.h"

#include <stdlib.h>

Suite *joint_suite(void);

enum { LIMIT = 1000 };

/* Of the edge from B to C: all tuples, sorted, each in parentheses; places are in the order in
 * which the guard reads them. */
static const struct {
    struct fold_model model;
    const char *tuples;
} rows[] = {
#define XY "int[0,2] x, y; int[0,9] z; int[0,1] w;", "x,y"
#define READ(guard)                                                                                \
    { "BC", NULL, guard }
    {{XY, .edges = {{"AB", NULL, NULL, "x = 1"}, READ("z > 0")}}, "()"},
    {{XY, .edges = {{"AB", NULL, NULL, "x = 1"}, READ("x > 0")}}, "(1)"},
    {{XY, .edges = {{"AB", "i : int[0,2]", NULL, "x = i"}, READ("x > 0")}}, "(0)(1)(2)"},
    {{XY, .edges = {{"AB", "i : int[0,2]", "i != 1", "x = i"}, READ("x > 0")}}, "(0)(2)"},
    /* a place that is read twice counts once */
    {{XY, .edges = {{"AB", "i : int[0,1]", NULL, "x = i"}, READ("x > 0 && x < z")}}, "(0)(1)"},
    /* two variables, independent and related */
    {{XY,
      .edges = {{"AB", "i : int[0,1], k : int[0,1]", NULL, "x = i, y = k"}, READ("x + y == z")}},
     "(0,0)(0,1)(1,0)(1,1)"},
    {{XY, .edges = {{"AB", "i : int[0,2]", NULL, "x = i, y = i"}, READ("x + y == z")}},
     "(0,0)(1,1)(2,2)"},
    {{XY, .edges = {{"AB", "i : int[0,2]", NULL, "x = i, y = 2 - i"}, READ("y + x == z")}},
     "(0,2)(1,1)(2,0)"},
    /* no run gets there */
    {{XY, .edges = {{"AC", NULL, NULL, "x = 1"}, READ("x > 0")}}, ""},
/* an access has the values of all cells that it may be */
#define A3 "int[0,5] a[3] = {0, 0, 5}; int[0,2] z;", "a"
    {{A3, .edges = {{"AB", "i : int[0,1]", NULL, "a[0] = i"}, READ("a[1] == z")}}, "(0)"},
    {{A3, .edges = {{"AB", "i : int[0,1]", NULL, "a[0] = i"}, READ("a[0] + a[2] == z")}},
     "(0,5)(1,5)"},
};

static int compare_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The tuples of a run that was begun, which has to have as many as it said. */
static const char *tuples_of(struct fold_sample *sample, struct joint_values *joint,
                             uint64_t count) {
    const char *texts[LIMIT];
    uint64_t found = 0;
    struct buffer text = {0};
    do {
        ck_assert_uint_lt(found, count);
        text.size = 0;
        buffer_add_text(&text, "(");
        for (uint32_t i = 0; i < joint->list.count; i++)
            buffer_printf(&text, "%s%d", i ? "," : "", joint->values[i]);
        buffer_add_text(&text, ")");
        texts[found++] = buffer_take(&text, &sample->arena);
    } while (joint_next(joint));
    ck_assert_uint_eq(found, count);
    qsort(texts, found, sizeof *texts, compare_texts);
    text.size = 0;
    for (uint64_t i = 0; i < found; i++) {
        ck_assert_msg(!i || strcmp(texts[i - 1], texts[i]) != 0, "twice: %s", texts[i]);
        buffer_add_text(&text, texts[i]);
    }
    const char *all = buffer_take(&text, &sample->arena);
    buffer_close(&text);
    return all;
}

/* The edge from B to C. */
static void open(struct fold_sample *sample, const struct fold_model *model,
                 struct open_edge *edge) {
    fold_sample_open(sample, model, MODE_MAY);
    ck_assert(open_edge_make(&sample->abstraction.context, sample->network->model->templates[0], 1,
                             edge));
}

START_TEST(each_tuple_comes_once) {
    struct fold_sample sample;
    struct open_edge edge;
    open(&sample, &rows[_i].model, &edge);
    struct joint_values joint = {.arena = &sample.arena};
    joint_add(&joint, &edge);
    uint64_t count = joint_start(&joint, &sample.abstraction.context, &edge, LIMIT);
    ck_assert(joint.is_empty == !count);
    ck_assert(!count == !*rows[_i].tuples);
    if (count) {
        ck_assert_str_eq(tuples_of(&sample, &joint, count), rows[_i].tuples);
        joint_restart(&joint);
        ck_assert_str_eq(tuples_of(&sample, &joint, count), rows[_i].tuples);
    }
    fold_sample_close(&sample);
}
END_TEST

START_TEST(more_than_the_limit_is_said) {
    struct fold_sample sample;
    struct open_edge edge;
    open(&sample, &rows[_i].model, &edge);
    struct context *context = &sample.abstraction.context;
    struct joint_values all = {.arena = &sample.arena}, fewer = all, as_many = all;
    joint_add(&all, &edge);
    joint_add(&fewer, &edge);
    joint_add(&as_many, &edge);
    uint64_t count = joint_start(&all, context, &edge, LIMIT);
    ck_assert_uint_eq(joint_start(&as_many, context, &edge, count), count);
    if (count > 1) ck_assert(joint_start(&fewer, context, &edge, count - 1) == UINT64_MAX);
    fold_sample_close(&sample);
}
END_TEST

/* What has been chosen for a select is in no tuple any more. */
START_TEST(choices_keep_to_the_limit) {
    struct fold_sample sample;
    struct open_edge edge;
    open(&sample, &rows[_i].model, &edge);
    struct context *context = &sample.abstraction.context;
    open_edge_choose(context, &edge, 3);
    struct joint_values joint = {.arena = &sample.arena};
    joint_add(&joint, &edge);
    ck_assert_uint_le(joint_start(&joint, context, &edge, 3), 3);
    for (uint32_t i = 0; i < edge.unknowns.count; i++)
        ck_assert(edge.unknowns.items[i]->is_chosen ==
                  (joint_find(&joint, edge.unknowns.items[i]) == NO_SLOT));
    fold_sample_close(&sample);
}
END_TEST

Suite *joint_suite(void) {
    Suite *suite = suite_create("joint");
    TCase *tests = tcase_create("tuples");
    tcase_add_loop_test(tests, each_tuple_comes_once, 0, FOLD_COUNT(rows));
    tcase_add_loop_test(tests, more_than_the_limit_is_said, 0, FOLD_COUNT(rows));
    tcase_add_loop_test(tests, choices_keep_to_the_limit, 0, FOLD_COUNT(rows));
    suite_add_tcase(suite, tests);
    return suite;
}
