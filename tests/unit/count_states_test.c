/* How many states are seen without what is removed. */
#include "abstract/must/count_states.h"

#include "model_sample.h"

Suite *count_states_suite(void);

static struct sample sample;

static void setup(void) { sample_open(&sample, NULL); }
static void teardown(void) { sample_close(&sample); }

static const struct {
    struct row model;
    const char *removed; /* a global variable */
    uint64_t states;
} counts[] = {
    {{GLOBAL("int x, y;"), SELECT("i : int[0,4]"), UPDATE("x = i, y = i / 2")}, "none", 6},
    {{GLOBAL("int x, y;"), SELECT("i : int[0,4]"), UPDATE("x = i, y = i / 2")}, "x", 4},
    {{GLOBAL("int x, y;"), SELECT("i : int[0,4]"), UPDATE("x = i, y = i / 2")}, "y", 6},
    {{GLOBAL("int x;"), SELECT("i : int[0,30000]"), UPDATE("x = i")}, "none", COUNT_MAX_STATES},
    {{GLOBAL("int x;"), SELECT("i : int[0,30000]"), UPDATE("x = i")}, "x", 2},
    {{GLOBAL("int x;"), GUARD("false"), UPDATE("x = 1")}, "none", 1},
};

START_TEST(states_differ_in_what_is_left) {
    struct model *model = sample_check(&sample, counts[_i].model.text);
    struct network *network = network_new(&sample.arena, model);
    ck_assert(network);
    bool *is_removed = ARENA_ARRAY(&sample.arena, bool, network->slot_count + 1);
    for (uint32_t s = 0; s < network->slot_count; s++)
        is_removed[s] = !strcmp(network->slots[s].symbol->name, counts[_i].removed);
    ck_assert_uint_eq(count_visible_states(network, is_removed), counts[_i].states);
}
END_TEST

Suite *count_states_suite(void) {
    Suite *suite = suite_create("count_states");
    TCase *tests = tcase_create("count_states");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, states_differ_in_what_is_left, 0, sizeof counts / sizeof *counts);
    suite_add_tcase(suite, tests);
    return suite;
}
