#include "model/network.h"
#include "model/seal.h"

#include "approx_sample.h"
#include "xml/load.h"

#include <check.h>

Suite *network_suite(void);

static struct sample sample;

static void setup(void) { sample = (struct sample){0}; }
static void teardown(void) { sample_close(&sample); }

#define IDLE LOCATION("l") INIT("l")

/* Names of all slots with their range and initial value: "x[0..3]=1 ". */
static const char *slots(void) {
    struct buffer text = {0};
    for (uint32_t i = 0; i < sample.network->slot_count; i++) {
        const struct slot *slot = &sample.network->slots[i];
        buffer_printf(&text, "%s%s %d..%d=%d", i ? ", " : "",
                      slot_name(sample.network, slot, &sample.arena), slot->lower, slot->upper,
                      slot->initial);
    }
    const char *copy = text.size ? buffer_take(&text, &sample.arena) : "";
    buffer_close(&text);
    return copy;
}

static const char *processes(void) {
    struct buffer text = {0};
    for (uint32_t i = 0; i < sample.network->process_count; i++) {
        ck_assert_uint_eq(sample.network->processes[i].index, i);
        buffer_printf(&text, "%s%s", i ? " " : "", sample.network->processes[i].name);
    }
    const char *copy = text.size ? buffer_take(&text, &sample.arena) : "";
    buffer_close(&text);
    return copy;
}

/* Each slot is found from its address, and belongs to its process. */
static void check_slots(void) {
    const struct network *network = sample.network;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        const struct binding *binding = slot->process ? &slot->process->locals[slot->symbol->index]
                                                      : &network->globals[slot->symbol->index];
        ck_assert_uint_eq(network->slot_of[slot->address], i);
        ck_assert_uint_eq(binding->address + slot->offset, slot->address);
        ck_assert_int_eq(network->cells[slot->address], slot->initial);
        if (i) ck_assert_uint_gt(slot->address, network->slots[i - 1].address);
    }
}

START_TEST(cells_become_slots) {
    sample_open(&sample,
                MODEL("const int N = 2; int[0,N] x = 1; bool b = true; int[2,5] low; chan c[3];"
                      "int[-1,1] a[N][int[4,5]];",
                      TEMPLATE("P", "", "", IDLE), "system P;"));
    ck_assert_str_eq(slots(), "x 0..2=1, b 0..1=1, low 2..5=2, a[0][4] -1..1=0, a[0][5] -1..1=0, "
                              "a[1][4] -1..1=0, a[1][5] -1..1=0");
    check_slots();
}
END_TEST

START_TEST(seal_tells_whether_the_tree_was_written) {
    sample_open(&sample,
                MODEL("int x; int f() { return x + 1; }",
                      TEMPLATE("P", "", "", IDLE EDGE("l", "l", GUARD("x == 3"))), "system P;"));
    uint64_t seal = model_seal(sample.model);
    struct edge *edge = &sample.model->templates[0]->edges[0];
    struct function *function = sample.model->declarations.items[1]->function;
    ck_assert_uint_eq(model_seal(sample.model), seal);
    edge->written_guard->child[1]->value = 4;
    ck_assert_uint_ne(model_seal(sample.model), seal);
    edge->written_guard->child[1]->value = 3;
    function->is_compile_time = !function->is_compile_time;
    ck_assert_uint_ne(model_seal(sample.model), seal);
}
END_TEST

START_TEST(structs_have_a_slot_for_each_field) {
    sample_open(&sample, MODEL("typedef struct { int[0,3] v; bool ok[2]; } cell_t;"
                               "cell_t s = {2, {true, false}}; cell_t t[2];",
                               TEMPLATE("P", "", "", IDLE), "system P;"));
    ck_assert_str_eq(slots(),
                     "s.v 0..3=2, s.ok[0] 0..1=1, s.ok[1] 0..1=0, t[0].v 0..3=0, "
                     "t[0].ok[0] 0..1=0, t[0].ok[1] 0..1=0, t[1].v 0..3=0, t[1].ok[0] 0..1=0, "
                     "t[1].ok[1] 0..1=0");
    check_slots();
}
END_TEST

START_TEST(process_sets_are_numbered_in_order) {
    sample_open(&sample,
                MODEL("typedef int[1,2] id_t;",
                      TEMPLATE("P", "const id_t i, const int[0,1] j", "int[0,9] x = i * 2 + j;",
                               IDLE) TEMPLATE("Q", "", "", IDLE),
                      "system Q, P;"));
    ck_assert_str_eq(processes(), "Q P(1,0) P(1,1) P(2,0) P(2,1)");
    ck_assert_str_eq(slots(), "P(1,0).x 0..9=2, P(1,1).x 0..9=3, P(2,0).x 0..9=4, "
                              "P(2,1).x 0..9=5");
    check_slots();
}
END_TEST

START_TEST(instances_pass_arguments_on) {
    sample_open(&sample,
                MODEL("int[0,9] g, h;",
                      TEMPLATE("P", "int[0,9] &amp;r, const int k", "int[0,99] x = k * 10;", IDLE),
                      "Half(const int k) = P(h, k); A = P(g, 1); B = Half(2);"
                      "system A, B;"));
    ck_assert_str_eq(processes(), "A B");
    ck_assert_str_eq(slots(), "g 0..9=0, h 0..9=0, A.x 0..99=10, B.x 0..99=20");
    check_slots();
    const struct network *network = sample.network;
    const struct symbol *parameter = network->processes[0].template->parameters[0];
    ck_assert_uint_eq(network->processes[0].locals[parameter->index].address,
                      network->slots[0].address);
    ck_assert_uint_eq(network->processes[1].locals[parameter->index].address,
                      network->slots[1].address);
}
END_TEST

START_TEST(assigned_value_parameters_are_slots) {
    sample_open(&sample, MODEL("",
                               TEMPLATE("P", "int[0,3] n, int[0,3] m", "",
                                        IDLE EDGE("l", "l", GUARD("m == 1") UPDATE("n = 0"))),
                               "A = P(2, 1); system A;"));
    ck_assert_str_eq(slots(), "A.n 0..3=2");
    check_slots();
}
END_TEST

START_TEST(effects_go_through_calls) {
    sample_open(
        &sample,
        MODEL("int x, y, z; void inc(int &amp;r) { r = r + y; } int get() { return z; }",
              TEMPLATE("P", "", "", IDLE EDGE("l", "l", GUARD("get() == 0") UPDATE("inc(x)"))),
              "system P;"));
    const struct template *template = sample_template(&sample, "P");
    const struct edge_labels *effects = sample.network->labels.edges[template->index];
    const struct symbol *x = sample_symbol(&sample, template, "x");
    const struct symbol *y = sample_symbol(&sample, template, "y");
    const struct symbol *z = sample_symbol(&sample, template, "z");
    ck_assert(effects_reads(&effects->guard_effects, z));
    ck_assert(!effects_reads(&effects->guard_effects, x));
    ck_assert(effects_writes(&effects->update_effects, x) &&
              effects_reads(&effects->update_effects, x));
    ck_assert(effects_reads(&effects->update_effects, y) &&
              !effects_writes(&effects->update_effects, y));
}
END_TEST

START_TEST(hooks_and_priorities_are_noticed) {
    sample_open(&sample, MODEL("int x, y; chan c; chan priority default &lt; c;"
                               "before_update { x = y }",
                               TEMPLATE("P", "", "", IDLE), "system P;"));
    ck_assert(sample.network->has_priorities);
    ck_assert_uint_eq(sample.network->before_update.list.count, 2);
    ck_assert_uint_eq(sample.network->after_update.list.count, 0);
}
END_TEST

START_TEST(environment_is_a_fresh_copy) {
    sample_open(&sample, MODEL("int x = 7;", TEMPLATE("P", "", "", IDLE), "system P;"));
    struct environment environment;
    network_environment(sample.network, &environment, &sample.arena);
    uint32_t address = sample.network->slots[0].address;
    ck_assert_int_eq(environment.cells[address], 7);
    environment.cells[address] = 8;
    eval_close(&environment);
    ck_assert_int_eq(sample.network->cells[address], 7);
}
END_TEST

static const struct {
    const char *text;
    enum status status;
} refused[] = {
    {MODEL("int x[1000][1000][1000];", TEMPLATE("P", "", "", IDLE), "system P;"), STATUS_LIMIT},
    {MODEL("int[0,3] x = 4;", TEMPLATE("P", "", "", IDLE), "system P;"), STATUS_INVALID},
    {MODEL("", TEMPLATE("P", "const int[0,2] n", "int[n,1] x;", IDLE), "system P;"),
     STATUS_INVALID},
    {MODEL("", TEMPLATE("P", "const int[0,2] n", "", IDLE), "A = P(3); system A;"), STATUS_INVALID},
    {MODEL("", TEMPLATE("P", "const int[1,2000000] n", "", IDLE), "system P;"), STATUS_LIMIT},
};

START_TEST(impossible_networks_are_refused) {
    struct arena arena;
    struct interner names;
    struct diag diag;
    struct document document;
    arena_init(&arena);
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
    ck_assert(
        document_parse(&document, &arena, &names, "model.xml", str_of(refused[_i].text), &diag));
    struct model *model = sample_check(&arena, &names, &document, &diag);
    ck_assert_ptr_null(model ? network_new(&arena, model) : NULL);
    ck_assert_int_eq((int)diag.status, (int)refused[_i].status);
    arena_close(&arena);
}
END_TEST

Suite *network_suite(void) {
    Suite *suite = suite_create("network");
    TCase *cases = tcase_create("networks"), *invalid = tcase_create("refused");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, cells_become_slots);
    tcase_add_test(cases, seal_tells_whether_the_tree_was_written);
    tcase_add_test(cases, structs_have_a_slot_for_each_field);
    tcase_add_test(cases, process_sets_are_numbered_in_order);
    tcase_add_test(cases, instances_pass_arguments_on);
    tcase_add_test(cases, assigned_value_parameters_are_slots);
    tcase_add_test(cases, effects_go_through_calls);
    tcase_add_test(cases, hooks_and_priorities_are_noticed);
    tcase_add_test(cases, environment_is_a_fresh_copy);
    suite_add_tcase(suite, cases);
    tcase_add_loop_test(invalid, impossible_networks_are_refused, 0,
                        sizeof refused / sizeof *refused);
    suite_add_tcase(suite, invalid);
    return suite;
}
