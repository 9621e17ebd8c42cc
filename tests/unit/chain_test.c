/* Conjunctions and disjunctions: what they say, and how much work it takes to make long ones. Work
 * is counted in comparisons and hashes of whole expressions that chain.c asks for. */
#include "abstract/abstract.h"
#include "abstract/request/obstacle.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/check/check.h"
#include "lang/print/print.h"
#include "lang/syntax/parse.h"
#include "xml/load.h"

#include <check.h>

Suite *chain_suite(void);
bool __wrap_expr_equal(const struct expr *left, const struct expr *right);
bool __real_expr_equal(const struct expr *left, const struct expr *right);
uint64_t __wrap_expr_hash(const struct expr *expr);
uint64_t __real_expr_hash(const struct expr *expr);

static uint64_t work;

bool __wrap_expr_equal(const struct expr *left, const struct expr *right) {
    work++;
    return __real_expr_equal(left, right);
}

uint64_t __wrap_expr_hash(const struct expr *expr) {
    work++;
    return __real_expr_hash(expr);
}

static struct arena arena;
static struct type integer = {.kind = TYPE_INT};
static struct type truth = {.kind = TYPE_BOOL};
static struct symbol x = {.name = "x", .type = &integer};
static struct symbol flag = {.name = "flag", .type = &truth};

static void open(void) { arena_init(&arena); }
static void close(void) { arena_close(&arena); }

static const struct expr *compare(enum op op, int64_t value) {
    return build_binary(&arena, op, build_name(&arena, &x), build_int(&arena, value));
}

/* x - value == 0, of which nothing is known together */
static const struct expr *term(int64_t value) {
    return build_binary(&arena, OP_EQ, compare(OP_SUB, value), build_int(&arena, 0));
}

static void expect(const struct expr *expr, const char *text) {
    struct buffer buffer = {0};
    print_expr(&buffer, expr);
    ck_assert_str_eq(buffer_take(&buffer, &arena), text);
    buffer_close(&buffer);
}

START_TEST(least_number_has_no_negation) {
    struct expr negation = {.kind = EXPR_UNARY, .op = OP_NEG};
    int64_t value = 0;
    negation.child[0] = build_int(&arena, INT32_MIN + 1);
    ck_assert(expr_is_constant(&negation, &value) && value == INT32_MAX);
    negation.child[0] = build_int(&arena, INT32_MIN); /* it wraps */
    ck_assert(!expr_is_constant(&negation, &value));
}
END_TEST

START_TEST(terms_come_once_and_in_order) {
    struct chain chain;
    chain_init(&chain, &arena, OP_AND);
    chain_add(&chain, build_and(&arena, term(2), term(1)));
    chain_add(&chain, NULL);
    chain_add(&chain, build_bool(&arena, true));
    chain_add(&chain, build_and(&arena, term(3), term(2)));
    expect(chain.expr, "x - 2 == 0 && x - 1 == 0 && x - 3 == 0");
    ck_assert(chain_has(&chain, term(3)) && !chain_has(&chain, term(4)));
    const struct expr *pair = build_binary(&arena, OP_AND, term(1), term(5));
    expect(build_and(&arena, chain.expr, build_binary(&arena, OP_AND, pair, term(6))),
           "x - 2 == 0 && x - 1 == 0 && x - 3 == 0 && x - 5 == 0 && x - 6 == 0");
}
END_TEST

START_TEST(links_are_used_again) {
    const struct expr *two = build_and(&arena, term(1), term(2));
    struct chain chain;
    chain_init(&chain, &arena, OP_AND);
    chain_add(&chain, two);
    ck_assert_ptr_eq(chain.expr, two);
    chain_add(&chain, term(1));
    ck_assert_ptr_eq(chain.expr, two);
}
END_TEST

START_TEST(common_conjuncts_lead) {
    const struct expr *left = build_and(&arena, term(1), term(2));
    const struct expr *right = build_and(&arena, term(1), term(3));
    expect(build_or(&arena, left, right), "x - 1 == 0 && (x - 2 == 0 || x - 3 == 0)");
    expect(build_or(&arena, left, term(1)), "x - 1 == 0");
    expect(build_or(&arena, build_or(&arena, term(4), term(1)), left), "x - 4 == 0 || x - 1 == 0");
}
END_TEST

/* What one comparison says of the values that one or the other has, or both. */
START_TEST(comparisons_are_said_together) {
    static const struct {
        enum op left, right;
        int a, b;
        const char *either, *both;
    } rows[] = {
        {OP_LT, OP_EQ, 2, 2, "x <= 2", "false"},
        {OP_LE, OP_LE, 2, 5, "x <= 5", "x <= 2 && x <= 5"},
        {OP_LT, OP_GT, 2, 0, "true", "x < 2 && x > 0"},
        {OP_LT, OP_GT, 2, 1, "true", "false"},
        {OP_LT, OP_GT, 2, 2, "x < 2 || x > 2", "false"},
        {OP_GE, OP_EQ, 4, 3, "x >= 3", "false"},
        {OP_EQ, OP_EQ, 3, 4, "x == 3 || x == 4", "false"},
        {OP_NE, OP_EQ, 3, 3, "true", "false"},
        {OP_NE, OP_EQ, 3, 4, "x != 3", "x != 3 && x == 4"},
        {OP_NE, OP_NE, 3, 4, "true", "x != 3 && x != 4"},
        {OP_NE, OP_GT, 2, 2, "x != 2", "x != 2 && x > 2"},
        {OP_NE, OP_GE, 2, 2, "true", "x != 2 && x >= 2"},
    };
    const struct expr *left = compare(rows[_i].left, rows[_i].a);
    const struct expr *right = compare(rows[_i].right, rows[_i].b);
    const struct expr *either = build_or(&arena, left, right);
    expect(either ? either : build_bool(&arena, true), rows[_i].either);
    expect(build_and(&arena, left, right), rows[_i].both);
}
END_TEST

/* A && B && !A is false, however it is put together. */
START_TEST(what_excludes_is_false) {
    const struct expr *a = term(1), *no_a = build_not(&arena, build_name(&arena, &flag));
    const struct expr *flags = build_and(&arena, build_name(&arena, &flag), term(2));
    expect(build_and(&arena, flags, no_a), "false");
    expect(build_and(&arena, flags, build_and(&arena, a, no_a)), "false");
    expect(build_and(&arena, build_and(&arena, a, no_a), flags), "false");
    expect(build_and(&arena, build_and(&arena, a, term(2)), build_not(&arena, a)), "false");
}
END_TEST

static uint64_t work_of_chain(uint32_t count) {
    struct chain chain;
    work = 0;
    chain_init(&chain, &arena, OP_AND);
    for (uint32_t i = 0; i < count; i++) chain_add(&chain, term(i));
    for (uint32_t i = 0; i < count; i++) chain_add(&chain, term(i));
    ck_assert_uint_eq(chain.terms.count, count);
    return work;
}

START_TEST(a_chain_takes_work_as_it_is_long) {
    ck_assert_uint_le(work_of_chain(10000), 200000);
    ck_assert_uint_le(work_of_chain(20000), 400000);
}
END_TEST

/* Adding one by one to what is not held as a chain. */
START_TEST(conditions_take_bounded_work) {
    const struct expr *both = NULL, *either = build_bool(&arena, false);
    work = 0;
    for (uint32_t i = 0; i < 2000; i++) both = build_and(&arena, both, term(i));
    for (uint32_t i = 0; i < 2000; i++)
        either = build_or(&arena, either, build_and(&arena, term(i), term(i + 1)));
    ck_assert_uint_le(work, 20000);
}
END_TEST

/* Guards of so many conjuncts that each reads a variable of 101 values. */
static char *model_of(uint32_t conjuncts) {
    struct buffer text = {0};
    buffer_printf(&text, "<nta><declaration>int[-100,100] a, b;</declaration><template>"
                         "<name>P</name>");
    for (int l = 0; l < 4; l++) buffer_printf(&text, "<location id=\"l%d\"/>", l);
    buffer_printf(&text, "<init ref=\"l0\"/>");
    for (int l = 0; l < 4; l++) {
        buffer_printf(&text,
                      "<transition><source ref=\"l%d\"/><target ref=\"l%d\"/>"
                      "<label kind=\"guard\">a != b",
                      l, (l + 1) % 4);
        for (uint32_t i = 0; i < conjuncts; i++)
            buffer_printf(&text, " &amp;&amp; (a %c b) * %u != %d", i % 2 ? '+' : '-', i + 2, l);
        buffer_printf(&text, "</label></transition>");
    }
    for (int i = 0; i < 2; i++)
        buffer_printf(&text,
                      "<transition><source ref=\"l0\"/><target ref=\"l0\"/>"
                      "<label kind=\"assignment\">%c = (%c + 7) %% 101</label></transition>",
                      "ab"[i], "ab"[i]);
    buffer_printf(&text, "</template><system>system P;</system></nta>");
    char *copy = buffer_take(&text, &arena);
    buffer_close(&text);
    return copy;
}

/* A must-abstraction asks for all values together, again for each edge that it tries to keep. */
START_TEST(guards_of_many_values_take_bounded_work) {
    struct interner names;
    struct diag diag;
    struct document document;
    struct abstraction abstraction;
    struct request request = {.arena = &arena};
    const struct abstract_options options = {.mode = MODE_MUST, .analysis = {.budget = 200}};
    interner_init(&names, &arena);
    diag_init(&diag, &arena, NULL);
    ck_assert(document_parse(&document, &arena, &names, "t.xml", str_of(model_of(4)), &diag));
    struct model *model = model_parse(&arena, &names, &document, &diag);
    ck_assert(model_check(model));
    struct network *network = network_new(&arena, model);
    ck_assert(request_add(&request, network, "b", &diag) &&
              request_finish(&request, network, &diag));
    work = 0;
    ck_assert(abstraction_make(&abstraction, &arena, network, &request, &options, &diag));
    ck_assert_uint_le(work, 2000000);
    abstraction_close(&abstraction);
}
END_TEST

Suite *chain_suite(void) {
    Suite *suite = suite_create("chain");
    TCase *tests = tcase_create("chain");
    tcase_add_checked_fixture(tests, open, close);
    tcase_add_test(tests, least_number_has_no_negation);
    tcase_add_test(tests, terms_come_once_and_in_order);
    tcase_add_test(tests, links_are_used_again);
    tcase_add_test(tests, common_conjuncts_lead);
    tcase_add_loop_test(tests, comparisons_are_said_together, 0, 12);
    tcase_add_test(tests, what_excludes_is_false);
    tcase_add_test(tests, a_chain_takes_work_as_it_is_long);
    tcase_add_test(tests, conditions_take_bounded_work);
    tcase_add_test(tests, guards_of_many_values_take_bounded_work);
    suite_add_tcase(suite, tests);
    return suite;
}
