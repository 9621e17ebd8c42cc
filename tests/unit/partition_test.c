/* What a fold says of joint values, for some tuple and for every one, on their sides. */
#include "abstract/fold/partition.h"

#include "abstract/edge/open.h"
#include "abstract/fold/model.h"
#include "abstract/fold/residual.h"
#include "abstract/prepare/ghost.h"
#include "abstract/request/obstacle.h"
#include "lang/print/print.h"
#include "model_sample.h"

Suite *partition_suite(void);

static struct sample sample;

/* m, n and a are removed; m and n have all their values, a[0] and a[1] the values 0 and 1, and
 * a[2] has the values 1 and 2. */
static void setup(void) {
    sample_open(&sample, "int[0,3] m; int[0,1] n; int[0,2] a[3] = {0, 0, 1};\n"
                         "int[0,9] x; int[0,2] i; int[0,4] far; bool b;\n");
}
static void teardown(void) { sample_close(&sample); }

static const char writes[] =
    ", m = k, n = l, a[0] = l, a[1] = l, a[2] = l + 1, i = k % 3, far = k + l";

/* What the update reads is said of each tuple. */
static const struct {
    const char *read;
    const char *merged; /* "TYPE = VALUE" of a ghost v, or NULL */
    const char *may, *must, *differing;
    bool is_same;
} cases[] = {
    /* all tuples are one block */
    {"x > 0", NULL, "x > 0", "x > 0", "false", true},
    {"m > 1", NULL, "", "false", "", false},
    {"m < 4", NULL, "", "", "false", true},
    {"x > m", NULL, "x > 0", "x > 0 && x > 1 && x > 2 && x > 3", "x > 0", false},
    {"m > 1 || x > 0", NULL, "", "x > 0", "", false},
    /* accesses: blocks by the class of the index */
    {"a[i] > 0", NULL, "", "i == 2", "i != 2", false},
    {"a[i] < 2", NULL, "", "i != 2", "i == 2", false},
    {"a[i] >= 0 && x > 0", NULL, "x > 0", "x > 0", "false", true},
    {"a[i] > 1 || x > 0", NULL, "x > 0 || i == 2", "x > 0", "i == 2", false},
    {"far < 3 && a[far] > 0", NULL, "far <= 2 && far < 3", "far == 2 && far < 3",
     "far < 2 && far < 3", false},
    {"a[m % 3] > 0", NULL, "", "false", "", false},
    /* ghosts: blocks by their value */
    {"m > 1", "bool = m > 1", "v", "v", "false", true},
    {"m > 1", "int[0,1] = m % 2", "", "false", "", false},
    {"m + n > 1", "int[0,3] = m", "v > 1 || v + 1 > 1", "v > 1 && v + 1 > 1", "v > 1 || v + 1 > 1",
     false},
    {"x == m", "bool = m > 0", "!v && x == 0 || v && (x == 1 || x == 2 || x == 3)", "!v && x == 0",
     "v && (x == 1 || x == 2 || x == 3)", false},
    {"m == n && x > 0 || m == 3", "int[0,1] = m / 2", "x > 0 || v == 1", "false", "x > 0 || v == 1",
     false},
    /* both */
    {"a[i] > m", "int[0,3] = m", "i != 2 && v < 1 || i == 2 && v < 2", "i == 2 && v < 1 && v < 2",
     "i != 2 && v < 1 || i == 2 && v < 2", false},
};

static const char *text_of(const struct expr *expr) {
    struct buffer out = {0};
    if (expr) print_expr(&out, expr);
    const char *text = arena_printf(&sample.arena, "%s", out.data ? out.data : "");
    buffer_close(&out);
    return text;
}

static struct ghost_definition definition_of(const char *merged) {
    const char *type_end = strstr(merged, " = ");
    return (struct ghost_definition){.name = {.content = str_of("v")},
                                     .type = {.content = {merged, (size_t)(type_end - merged)}},
                                     .value = {.content = str_of(type_end + 3)}};
}

START_TEST(blocks_are_joined_on_their_sides) {
    const char *texts[PART_COUNT] = {
        [PART_SELECT] = "k : int[0,3], l : int[0,1]",
        [PART_UPDATE] = arena_printf(&sample.arena, "b = %s%s", cases[_i].read, writes),
        [PART_SYSTEM] = "Q = P(); R = P(); system Q, R;"};
    struct model *model = sample_check(&sample, texts);
    struct network *network = sample.diag.error_count ? NULL : network_new(&sample.arena, model);
    struct request request = {.arena = &sample.arena};
    struct ghost_list ghosts = {0};
    struct ghost_definition definition; /* borrowed by its ghost */
    ck_assert(network);
    if (cases[_i].merged) {
        definition = definition_of(cases[_i].merged);
        ck_assert(ghosts_add(&ghosts, model, network, &definition, 1));
        network = network_new(&sample.arena, model);
    }
    ck_assert(request_add(&request, network, "m,n,a", &sample.diag));
    if (cases[_i].merged)
        ck_assert(request_add_ghost(&request, network, ghosts.list.items[0], &sample.diag));
    ck_assert(request_finish(&request, network, &sample.diag));
    struct abstraction abstraction;
    struct abstract_options options = {.analysis = {.budget = ANALYSIS_DEFAULT_BUDGET}};
    ck_assert(
        abstraction_open(&abstraction, &sample.arena, network, &request, &options, &sample.diag));
    struct open_edge open;
    ck_assert(open_edge_make(&abstraction.context, model->templates[0], 0, &open));
    struct partition partition;
    partition_init(&partition, &abstraction.context, &sample.arena);
    partition_include(&partition, &open);
    uint64_t count = joint_start(&partition.joint, &abstraction.context, &open, FOLD_MAX_JOINT),
             said = 0;
    ck_assert(count && count <= FOLD_MAX_JOINT);
    partition_begin(&partition);
    do {
        partition_say(&partition, joint_substitute(&partition.joint, &open, &sample.arena,
                                                   open.items.items[0].expr->child[1]));
        said++;
    } while (joint_next(&partition.joint));
    ck_assert_uint_eq(said, count);
    ck_assert_str_eq(text_of(partition_may(&partition)), cases[_i].may);
    ck_assert_str_eq(text_of(partition_must(&partition)), cases[_i].must);
    ck_assert_str_eq(text_of(partition_differing(&partition)), cases[_i].differing);
    ck_assert(partition.is_same == cases[_i].is_same);
    abstraction_close(&abstraction);
}
END_TEST

Suite *partition_suite(void) {
    Suite *suite = suite_create("partition");
    TCase *tests = tcase_create("partition");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, blocks_are_joined_on_their_sides, 0, COUNT(cases));
    suite_add_tcase(suite, tests);
    return suite;
}
