/* Runs side by side leave what runs one by one leave: sets and how they grew, facts, and how much of
 * the budget is spent. */
#include "approx_sample.h"

#include <check.h>

Suite *approx_sweep_suite(void);

/* One model more, in which the order matters of two writes into one variable. */
enum { MODELS = 400, WRITES_TWICE = 4070 };
enum { LOCATIONS = 4, VARIABLES = 4, DEPTH = 3 };

static uint32_t state;

/* From 0 to count - 1. */
static int pick(int count) {
    state = state * 1664525 + 1013904223;
    return (int)(state >> 8) % count;
}

static const char *const names[VARIABLES] = {"g", "h", "x", "y"};
static int lower[VARIABLES], upper[VARIABLES];

static void add_value(struct buffer *text, bool has_select, int depth);

static void add_condition(struct buffer *text, bool has_select, int depth) {
    static const char *const comparisons[] = {"&lt;", "&lt;=", "==", "!=", "&gt;", "&gt;="};
    static const char *const connectives[] = {"&amp;&amp;", "||", "imply", "xor"};
    int kind = depth ? pick(6) : 0;
    if (kind == 5) buffer_printf(text, "!");
    buffer_printf(text, "(");
    if (kind < 3) {
        add_value(text, has_select, depth ? depth - 1 : 0);
        buffer_printf(text, " %s ", comparisons[pick(6)]);
        add_value(text, has_select, depth ? depth - 1 : 0);
    } else if (kind < 5) {
        add_condition(text, has_select, depth - 1);
        buffer_printf(text, " %s ", connectives[pick(4)]);
        add_condition(text, has_select, depth - 1);
    } else {
        add_condition(text, has_select, depth - 1);
    }
    buffer_printf(text, ")");
}

static void add_value(struct buffer *text, bool has_select, int depth) {
    static const char *const operators[] = {"+",     "-",     "*",     "/", "%",
                                            "&lt;?", "&gt;?", "&amp;", "|", "^"};
    int kind = depth ? pick(8) : pick(4);
    if (kind < 2) {
        buffer_printf(text, "%s", names[pick(VARIABLES)]);
    } else if (kind == 2) {
        buffer_printf(text, "%s", has_select ? "i" : "N");
    } else if (kind == 3) {
        buffer_printf(text, "%d", pick(3) ? pick(6) : pick(300));
    } else if (kind == 4) {
        buffer_printf(text, "(");
        add_condition(text, has_select, depth - 1);
        buffer_printf(text, " ? ");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, " : ");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, ")");
    } else if (kind == 5) {
        buffer_printf(text, "-(");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, ")");
    } else {
        buffer_printf(text, "(");
        add_value(text, has_select, depth - 1);
        buffer_printf(text, " %s ", operators[pick(10)]);
        add_value(text, has_select, depth - 1);
        buffer_printf(text, ")");
    }
}

static void add_item(struct buffer *text, bool has_select) {
    int variable = pick(VARIABLES);
    const char *name = names[variable];
    switch (pick(5)) {
    case 0: buffer_printf(text, "%s++", name); return;
    case 1: buffer_printf(text, "%s -= %d", name, 1 + pick(3)); return;
    case 2: buffer_printf(text, "%s = %d", name, lower[variable]); return;
    case 3:
        buffer_printf(text, "%s = ", name);
        add_value(text, has_select, 1);
        return;
    default:
        buffer_printf(text, "%s = %d &gt;? (%d &lt;? ", name, lower[variable], upper[variable]);
        add_value(text, has_select, DEPTH - 1);
        buffer_printf(text, ")");
    }
}

static void add_edge(struct buffer *text, int number) {
    bool has_select = !pick(3);
    buffer_printf(text, "<transition><source ref=\"l%d\"/><target ref=\"l%d\"/>",
                  number % LOCATIONS, pick(LOCATIONS));
    if (has_select)
        buffer_printf(text, "<label kind=\"select\">i : int[0,%d]</label>", 5 + pick(200));
    if (pick(4)) {
        buffer_printf(text, "<label kind=\"guard\">");
        add_condition(text, has_select, DEPTH);
        if (pick(2)) {
            buffer_printf(text, " &amp;&amp; ");
            add_condition(text, has_select, 1);
        }
        buffer_printf(text, "</label>");
    }
    buffer_printf(text, "<label kind=\"assignment\">");
    for (int count = 1 + pick(3); count; count--) {
        add_item(text, has_select);
        if (count > 1) buffer_printf(text, ", ");
    }
    buffer_printf(text, "</label></transition>");
}

static void add_variable(struct buffer *text, int number) {
    static const int sizes[] = {1, 5, 11, 40, 100, 256, 300, 700};
    lower[number] = pick(3) ? 0 : -pick(30);
    upper[number] = lower[number] + sizes[pick(8)];
    buffer_printf(text, "int[%d,%d] %s = %d;", lower[number], upper[number], names[number],
                  lower[number] + pick(upper[number] - lower[number] + 1));
}

static void write_model(struct buffer *text) {
    buffer_printf(text, "<nta><declaration>const int N = %d;", 2 + pick(9));
    for (int i = 0; i < 2; i++) add_variable(text, i);
    buffer_printf(text, "</declaration><template><name>P</name><declaration>");
    for (int i = 2; i < VARIABLES; i++) add_variable(text, i);
    buffer_printf(text, "</declaration>");
    for (int i = 0; i < LOCATIONS; i++)
        buffer_printf(text, "<location id=\"l%d\"><name>l%d</name></location>", i, i);
    buffer_printf(text, "<init ref=\"l0\"/>");
    for (int i = 0; i < 2 * LOCATIONS; i++) add_edge(text, i);
    buffer_printf(text, "</template><system>system P;</system></nta>");
}

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
    for (uint32_t l = 0; l < LOCATIONS; l++) {
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
    state = (uint32_t)number * 77777 + 1;
    write_model(&text);
    sample_open(&sample, text.data);
    bool *is_removed = ARENA_ARRAY(&sample.arena, bool, sample.network->slot_count + 1);
    is_removed[pick((int)sample.network->slot_count)] = true;
    if (!pick(4)) is_removed[pick((int)sample.network->slot_count)] = true;
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
