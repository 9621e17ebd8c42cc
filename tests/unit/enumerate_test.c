/* How far an enumerator goes: all that is within the budget, little of what is far beyond. */
#include "values/enumerate.h"

#include <check.h>

Suite *enumerate_suite(void);

enum { CELLS = 12, BUDGET = 20000, MANY = 9 };

static struct arena arena;
static struct environment environment;
static struct enumerator enumerator;
static struct value_set sets[CELLS];

static struct cell_domain domain(void *context, uint32_t address) {
    (void)context;
    return (struct cell_domain){.set = &sets[address]};
}

/* All cells have values from 0 to most. */
static void begin(int32_t most) {
    arena_init(&arena);
    environment = (struct environment){.arena = &arena};
    eval_push(&environment, CELLS);
    enumerator_init(&enumerator, &arena, &environment, CELLS, BUDGET);
    enumerator.domain = domain;
    for (uint32_t i = 0; i < CELLS; i++) sets[i] = value_set_range(0, most);
    enumerator_start(&enumerator);
}

static void end(void) {
    eval_close(&environment);
    arena_close(&arena);
}

static int32_t cell(uint32_t address) { return environment.read(environment.context, address); }

static void read_all(void) {
    for (uint32_t i = 0; i < CELLS; i++) cell(i);
}

static void read_while_zero(void) {
    for (uint32_t i = 0; i < CELLS; i++)
        if (cell(i)) return;
}

/* One value in a hundred leads deep, the others nowhere. */
static void read_if_zero(void) {
    if (cell(0)) return;
    for (uint32_t i = 1; i < 9; i++) cell(i);
}

static uint64_t runs_of(void (*evaluate)(void)) {
    uint64_t runs = 0;
    do {
        evaluate();
        runs++;
    } while (enumerator_next(&enumerator));
    return runs;
}

START_TEST(far_beyond_the_budget_ends_early) {
    begin(MANY);
    ck_assert_uint_lt(runs_of(read_all), 100);
    ck_assert(enumerator_failed(&enumerator));
    end();
}
END_TEST

START_TEST(just_beyond_the_budget_takes_all_of_it) {
    begin(1);
    sets[0] = value_set_range(0, MANY);
    ck_assert_uint_eq(runs_of(read_all), BUDGET); /* of 10 times 2048 */
    ck_assert(enumerator_failed(&enumerator));
    end();
}
END_TEST

START_TEST(some_budgets_beyond_ends_soon) {
    begin(1);
    sets[0] = value_set_range(0, 5 * MANY);
    ck_assert_uint_lt(runs_of(read_all), BUDGET / 2);
    ck_assert(enumerator_failed(&enumerator));
    end();
}
END_TEST

START_TEST(short_circuits_are_gone_through) {
    begin(MANY);
    ck_assert_uint_eq(runs_of(read_while_zero), CELLS * MANY + 1);
    ck_assert(!enumerator_failed(&enumerator));
    end();
}
END_TEST

START_TEST(one_deep_value_is_gone_through) {
    begin(1);
    sets[0] = value_set_range(0, 99);
    ck_assert_uint_eq(runs_of(read_if_zero), 99 + 256);
    ck_assert(!enumerator_failed(&enumerator));
    end();
}
END_TEST

Suite *enumerate_suite(void) {
    Suite *suite = suite_create("enumerate");
    TCase *cases = tcase_create("enumerate");
    tcase_add_test(cases, far_beyond_the_budget_ends_early);
    tcase_add_test(cases, just_beyond_the_budget_takes_all_of_it);
    tcase_add_test(cases, some_budgets_beyond_ends_soon);
    tcase_add_test(cases, short_circuits_are_gone_through);
    tcase_add_test(cases, one_deep_value_is_gone_through);
    suite_add_tcase(suite, cases);
    return suite;
}
