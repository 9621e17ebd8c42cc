#include "verify_sample.h"

#include "base/clock.h"
#include "explore/symbolic/order.h"

Suite *walk_suite(void);

/* What each group reads, writes (!) or both (+), by number of the slot; locations are L. */
static const char *footprints(const char *text) {
    static const char *const kinds[] = {"", "", "!", "+"};
    struct groups groups;
    options.search.is_full = true;
    run(text, SEMANTICS_UPPAAL);
    const struct program *program = verification.search->program;
    ck_assert_ptr_null(groups_init(&groups, &arena, program, 0, UINT32_MAX, NULL));
    const char *found = "";
    for (uint32_t g = 0; g < groups.items.count; g++) {
        const struct step_group *group = &groups.items.items[g];
        found = arena_printf(&arena, "%s%s", found, g ? ", " : "");
        for (uint32_t i = 0; i < group->field_count; i++) {
            bool is_slot = group->fields[i] < program->network->slot_count;
            found = arena_printf(&arena, is_slot ? "%s%s%u%s" : "%s%sL%.0u%s", found, i ? " " : "",
                                 is_slot ? group->fields[i] : 0, kinds[group->marks[i]]);
        }
    }
    return found;
}

/* i and x are slots 0 and 1, all change at some time; then a is 2 and 3. */
#define STEPS(declarations, steps)                                                                 \
    NTA("int[0,1] i, x, a[2]; void set(int k) { if (x > 0) a[k] = 1; }" declarations,              \
        TEMPLATE("P", "", "",                                                                      \
                 LOCATION("A") INIT("A") steps STEP("i = 1 - i") STEP("x = 1 - x")                 \
                     STEP("a[0] = 1") STEP("a[1] = 1")),                                           \
        "system P;", "")
#define OTHERS ", 0+, 1+, 2!, 3!"
#define STEP(update) EDGE("A", "A", UPDATE(update))

/* One group for each index, and each looks at one cell. */
START_TEST(an_index_is_split_by_its_variable) {
    ck_assert_str_eq(footprints(STEPS("", STEP("x = a[i]"))), "0 1! 2, 0 1! 3" OTHERS);
    ck_assert_str_eq(footprints(STEPS("", STEP("a[1 - i] = x"))), "0 1 3!, 0 1 2!" OTHERS);
}
END_TEST

/* A cell of the variable that was not there before, and one that depends on two variables. */
START_TEST(an_index_may_be_what_a_cell_holds) {
    ck_assert_str_eq(footprints(STEPS("", STEP("x = a[a[0]]"))), "1! 2, 1! 2 3" OTHERS);
    ck_assert_str_eq(footprints(STEPS("", STEP("a[(i + x) % 2] = 0"))), "0 1 2+ 3+" OTHERS);
}
END_TEST

/* What a step has written before it reads it is not read; what it may leave alone is. */
START_TEST(ways_through_a_step_differ) {
    ck_assert_str_eq(footprints(STEPS("", STEP("i = 0, x = a[i]"))), "0! 1! 2" OTHERS);
    ck_assert_str_eq(footprints(STEPS("", STEP("set(i)"))), "0 1 2+, 0 1 3+" OTHERS);
    ck_assert_str_eq(footprints(STEPS("", STEP("a[0] = x > 0 ? 1 : 0"))), "1 2!" OTHERS);
}
END_TEST

/* Receivers see what the sender has just written. */
START_TEST(receivers_follow_the_sender) {
    const char *text = NTA(
        "int[0,1] i, a[2], b[2]; broadcast chan c;",
        TEMPLATE("P", "", "int[0,1] j;",
                 LOCATION("A") INIT("A") EDGE("A", "A", SYNC("c!") UPDATE("i = j"))
                     EDGE("A", "A", UPDATE("j = 1 - j")))
            TEMPLATE("Q", "", "",
                     LOCATION("B") INIT("B") EDGE("B", "B", SYNC("c?") UPDATE("a[i] = 1 - b[i]"))
                         EDGE("B", "B", UPDATE("b[0] = 1")) EDGE("B", "B", UPDATE("b[1] = 1"))),
        "system P, Q;", "");
    ck_assert_str_eq(footprints(text), "5+, 3!, 4!, 0! 1+ 3 5, 0! 2+ 4 5");
}
END_TEST

/* The most fields of a group. */
static uint32_t most_fields(const char *text) {
    struct groups groups;
    uint32_t most = 0;
    options.search.max_states = 100;
    run(text, SEMANTICS_UPPAAL);
    ck_assert_ptr_null(
        groups_init(&groups, &arena, verification.search->program, 0, UINT32_MAX, NULL));
    for (uint32_t g = 0; g < groups.items.count; g++)
        if (groups.items.items[g].field_count > most) most = groups.items.items[g].field_count;
    return most;
}

/* The sender writes k and its location; each receiver looks at its location and two cells of its
 * own row, whatever the rest of the model needs. */
START_TEST(many_receivers_are_split) {
    const char *text = NTA(
        "const int N = 12; typedef int[0, N - 1] id_t; typedef int[0,7] k_t; k_t k;"
        "struct { int[0,1] a, b; } cells[N][8]; broadcast chan c;"
        "void flip(id_t i) { if (cells[i][k].a > 0) { cells[i][k].b = 1 - cells[i][k].b;"
        "if (cells[i][k].b > 0) cells[i][k].a = 0; } else if (cells[i][k].b == 0) "
        "cells[i][k].a = 1; }",
        TEMPLATE("P", "", "",
                 LOCATION("A") INIT("A") EDGE("A", "A", SYNC("c!"))
                     EDGE("A", "A", LABEL("select", "j : k_t") UPDATE("k = j")))
            TEMPLATE("Q", "const id_t i", "",
                     LOCATION("B") LOCATION("C") INIT("B")
                         EDGE("B", "C", SYNC("c?") UPDATE("flip(i)"))
                             EDGE("C", "B", SYNC("c?") UPDATE("flip(i)"))),
        "system P, Q;",
        QUERY(
            "A[] forall (i : id_t) forall (j : k_t) cells[i][j].a + cells[i][(j + 1) % 8].b < 3"));
    ck_assert_uint_le(most_fields(text), 3 * 12 + 2);
}
END_TEST

/* Groups 0 1 2, 0 1 3, and each field alone. */
START_TEST(depth_is_where_groups_begin) {
    struct groups groups;
    options.search.is_full = true;
    run(STEPS("", STEP("x = a[i]")), SEMANTICS_UPPAAL);
    const struct program *program = verification.search->program;
    const uint32_t forth[] = {0, 1, 2, 3}, back[] = {3, 2, 1, 0};
    ck_assert_ptr_null(groups_init(&groups, &arena, program, 0, UINT32_MAX, NULL));
    ck_assert_uint_eq(order_depth(&arena, forth, 4, 4, &groups), 0 + 0 + 0 + 1 + 2 + 3);
    ck_assert_uint_eq(order_depth(&arena, back, 4, 4, &groups), 1 + 0 + 3 + 2 + 1 + 0);
}
END_TEST

/* No groups past the deadline. */
START_TEST(groups_end_at_the_deadline) {
    struct groups groups;
    run(STEPS("", STEP("x = a[i]")), SEMANTICS_UPPAAL);
    const struct program *program = verification.search->program;
    ck_assert_ptr_null(groups_init(&groups, &arena, program, clock_seconds() - 1, 0, NULL));
    ck_assert(groups.is_late);
    ck_assert_uint_eq(groups.items.count, 0);
}
END_TEST

/* What is written is looked at by invariants of others. */
START_TEST(invariants_see_what_is_written) {
    const char *text = NTA("int[0,1] i, a[2];",
                           TEMPLATE("P", "", "",
                                    LOCATION("A") INIT("A") EDGE("A", "A", UPDATE("a[i] = 1"))
                                        EDGE("A", "A", UPDATE("a[i] = 0, i = 1 - i")))
                               TEMPLATE("Q", "", "", INVARIANT("B", "a[1] == 0") INIT("B")),
                           "system P, Q;", "");
    ck_assert_str_eq(footprints(text), "0 1!, 0 2+, 0+ 1!, 0+ 2+");
}
END_TEST

Suite *walk_suite(void) {
    Suite *suite = suite_create("walk");
    TCase *tests = tcase_create("walk");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, an_index_is_split_by_its_variable);
    tcase_add_test(tests, an_index_may_be_what_a_cell_holds);
    tcase_add_test(tests, ways_through_a_step_differ);
    tcase_add_test(tests, receivers_follow_the_sender);
    tcase_add_test(tests, many_receivers_are_split);
    tcase_add_test(tests, depth_is_where_groups_begin);
    tcase_add_test(tests, groups_end_at_the_deadline);
    tcase_add_test(tests, invariants_see_what_is_written);
    suite_add_tcase(suite, tests);
    return suite;
}
