/* Runs side by side leave what runs one by one leave: sets and how they grew, facts, and how much of
 * the budget is spent. */
#include "approx_sample.h"
#include "wide_sample.h"

#include <check.h>

Suite *approx_sweep_suite(void);

/* One model more, in which the order matters of two writes into one variable. */
enum { MODELS = 400, WRITES_TWICE = 4070 };

static void check_sets(const struct value_set *swept, const struct value_set *alone) {
    ck_assert(value_set_equal(swept, alone));
    ck_assert_int_eq(swept->is_interval, alone->is_interval);
    ck_assert_uint_eq(swept->widenings, alone->widenings);
}

static void check_facts(const struct edge *edge, const struct edge_fact *swept,
                        const struct edge_fact *alone) {
    ck_assert_int_eq(swept->is_reached, alone->is_reached);
    ck_assert_int_eq(swept->is_incomplete, alone->is_incomplete);
    ck_assert_int_eq(swept->guard_faults, alone->guard_faults);
    for (uint32_t i = 0; i < edge->updates.count; i++)
        ck_assert_int_eq(swept->item_faults[i], alone->item_faults[i]);
}

static void check_alike(const struct analysis *swept, const struct analysis *alone) {
    const struct network *network = swept->network;
    ck_assert_uint_eq(swept->evaluation_count, alone->evaluation_count);
    ck_assert_uint_eq(swept->wasted_count, alone->wasted_count);
    ck_assert_uint_eq(swept->notes.count, alone->notes.count);
    for (uint32_t i = 0; i < network->slot_count; i++)
        check_sets(&swept->shared[i], &alone->shared[i]);
    const struct process_domain *one = &swept->processes[0], *other = &alone->processes[0];
    ck_assert_uint_eq(one->group_count, other->group_count);
    for (uint32_t l = 0; l < WIDE_LOCATIONS; l++) {
        ck_assert_int_eq(one->locations[l].is_reached, other->locations[l].is_reached);
        for (uint32_t g = 0; g < one->group_count; g++) {
            ck_assert_uint_eq(one->groups[g].dimension, other->groups[g].dimension);
            if (one->groups[g].dimension == 1)
                check_sets(&one->locations[l].groups[g].set, &other->locations[l].groups[g].set);
            else
                ck_assert_uint_eq(one->locations[l].groups[g].tuples->count,
                                  other->locations[l].groups[g].tuples->count);
        }
    }
    const struct template *template = network->model->templates[0];
    for (uint32_t i = 0; i < template->edge_count; i++)
        check_facts(&template->edges[i], &swept->edges[0][i], &alone->edges[0][i]);
}

static void check_model(int number) {
    static const uint64_t budgets[] = {150, 2000, 20000};
    struct sample sample;
    struct buffer text = {0};
    wide_write(&text, number);
    sample_open(&sample, text.data);
    bool *is_removed = ARENA_ARRAY(&sample.arena, bool, sample.network->slot_count + 1);
    is_removed[wide_pick((int)sample.network->slot_count)] = true;
    if (!wide_pick(4)) is_removed[wide_pick((int)sample.network->slot_count)] = true;
    struct analysis_options options = {.budget = budgets[number % 3], .stays_modular = true};
    const struct analysis *swept =
        analyse(&sample.arena, sample.network, is_removed, &options, &sample.diag);
    options.sweeps_nothing = true;
    const struct analysis *alone =
        analyse(&sample.arena, sample.network, is_removed, &options, &sample.diag);
    check_alike(swept, alone);
    sample_close(&sample);
    buffer_close(&text);
}

START_TEST(all_is_left_that_runs_one_by_one_leave) {
    for (int i = 0; i < MODELS; i++) check_model(i);
    check_model(WRITES_TWICE);
}
END_TEST

Suite *approx_sweep_suite(void) {
    Suite *suite = suite_create("approx_sweep");
    TCase *tests = tcase_create("sweeps");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, all_is_left_that_runs_one_by_one_leave);
    suite_add_tcase(suite, tests);
    return suite;
}
