/* What update items past the budget may write: intervals (rule A5). */
#include "values/interval.h"

#include "approx_sample.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

Suite *approx_interval_suite(void);

static struct sample sample;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

/* Arithmetic */

struct operation {
    enum op op;
    struct interval left, right, result;
    bool is_known;
};

static const struct operation operations[] = {
    {OP_ADD, {1, 2}, {-5, 3}, {-4, 5}, true},
    {OP_SUB, {1, 2}, {-5, 3}, {-2, 7}, true},
    {OP_MUL, {-2, 3}, {-5, 4}, {-15, 12}, true},
    {OP_DIV, {-7, 9}, {2, 3}, {-3, 4}, true},
    {OP_DIV, {-7, 9}, {-1, 2}, {-9, 9}, true},
    {OP_DIV, {1, 1}, {0, 0}, {0, 0}, false},
    {OP_DIV, {INT32_MIN, 0}, {-1, -1}, {0, -(int64_t)INT32_MIN}, true},
    {OP_MOD, {0, 100}, {7, 7}, {0, 6}, true},
    {OP_MOD, {-3, 100}, {-7, 4}, {-3, 6}, true},
    {OP_MOD, {5, 5}, {0, 0}, {0, 0}, false},
    {OP_MIN, {0, 9}, {4, 6}, {0, 6}, true},
    {OP_MAX, {0, 9}, {4, 6}, {4, 9}, true},
    {OP_SHL, {0, 1}, {0, 1}, {0, 0}, false},
};

START_TEST(a5_operators) {
    const struct operation *operation = &operations[_i];
    struct interval result;
    bool is_known = interval_operate(operation->op, operation->left, operation->right, &result);
    ck_assert_int_eq(is_known, operation->is_known);
    if (!is_known) return;
    ck_assert_int_eq(result.lower, operation->result.lower);
    ck_assert_int_eq(result.upper, operation->result.upper);
}
END_TEST

static const enum op every_op[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_MIN, OP_MAX};

static int apply(enum op op, int left, int right) {
    switch (op) {
    case OP_ADD: return left + right;
    case OP_SUB: return left - right;
    case OP_MUL: return left * right;
    case OP_DIV: return left / right;
    case OP_MOD: return left % right;
    case OP_MIN: return left < right ? left : right;
    default: return left > right ? left : right;
    }
}

/* Every value is inside; but for remainders, both ends are values. */
static void check_operator(enum op op, struct interval left, struct interval right) {
    struct interval result, exact = {INT64_MAX, INT64_MIN};
    bool is_known = interval_operate(op, left, right, &result);
    for (int64_t a = left.lower; a <= left.upper; a++)
        for (int64_t b = right.lower; b <= right.upper; b++) {
            if (!b && (op == OP_DIV || op == OP_MOD)) continue;
            int64_t value = apply(op, (int)a, (int)b);
            exact = interval_unite(exact, (struct interval){value, value});
        }
    ck_assert_int_eq(is_known, exact.lower <= exact.upper);
    if (!is_known) return;
    ck_assert_int_le(result.lower, exact.lower);
    ck_assert_int_ge(result.upper, exact.upper);
    if (op == OP_MOD) return;
    ck_assert_int_eq(result.lower, exact.lower);
    ck_assert_int_eq(result.upper, exact.upper);
}

START_TEST(a5_operators_cover_all_values) {
    enum { END = 4 };
    for (int a = -END; a <= END; a++)
        for (int b = a; b <= END; b++)
            for (int c = -END; c <= END; c++)
                for (int d = c; d <= END; d++)
                    check_operator(every_op[_i], (struct interval){a, b}, (struct interval){c, d});
}
END_TEST

/* Updates. A budget of 10 does not allow 100 selections. */

struct update {
    const char *text;
    int32_t lower, upper; /* of m at b, where 0, as before, is always possible */
    uint32_t count;
};

static const struct update updates[] = {
    {"m = 2 * i", 0, 198, 199},
    {"m = -i", -99, 0, 100},
    {"m = i - 20", -20, 79, 100},
    {"m = i % 40", 0, 39, 40},
    {"m = (2 * i) / 3", 0, 66, 67},
    {"m = i &lt;? 50", 0, 50, 51},
    {"m = (i &gt;? 90) - 90", 0, 9, 10},
    {"m = i &lt; 7", 0, 1, 2},
    {"m = i &lt; 7 ? 3 : k", 0, 5, 4}, /* k is 3 or 5 */
    {"m = k + i / 100", 0, 5, 4},
    {"m = i * c", 0, 693, 694},            /* a constant */
    {"m = list[i / 10]", 0, 9, 9},         /* constants */
    {"m = list[i]", 0, 9, 9},              /* other indices are errors */
    {"m = 10 * i", 0, 700, 701},           /* what the range leaves of 0 to 990 */
    {"m = i + 700", 0, 700, 2},            /* the same */
    {"m = i + 701", 0, 0, 1},              /* the same */
    {"m = i * 30000000", -700, 700, 1401}, /* may wrap */
    {"m = twice(i)", -700, 700, 1401},
    {"m = i + (k = 4)", -700, 700, 1401},
    {"m = i &lt;&lt; 1", -700, 700, 1401},
    {"m = sum(j : int[0,1]) i", -700, 700, 1401},
    {"m = (exists(j : int[0,1]) i == j) ? 1 : 2", 0, 2, 3},
    {"m += i", 0, 99, 100},
    {"m -= 2 * i", -198, 0, 199},
    {"k = i % 3, m = k", 0, 9, 10}, /* the range of k, which an item before wrote */
    {"g = i % 3, m = g", 0, 2, 3},  /* M of a shared variable */
    {"f = i, m = f ? 1 : 2", 0, 2, 3},
};

START_TEST(a5_values_of_updates) {
    char text[2000];
    snprintf(text, sizeof text,
             MODEL("const int c = 7; const int list[10] = {4,2,3,9,5,6,7,8,4,3}; int[0,100] g;"
                   "int twice(int n) { return 2 * n; }",
                   TEMPLATE("P", "", "int[-700,700] m; int[0,9] k = 5; bool f;",
                            LOCATION("z") LOCATION("a") LOCATION("b") INIT("z") EDGE("z", "a", "")
                                EDGE("z", "a", UPDATE("k = 3"))
                                    EDGE("a", "b", SELECT("i : int[0,99]") UPDATE("%s"))),
                   "system P;"),
             updates[_i].text);
    sample_open(&sample, text);
    sample_analyse(&sample, "m", APPROX_TEMPLATE, 10);
    ck_assert(sample_fact(&sample, "P", 2)->is_incomplete);
    const struct template *template = sample_template(&sample, "P");
    const struct value_set *m =
        analysis_values(sample.analysis, template, sample_location(template, "b"),
                        sample_symbol(&sample, template, "m"), 0, false);
    ck_assert_int_eq(m->lower, updates[_i].lower);
    ck_assert_int_eq(m->upper, updates[_i].upper);
    ck_assert_uint_eq(value_set_size(m), updates[_i].count);
}
END_TEST

START_TEST(a5_targets_in_arrays_and_structs) {
    sample_open(&sample,
                MODEL("",
                      TEMPLATE("P", "", "int[0,99] x[4], y[4]; struct { int[0,99] u, v; } s[3], t;",
                               LOCATION("a") LOCATION("b") INIT("a")
                                   EDGE("a", "b",
                                        SELECT("i : int[0,3], k : int[0,9]")
                                            UPDATE("x[i % 2 + 1] = k, y[3] = k + 1, s[i].v = k,"
                                                   "t.u += 2, t = s[0]"))),
                      "system P;"));
    sample_analyse(&sample, "x y s t", APPROX_TEMPLATE, 10);
    const char *digits = "{0,1,2,3,4,5,6,7,8,9}";
    check_values(&sample, "P.b", "x[0]", "{0}");
    check_values(&sample, "P.b", "x[1]", digits);
    check_values(&sample, "P.b", "x[2]", digits);
    check_values(&sample, "P.b", "x[3]", "{0}");
    check_values(&sample, "P.b", "y[2]", "{0}");
    check_values(&sample, "P.b", "y[3]", "{0,1,2,3,4,5,6,7,8,9,10}");
    check_values(&sample, "P.b", "s[0]", "{0}"); /* cells count: u and v in turn */
    check_values(&sample, "P.b", "s[1]", digits);
    check_values(&sample, "P.b", "s[4]", "{0}");
    check_values(&sample, "P.b", "s[5]", digits);
    ck_assert_str_eq(sample_values(&sample, "P.b", "t[0]"), sample_values(&sample, "P.b", "t[1]"));
}
END_TEST

START_TEST(a5_counters_past_the_budget_are_widened) {
    sample_open(&sample, MODEL("int[0,2000000000] g;",
                               TEMPLATE("P", "", "int[-5,2000000000] n; int[-5,5] d;",
                                        LOCATION("a") INIT("a")
                                            EDGE("a", "a",
                                                 SELECT("i : int[0,99]") GUARD("i != 200")
                                                     UPDATE("n++, g = g + i, d--"))),
                               "system P;"));
    sample_analyse(&sample, "n g d", APPROX_TEMPLATE, 10);
    check_values(&sample, "P.a", "n", "0..2000000000");
    check_values(&sample, "P.a", "d", "{-5,-4,-3,-2,-1,0}");
    ck_assert_str_eq(sample_shared(&sample, "g"), "0..2000000000");
    ck_assert_uint_lt(sample.analysis->evaluation_count, 100000);
}
END_TEST

/* Rule A2: a receiver may find what the sender wrote. */
START_TEST(a5_receivers_read_shared_slots_from_m) {
    sample_open(
        &sample,
        MODEL("chan c; int[0,500] v;",
              TEMPLATE("S", "", "",
                       LOCATION("a") LOCATION("b") INIT("a")
                           EDGE("a", "b", SELECT("i : int[0,99]") SYNC("c!") UPDATE("v = i + 100")))
                  TEMPLATE("R", "", "int[0,500] x;",
                           LOCATION("a") LOCATION("b") INIT("a")
                               EDGE("a", "b",
                                    SELECT("i : int[0,99]") GUARD("v == 0") SYNC("c?")
                                        UPDATE("x = v + i, v = 0"))),
              "system R, S;"));
    sample_analyse(&sample, "x", APPROX_TEMPLATE, 10);
    ck_assert_str_eq(sample_shared(&sample, "v"), "0..199");
    check_values(&sample, "R.b", "x", "0..298");
    sample_analyse(&sample, "x", APPROX_COMBINED, 10);
    check_values(&sample, "R.b", "x", "0..298");
}
END_TEST

Suite *approx_interval_suite(void) {
    Suite *suite = suite_create("approx_interval");
    TCase *cases = tcase_create("cases");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, a5_operators, 0, sizeof operations / sizeof *operations);
    tcase_add_loop_test(cases, a5_operators_cover_all_values, 0,
                        sizeof every_op / sizeof *every_op);
    tcase_add_loop_test(cases, a5_values_of_updates, 0, sizeof updates / sizeof *updates);
    tcase_add_test(cases, a5_targets_in_arrays_and_structs);
    tcase_add_test(cases, a5_counters_past_the_budget_are_widened);
    tcase_add_test(cases, a5_receivers_read_shared_slots_from_m);
    suite_add_tcase(suite, cases);
    return suite;
}
