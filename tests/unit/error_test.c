/* When evaluations do not fail: conditions by what is evaluated and what is known to hold. */
#include "abstract/edge/error.h"

#include "abstract/request/obstacle.h"
#include "fold_sample.h"
#include "lang/print/print.h"
#include "model_sample.h"

Suite *error_suite(void);

static struct sample sample;

static void setup(void) {
    sample_open(&sample,
                "const int N = 3; int x; int[0,5] z; int[0,2] w; bool b; int a[N]; int g[int[1,4]];"
                "bool f(int p) { return 10 / p > 1; } int l(int p) { return 10 / p; } int "
                "h(int[0,3] p) { return a[p]; }"
                "bool k() { bool s; for (i : int[0,2]) s = s || a[i] == 0; return s; }\n");
}
static void teardown(void) { sample_close(&sample); }

/* The guard is evaluated, where the invariant of the target is known to hold. */
static const struct {
    struct row model;
    const char *condition; /* "" = never fails, NULL = it cannot be said */
} conditions[] = {
    /* what cannot fail */
    {{GUARD("x + z > 3 && !b")}, ""},
    {{GUARD("a[2] == 0")}, ""},
    {{GUARD("a[w] == 0")}, ""},
    {{GUARD("g[w + 1] == 0")}, ""},
    {{GUARD("x / 2 == 1")}, ""},
    {{GUARD("x % (z + 1) == 1")}, ""},
    {{GUARD("x << w == 4")}, ""},
    {{GUARD("forall (i : int[0,2]) a[i] == 0")}, ""},
    {{GUARD("k()")}, ""},
    /* indices, divisors and shifts */
    {{GUARD("a[z] == 0")}, "z <= 2"},
    {{GUARD("a[x] == 0")}, "x >= 0 && x <= 2"},
    {{GUARD("g[z] == 0")}, "z >= 1 && z <= 4"},
    {{GUARD("x / z == 1")}, "z != 0"},
    {{GUARD("x % (z - 1) == 1")}, "z - 1 != 0"},
    {{GUARD("1 << x == 4")}, "x >= 0 && x <= 31"},
    {{GUARD("a[a[z]] == 0")}, "z <= 2 && a[z] >= 0 && a[z] <= 2"},
    {{GUARD("f(z)")}, "z != 0"},
    {{GUARD("h(w) == 1")}, ""},
    /* only where it is evaluated */
    {{GUARD("b && a[z] == 0")}, "!b || z <= 2"},
    {{GUARD("b || a[z] == 0")}, "b || z <= 2"},
    {{GUARD("b imply a[z] == 0")}, "!b || z <= 2"},
    {{GUARD("(b ? a[z] : g[z]) == 0")}, "b ? z <= 2 : z >= 1 && z <= 4"},
    /* what is known */
    {{GUARD("a[z] == 0"), INVARIANT("z <= 2")}, ""},
    {{GUARD("a[z] == 0"), INVARIANT("b && z < 3")}, ""},
    {{GUARD("a[z] == 0"), INVARIANT("z <= 3")}, "z <= 2"},
    {{GUARD("a[z] == 0"), INVARIANT("b || z <= 2")}, "z <= 2"},
    {{GUARD("x / z == 1"), INVARIANT("z > 0")}, ""},
    {{GUARD("a[x] == 0"), INVARIANT("x >= 0")}, "x <= 2"},
    /* what no condition says */
    {{GUARD("x ** z == 1")}, NULL},
    {{GUARD("forall (i : int[0,3]) a[i] == 0")}, NULL},
    {{GUARD("h(z) == 1")}, NULL},
    {{GUARD("l(z) == 1")}, NULL},
};

START_TEST(conditions_say_when_nothing_fails) {
    struct model *model = sample_check(&sample, conditions[_i].model.text);
    struct network *network = sample.diag.error_count ? NULL : network_new(&sample.arena, model);
    ck_assert(network);
    struct request request = {.arena = &sample.arena};
    struct function_plan functions = {0};
    struct context context;
    ck_assert(request_finish(&request, network, &sample.diag));
    ck_assert(function_plan_make(&functions, &sample.arena, network, &request, &sample.diag));
    context_init(&context, &sample.arena, network, &request, &functions, NULL, &sample.names,
                 &sample.diag);
    const struct template *template = model->templates[0];
    struct error_query query = {.where = where_guard(template, &template->edges[0]),
                                .fact = template->locations[1].written_invariant};
    struct buffer text = {0};
    const struct expr *condition =
        no_error_condition(&context, &query, template->edges[0].written_guard);
    if (condition) print_expr(&text, condition);
    ck_assert_msg(!query.why_not == !!conditions[_i].condition, "%s",
                  query.why_not ? query.why_not : "it was said");
    if (conditions[_i].condition)
        ck_assert_str_eq(text.data ? text.data : "", conditions[_i].condition);
    ck_assert_ptr_null(query.why_not_visible);
    buffer_close(&text);
    context_close(&context);
}
END_TEST

/* What goes is x and a, and with them the updates that say nothing else: where they do not fail. */
static const struct {
    struct fold_model model;
    const char *condition;
} dropped[] = {
#define XA "int[0,5] x, z; int[0,9] y, w; int a[3]; bool b;", "x,a"
#define WRITE(update)                                                                              \
    .edges = {{"AB", NULL, NULL, update},                                                          \
              {"BA", "i : int[0,9], k : int[0,5]", NULL, "y = i, w = i, z = k, b = !b"}}
    {{XA, WRITE("x = 5")}, ""},
    {{XA, WRITE("x = z")}, ""},
    {{XA, WRITE("x = y")}, "y <= 5"},
    {{XA, WRITE("x = y - 1")}, "y - 1 >= 0 && y - 1 <= 5"},
    {{XA, WRITE("x = b ? 0 : y")}, "b || y <= 5"},
    {{XA, WRITE("a[z] = 1")}, "z <= 2"},
    /* in the source state, before anything else is written */
    {{XA, WRITE("x = y, y = 0")}, "y <= 5"},
    {{XA, WRITE("y = 0, x = y")}, ""},
    {{XA, WRITE("y = w, x = y")}, "w <= 5"},
    {{XA, WRITE("x = y, x = w")}, "y <= 5 && w <= 5"},
};

START_TEST(what_goes_leaves_its_conditions) {
    struct fold_sample fold;
    struct open_edge open;
    fold_sample_open(&fold, &dropped[_i].model, MODE_MAY);
    ck_assert(
        open_edge_make(&fold.abstraction.context, fold.network->model->templates[0], 0, &open));
    ck_assert_str_eq(fold_sample_expr(&fold, open.condition), dropped[_i].condition);
    ck_assert_uint_eq(open.inexact.count, 0);
    fold_sample_close(&fold);
}
END_TEST

Suite *error_suite(void) {
    Suite *suite = suite_create("error");
    TCase *tests = tcase_create("error");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, conditions_say_when_nothing_fails, 0, COUNT(conditions));
    suite_add_tcase(suite, tests);
    TCase *updates = tcase_create("dropped updates");
    tcase_add_loop_test(updates, what_goes_leaves_its_conditions, 0, COUNT(dropped));
    suite_add_tcase(suite, updates);
    return suite;
}
