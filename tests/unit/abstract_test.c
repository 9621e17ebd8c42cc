#define _POSIX_C_SOURCE 200809L

#include "abstract/abstract.h"
#include "abstract/request/obstacle.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "expr/simplify.h"
#include "lang/syntax/walk.h"
#include "xml/load.h"
#include "xml/splice.h"

#include "model_sample.h"
#include "print_statement.h"

#include <glob.h>

Suite *abstract_suite(void);

static struct sample sample;
static struct network *network;

static void setup(void) { sample_open(&sample, NULL); }
static void teardown(void) { sample_close(&sample); }

static void load(const char *const *texts) {
    struct model *model = sample_check(&sample, texts);
    network = sample.diag.error_count ? NULL : network_new(&sample.arena, model);
    ck_assert_msg(network && !sample.diag.error_count, "%s",
                  sample.diag.error_count ? sample.diag.items.items[0].message : "no network");
}

static const char *printed(const struct expr *expr) {
    struct buffer out = {0};
    if (!expr) return "(true)";
    print_expr(&out, expr);
    const char *text = buffer_take(&out, &sample.arena);
    buffer_close(&out);
    return text;
}

/* Requests */

/* What --remove is given, and what comes of it: the cells of each variable, 1 = removed, or the
 * beginning of the message behind "--remove VAR: " or in front of it. */
struct requested {
    const char *argument, *result;
    enum status status;
};

static const struct row wish_model = {
    GLOBAL("const int N = 3; chan c; int g, shared, m, only; bool flag[N]; int idx[int[2,4]];"
           "struct { int f; int h[2]; } s; int[0,2] grid[2][2]; int hooked, named; scalar[2] anon;"
           "int f() { return g; } after_update { hooked = g }"),
    BIND("int &r, const int k", "shared, 1"), LOCAL("int m, loc, arr[k + 1];"),
    GUARD("r > 0 && loc > 0")};

static const struct requested requests[] = {
    {"only", "only=1", 0},
    {".only", "only=1", 0},
    {"P.m", "P.m=1", 0},
    {".m", "m=1", 0},
    {" loc , only ", "P.loc=1 only=1", 0},
    {"arr[1]", "P.arr=01", 0},
    {"flag", "flag=111", 0},
    {"flag[1]", "flag=010", 0},
    {"flag[2],flag[0]", "flag=101", 0},
    {"flag[2],flag[0],flag[1]", "flag=111 whole", 0},
    {"idx[2]", "idx=100", 0},
    {"s", "s=111 whole", 0},
    {"s.f", "s=100", 0},
    {"s.h[1]", "s=001", 0},
    {"grid[1]", "grid=0011", 0},
    {"grid[1][0],only", "grid=0010 only=1", 0},
    {"", "--remove : a name is missing; write VAR, or VAR,VAR for several", STATUS_USAGE},
    {"only,,g", "--remove only,,g: a name is missing; write VAR, or VAR,VAR for several",
     STATUS_USAGE},
    {"m", "--remove m: the name is ambiguous; write one of .m, P.m", STATUS_USAGE},
    {"onyl", "--remove onyl: there is no such variable; did you mean only?", STATUS_USAGE},
    {"P.lod", "--remove P.lod: there is no such variable; did you mean P.loc?", STATUS_USAGE},
    {"P.only", "--remove P.only: there is no such variable; `varabs info`", STATUS_USAGE},
    {".loc", "--remove .loc: there is no such variable; did you mean P.loc?", STATUS_USAGE},
    {"nothing_like_it", "--remove nothing_like_it: there is no such variable; `varabs info`",
     STATUS_USAGE},
    {"P", "--remove P: 'P' is a template; write P.NAME for one of its variables", STATUS_USAGE},
    {"N", "--remove N: 'N' is a constant; only variables can be removed", STATUS_USAGE},
    {"c", "--remove c: 'c' is a channel; only variables can be removed", STATUS_USAGE},
    {"P.k", "--remove P.k: 'k' is a parameter; only variables can be removed", STATUS_USAGE},
    {"f", "--remove f: 'f' is a function; only variables can be removed", STATUS_USAGE},
    {"flag[3]", "--remove flag[3]: index 3 is outside 0..2", STATUS_USAGE},
    {"flag[-1]", "--remove flag[-1]: index -1 is outside 0..2", STATUS_USAGE},
    {"idx[0]", "--remove idx[0]: index 0 is outside 2..4", STATUS_USAGE},
    {"flag[N]", "--remove flag[N]: an index is a number in brackets", STATUS_USAGE},
    {"flag[1", "--remove flag[1: an index is a number in brackets", STATUS_USAGE},
    {"only[0]", "--remove only[0]: 'only' does not have that many dimensions", STATUS_USAGE},
    {"only.f", "--remove only.f: 'only' has no fields here", STATUS_USAGE},
    {"s.q", "--remove s.q: 's' has no field 'q'", STATUS_USAGE},
    {"P.loc@Z", "--remove P.loc@Z: template 'P' has no location 'Z'", STATUS_USAGE},
    {"shared@A", "--remove shared@A: 'shared' is global; scopes are for variables of templates",
     STATUS_USAGE},
    {"Q(1).loc", "--remove Q(1).loc: processes of one template are not told apart here",
     STATUS_UNSUPPORTED},
    {"shared", "'shared' cannot be removed: it is passed to the reference parameter 'r'",
     STATUS_UNSUPPORTED},
    {"hooked", "'hooked' cannot be removed: before_update or after_update uses it",
     STATUS_UNSUPPORTED},
    {"anon", "'anon' cannot be removed: its scalar type has no name", STATUS_UNSUPPORTED},
};

static const char *removed_cells(const struct request *request) {
    const char *text = "";
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        uint32_t count = removal->shape->cell_count;
        char *cells = arena_printf(&sample.arena, "%*s", (int)count, "");
        bool is_whole = true;
        for (uint32_t k = 0; k < count; k++) {
            cells[k] = removal->is_removed[k] ? '1' : '0';
            is_whole &= removal->is_removed[k];
        }
        ck_assert(removal->is_whole == is_whole);
        text =
            arena_printf(&sample.arena, "%s%s%s=%s", text, i ? " " : "",
                         variable_name(&sample.arena, removal->template, removal->symbol), cells);
    }
    return text;
}

static uint32_t slots_of(const struct removal *removal) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) count += removal->is_removed[k];
    return count;
}

START_TEST(request_is_resolved_or_refused) {
    const struct requested *requested = &requests[_i];
    load(wish_model.text);
    struct diag diag;
    diag_init(&diag, &sample.arena, &sample.document.source);
    struct request request = {.arena = &sample.arena};
    bool ok = request_add(&request, network, requested->argument, &diag) &&
              request_finish(&request, network, &diag);
    ck_assert_int_eq(diag.status, requested->status);
    ck_assert(ok == !requested->status);
    if (!ok) {
        const char *message = diag.items.items[0].message;
        ck_assert_msg(!strncmp(message, requested->result, strlen(requested->result)), "%s",
                      message);
        return;
    }
    const char *cells = removed_cells(&request);
    ck_assert_msg(!strncmp(cells, requested->result, strlen(cells)), "%s: %s", requested->argument,
                  cells);
    uint32_t marked = 0, expected = 0;
    for (uint32_t i = 0; i < network->slot_count; i++) marked += request.slot_is_removed[i];
    for (uint32_t i = 0; i < request.removals.count; i++)
        expected += slots_of(&request.removals.items[i]);
    ck_assert_uint_eq(marked, expected); /* there is one process */
}
END_TEST

/* What only stands in the way in other models. */
static const struct {
    struct row model;
    struct requested requested;
} obstacles[] = {
    {{LOCAL("int m;"), GLOBAL("void dummy() {}"), SYSTEM("Unused() = P(); system P;")},
     {"m", "P.m=1", 0}},
    {{GLOBAL("int g;"), PARAMETER("int &r"), SYSTEM("Other = P(g); int h; Q = P(h); system Q;")},
     {"g", "'g' cannot be removed: the instantiation of 'Other' names it", STATUS_UNSUPPORTED}},
    {{PARAMETER("const int k"), LOCAL("int a[k];"), SYSTEM("Q = P(1); R = P(2); system Q, R;")},
     {"a",
      "'a' cannot be removed: its size differs from process to process; name processes of one size",
      STATUS_UNSUPPORTED}},
    {{PARAMETER("const int k"), LOCAL("int a[k];"), SYSTEM("Q = P(2); R = P(2); system Q, R;")},
     {"a", "P.a=11", 0}},
    {{GLOBAL("int u; before_update { u = 0 }")},
     {"u", "'u' cannot be removed: before_update or after_update uses it", STATUS_UNSUPPORTED}},
};

START_TEST(obstacle_is_named) {
    const struct requested *requested = &obstacles[_i].requested;
    load(obstacles[_i].model.text);
    struct request request = {.arena = &sample.arena};
    bool ok = request_add(&request, network, requested->argument, &sample.diag) &&
              request_finish(&request, network, &sample.diag);
    ck_assert_int_eq(sample.diag.status, requested->status);
    const char *result = ok ? removed_cells(&request) : sample_first(&sample, true)->message;
    ck_assert_str_eq(result, requested->result);
}
END_TEST

/* Simplified expressions */

static const char value_globals[] = "int[-1,2] x, y; bool b; int[0,1] a[2]; const int N = 2;"
                                    "const int m0 = 1; int one() { return 1; }";

static struct environment environment;

static int32_t *cell_of(const char *name) {
    const struct model *model = network->model;
    for (uint32_t i = 0; i < model->symbol_count; i++)
        if (!strcmp(model->symbols[i]->name, name))
            return &environment.cells[network->globals[i].address];
    ck_abort_msg("no global %s", name);
}

enum { VALUATIONS = 4 * 4 * 2 };

static void set_valuation(int number) {
    *cell_of("x") = number % 4 - 1;
    *cell_of("y") = number / 4 % 4 - 1;
    *cell_of("b") = number / 16;
    cell_of("a")[0] = 0;
    cell_of("a")[1] = 1;
}

struct outcome {
    bool fails;
    int32_t value;
};

/* NULL is true. */
static struct outcome evaluate(const struct expr *expr, int valuation) {
    if (!expr) return (struct outcome){false, 1};
    set_valuation(valuation);
    int32_t value = eval_int(&environment, expr);
    bool fails = environment.fault.kind != FAULT_NONE;
    environment.fault = (struct fault){0};
    return (struct outcome){fails, value};
}

/* BUILD's invariant. is_condition: only whether it holds counts. */
static void check_same(const struct expr *before, const struct expr *after, bool is_condition) {
    for (int i = 0; i < VALUATIONS; i++) {
        struct outcome a = evaluate(before, i), b = evaluate(after, i);
        if (a.fails) {
            ck_assert_msg(b.fails || !b.value, "%s fails, %s does not", printed(before),
                          printed(after));
            continue;
        }
        bool is_same = is_condition ? !a.value == !b.value : a.value == b.value;
        ck_assert_msg(!b.fails && is_same, "valuation %d: %s is %d, %s is %d%s", i, printed(before),
                      a.value, printed(after), b.value, b.fails ? " (a failure)" : "");
    }
}

static const struct expr *simplify_all(const struct expr *expr) {
    struct expr *copy = build_copy(&sample.arena, expr);
    for (int i = 0; i < 3; i++)
        if (expr->child[i]) copy->child[i] = (struct expr *)simplify_all(expr->child[i]);
    return simplify_node(&sample.arena, copy);
}

static const struct expr *parse_value(const char *text) {
    struct row row = {GLOBAL(value_globals), GUARD(text)};
    load(row.text);
    network_environment(network, &environment, &sample.arena);
    return network->model->templates[0]->edges[0].written_guard;
}

static const struct {
    const char *before, *after;
} simplified[] = {
    {"1 + 2 * 3 == 7", "true"},
    {"7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1", "true"},
    {"1 / 0 == 1", "1 / 0 == 1"},
    {"2147483647 + 1 > 0", "2147483647 + 1 > 0"},
    {"(1 <? 2) + (1 >? 2)", "3"},
    {"(6 & 3) + (6 | 3) + (6 ^ 3)", "14"},
    {"x + 0", "x"},
    {"0 - x", "0 - x"},
    {"1 * x", "x"},
    {"x / 1", "x"},
    {"0 * x", "0"},
    {"x * 0 + 1", "1"},
    {"0 * (x / y)", "0 * (x / y)"},
    {"a[x] * 0", "a[x] * 0"},
    {"x - -1", "x + 1"},
    {"x + -1", "x - 1"},
    {"-1 + x", "x - 1"},
    {"- -1 + x", "x + 1"},
    {"1 + x - 1", "x"},
    {"x & 0", "0"},
    {"0 | x", "x"},
    {"x - (-2147483647 - 1)", "x - -2147483648"},
    {"x + 1 + 2", "x + 3"},
    {"x + 1 - 1", "x"},
    {"x - 1 - 2", "x - 3"},
    {"x - 1 + 3", "x + 2"},
    {"x + 2147483647 + 1", "x + 2147483647 + 1"},
    {"x - N", "x - N"},
    {"x + -2 * y", "x - 2 * y"},
    {"x - -1 * y", "x + y"},
    {"(b ? 1 : 0) + x", "(b ? 1 : 0) + x"},
    {"b ? true : x > 0", "b || x > 0"},
    {"x + N + 1", "x + N + 1"},
    {"b == false", "!b"},
    {"b == true", "b"},
    {"b != false", "b"},
    {"b != true", "!b"},
    {"true == b", "b"},
    {"0 != b", "b"},
    {"b == 2", "b == 2"},
    {"(x == 1) == false", "x != 1"},
    {"x == false", "x == 0"},
    {"1 == x", "x == 1"},
    {"1 < x", "x > 1"},
    {"x <= 2", "true"},
    {"x <= 1", "x <= 1"},
    {"x < -1", "false"},
    {"x > -2", "true"},
    {"x == 3", "false"},
    {"x != -2", "true"},
    {"a[x] <= 1", "a[x] <= 1"},
    {"x + 0 >= -1", "true"},
    {"true && x > 0", "x > 0"},
    {"true && x", "x != 0"},
    {"false && x / y > 0", "false"},
    {"x / y > 0 && false", "false"},
    {"x > 0 && x > 0", "x > 0"},
    {"false || b", "b"},
    {"b || true", "true"},
    {"x / y > 0 || true", "x / y > 0 || true"},
    {"true || x / y > 0", "true"},
    {"false imply x / y > 0", "true"},
    {"true imply b", "b"},
    {"b imply false", "!b"},
    {"b xor true", "!b"},
    {"false xor x", "x != 0"},
    {"!!b", "b"},
    {"!!x", "x != 0"},
    {"!(x < 1)", "x >= 1"},
    {"!(x == y)", "x != y"},
    {"!(b && x > 0)", "!(b && x > 0)"},
    {"x == x", "true"},
    {"x < x", "false"},
    {"x / y == x / y", "x / y == x / y"},
    {"a[x] == a[x]", "a[x] == a[x]"},
    {"true ? x : y", "x"},
    {"b ? x : x", "x"},
    {"1 / y > 0 ? x : x", "1 / y > 0 ? x : x"},
    {"forall (i : int[0,1]) true", "true"},
    {"exists (i : int[0,1]) false", "false"},
    {"forall (i : int[0,1]) false", "forall (i : int[0,1]) false"},
    {"exists (i : int[0,1]) a[i] == 1", "exists (i : int[0,1]) a[i] == 1"},
    {"N * N == 4", "true"},
    {"-N + 2", "0"},
    {"one() == 1", "one() == 1"},
};

START_TEST(node_is_simplified) {
    const struct expr *before = parse_value(simplified[_i].before);
    const struct expr *after = simplify_all(before);
    ck_assert_str_eq(printed(after), simplified[_i].after);
    check_same(before, after, false);
    eval_close(&environment);
}
END_TEST

/* Operands of which everything is built below. */
static const struct expr *operands[32];
static uint32_t operand_count;

static void find_operands(void) {
    const struct expr *call = parse_value(
        "abs(x) + abs(y) + abs(b) + abs(-1) + abs(0) + abs(2) + abs(true) + abs(false) +"
        "abs(x == 0) + abs(x != 0) + abs(x <= 1) + abs(y > x) + abs(!b) + abs(x / y) + abs(a[x]) +"
        "abs(b && x > 0) + abs(x > 0 && b) + abs(b || x < y) + abs(x == 0 || x == 1)");
    operand_count = 0;
    for (; call->kind == EXPR_BINARY; call = call->child[0])
        operands[operand_count++] = call->child[1]->arguments[0];
    operands[operand_count++] = call->arguments[0];
    ck_assert_uint_eq(operand_count, 19);
}

START_TEST(pair_keeps_its_value) {
    find_operands();
    const struct expr *left = operands[_i];
    for (uint32_t k = 0; k < operand_count; k++)
        for (enum op op = OP_POW; op <= OP_XOR; op++) {
            const struct expr *expr = build_binary(&sample.arena, op, left, operands[k]);
            check_same(expr, simplify_node(&sample.arena, expr), false);
            const struct expr *negation = build_not(&sample.arena, expr);
            struct expr plain = {.kind = EXPR_UNARY, .op = OP_NOT, .child = {(struct expr *)expr}};
            check_same(&plain, negation, false);
        }
    eval_close(&environment);
}
END_TEST

START_TEST(conditions_are_joined) {
    find_operands();
    struct arena *arena = &sample.arena;
    const struct expr *left = operands[_i];
    for (uint32_t i = 0; i <= operand_count; i++) {
        const struct expr *right = i < operand_count ? operands[i] : NULL;
        const struct expr *some = right ? right : build_bool(arena, true);
        check_same(build_binary(arena, OP_AND, left, some), build_and(arena, left, right), true);
        for (int k = 0; k < VALUATIONS; k++) {
            struct outcome a = evaluate(left, k), b = evaluate(some, k);
            if (a.fails || b.fails) continue; /* then the step is an error, or there is none */
            struct outcome both = evaluate(build_or(arena, left, right), k);
            ck_assert_msg(!both.fails && !both.value == !(a.value || b.value), "%s || %s: %s",
                          printed(left), printed(some), printed(build_or(arena, left, right)));
        }
        for (uint32_t k = 0; right && k < operand_count; k++) {
            struct expr plain = {
                .kind = EXPR_COND,
                .child = {(struct expr *)left, (struct expr *)right, (struct expr *)operands[k]}};
            check_same(&plain, build_cond(arena, left, right, operands[k]), false);
        }
    }
    eval_close(&environment);
}
END_TEST

static const struct {
    const char *left, *right, *both;
} disjunctions[] = {
    {"b", "b", "b"},
    {"b", "!b", "(true)"},
    {"x < 1", "x >= 1", "(true)"},
    {"x != 0", "x != 1", "(true)"},
    {"x != 0", "x != y", "x != 0 || x != y"},
    {"x != 0", "y != 1", "x != 0 || y != 1"},
    {"b && x > 0", "b", "b"},
    {"b", "b && x > 0", "b"},
    {"b && x > 0", "b && x < 0", "b && (x > 0 || x < 0)"},
    {"b && x > 0", "b && x <= 0", "b"},
    {"b && x > 0", "y > 0 && b", "b && (x > 0 || y > 0)"},
    {"x > 0", "y > 0", "x > 0 || y > 0"},
    {"x > 0 || y > 0", "x > 0", "x > 0 || y > 0"},
    {"false", "b", "b"},
    {"true", "b", "(true)"},
};

START_TEST(disjunction_is_short) {
    const char *text = arena_printf(&sample.arena, "abs(%s) + abs(%s)", disjunctions[_i].left,
                                    disjunctions[_i].right);
    const struct expr *sum = parse_value(text);
    const struct expr *left = sum->child[0]->arguments[0], *right = sum->child[1]->arguments[0];
    ck_assert_str_eq(printed(build_or(&sample.arena, left, right)), disjunctions[_i].both);
    eval_close(&environment);
}
END_TEST

/* Every set of values of x in -1..2. */
START_TEST(membership_is_exact) {
    const struct expr *x = parse_value("x");
    int32_t members[4];
    uint32_t count = 0;
    for (int32_t i = 0; i < 4; i++)
        if (_i >> i & 1) members[count++] = i - 1;
    const struct expr *member = build_member(&sample.arena, x, members, count, -1, 2);
    ck_assert((_i == 15) == expr_is_true(member));
    for (int i = 0; i < VALUATIONS; i++) {
        struct outcome outcome = evaluate(member, i);
        ck_assert(!outcome.fails);
        ck_assert_msg(!outcome.value == !(_i >> (i % 4) & 1), "%s", printed(member));
    }
    eval_close(&environment);
}
END_TEST

/* Folds: m is a global variable that has the values 0, 1 and 2, x and y are visible. */

static const char *const folded[] = {
    "m == 1",
    "m == x",
    "x < m",
    "x <= m && y != m",
    "m > 0 imply b",
    "m ? b : !b",
    "x / m > 0",
    "x % (m - 1) == 0",
    "a[m] == 1",
    "a[m - x] == b",
    "b",
    "m >= 0",
    "m > 5",
    "b && m == m",
    "x == y || m > 1",
    "forall (i : int[0,1]) a[i] <= m",
    "x << m > 1",
    "!(m == x) && b",
    "(m <? x) > 0",
    "exists (i : int[0,m0]) i == x && m > i",
    "m * x > y",
    "m > 0 && 2 / m > x",
    "m == 0 || 2 / m > x",
    "-m == x",
};

static bool original_holds(const struct expr *guard, int valuation, int32_t m) {
    set_valuation(valuation);
    *cell_of("m") = m;
    int32_t value = eval_int(&environment, guard);
    bool fails = environment.fault.kind != FAULT_NONE;
    environment.fault = (struct fault){0};
    return !fails && value;
}

/* The fold of P's only location; NULL if the edge stays as it is. */
static const struct fold *fold_of_p(const struct abstraction *abstraction) {
    for (uint32_t i = 0; i < abstraction->folds.count; i++)
        if (!strcmp(abstraction->folds.items[i]->template->symbol->name, "P"))
            return &abstraction->folds.items[i]->fold;
    return NULL;
}

/* The guards of the abstract edges, in memory that outlives the sample; generated expressions have
 * no types, so they are read again to be evaluated. */
static uint32_t copy_guards(const struct abstraction *abstraction, const struct expr *original,
                            char **guards) {
    const struct fold *fold = fold_of_p(abstraction);
    if (!fold) guards[0] = strdup(printed(original));
    for (uint32_t i = 0; fold && i < fold->edges.count; i++) {
        const struct expr *guard = fold->edges.items[i].guard;
        guards[i] = strdup(guard ? printed(guard) : "true");
    }
    return fold ? fold->edges.count : 1;
}

static void add_enabled(const char *guard, bool *is_enabled) {
    sample_close(&sample);
    sample_open(&sample, NULL);
    const struct expr *expr = parse_value(guard);
    for (int i = 0; i < VALUATIONS; i++) {
        struct outcome outcome = evaluate(expr, i);
        ck_assert_msg(!outcome.fails, "%s: valuation %d fails", guard, i);
        is_enabled[i] |= outcome.value != 0;
    }
    eval_close(&environment);
}

static const char folded_model[] =
    "<nta><declaration>%s int[0,2] m;</declaration>"
    "<template><name>W</name><location id=\"w\"/><init ref=\"w\"/>"
    "<transition><source ref=\"w\"/><target ref=\"w\"/>"
    "<label kind=\"select\">i : int[0,2], j : int[-1,2], k : int[-1,2], l : int[0,1]</label>"
    "<label kind=\"assignment\">m = i, x = j, y = k, b = l == 1, a[1] = 1</label></transition>"
    "</template>"
    "<template><name>P</name><location id=\"p\"/><init ref=\"p\"/>"
    "<transition><source ref=\"p\"/><target ref=\"p\"/>"
    "<label kind=\"guard\"><![CDATA[%s]]></label></transition></template>"
    "<system>system W, P;</system></nta>";

static void load_text(const char *xml) {
    ck_assert(document_parse(&sample.document, &sample.arena, &sample.names, "model.xml",
                             str_of(xml), &sample.diag));
    struct model *model = model_parse(&sample.arena, &sample.names, &sample.document, &sample.diag);
    bool is_fine = !sample.diag.error_count && model_check(model);
    ck_assert_msg(is_fine, "%s", sample.diag.error_count ? sample.diag.items.items[0].message : "");
    network = network_new(&sample.arena, model);
    ck_assert_ptr_nonnull(network);
}

static bool abstract(struct abstraction *abstraction) {
    struct request *request = ARENA_NEW(&sample.arena, struct request);
    *request = (struct request){.arena = &sample.arena};
    struct abstract_options options = {.analysis = {.budget = ANALYSIS_DEFAULT_BUDGET}};
    return request_add(request, network, "m", &sample.diag) &&
           request_finish(request, network, &sample.diag) &&
           abstraction_make(abstraction, &sample.arena, network, request, &options, &sample.diag);
}

/* X1: m is chosen by W alone, so exactness means that it makes no difference. */
START_TEST(guard_holds_for_some_value) {
    enum { MAX_GUARDS = 8 };
    char *guards[MAX_GUARDS];
    int counts[VALUATIONS] = {0}; /* values of m with which the original edge is enabled */
    bool is_enabled[VALUATIONS] = {false};
    struct abstraction abstraction = {0};
    load_text(arena_printf(&sample.arena, folded_model, value_globals, folded[_i]));
    network_environment(network, &environment, &sample.arena);
    const struct expr *guard = network->model->templates[1]->edges[0].written_guard;
    for (int i = 0; i < VALUATIONS; i++)
        for (int32_t m = 0; m <= 2; m++) counts[i] += original_holds(guard, i, m);
    eval_close(&environment);
    ck_assert(abstract(&abstraction));
    bool is_exact = abstraction.is_exact;
    uint32_t count = copy_guards(&abstraction, guard, guards);
    ck_assert_uint_le(count, MAX_GUARDS);
    abstraction_close(&abstraction);
    for (uint32_t i = 0; i < count; i++) add_enabled(guards[i], is_enabled);
    for (int i = 0; i < VALUATIONS; i++) {
        ck_assert_msg(is_enabled[i] == (counts[i] > 0), "%s, valuation %d", folded[_i], i);
        ck_assert_msg(!is_exact || counts[i] % 3 == 0, "%s is not exact", folded[_i]);
    }
    for (uint32_t i = 0; i < count; i++) free(guards[i]);
}
END_TEST

/* Printing */

static bool same_name(const char *left, const char *right) {
    return !left || !right ? left == right : !strcmp(left, right);
}

static bool same_tree(const struct expr *left, const struct expr *right) {
    if (!left || !right) return left == right;
    if (left->kind != right->kind || left->op != right->op || left->is_word != right->is_word ||
        left->value != right->value || left->argument_count != right->argument_count ||
        !same_name(left->name, right->name) ||
        !same_name(left->bound ? left->bound->name : NULL,
                   right->bound ? right->bound->name : NULL))
        return false;
    for (int i = 0; i < 3; i++)
        if (!same_tree(left->child[i], right->child[i])) return false;
    for (uint32_t i = 0; i < left->argument_count; i++)
        if (!same_tree(left->arguments[i], right->arguments[i])) return false;
    return true;
}

/* As it is written, and as it is printed; NULL = the same. */
static const struct {
    const char *written, *printed;
} texts_of_updates[] = {
    {"x = 1 - (2 - 3)", NULL},
    {"x = (1 - 2) - 3", "x = 1 - 2 - 3"},
    {"x = 1 - 2 + 3", NULL},
    {"x = 2 * (3 + 4) / (5 % 2)", NULL},
    {"x = 8 / 4 / 2 + 8 / (4 / 2)", NULL},
    {"x = -(1 + 2) - -3", NULL},
    {"x = - -y", NULL},
    {"x = -(-y)", "x = - -y"},
    {"x = y - -1", NULL},
    {"x = -2147483648", NULL},
    {"x = ((y = 2) + 1)", "x = (y = 2) + 1"},
    {"x = y = 2", NULL},
    {"x += y -= 2", NULL},
    {"x := 1, y := x", NULL},
    {"x = y++ + ++y", NULL},
    {"x = (y < 1 ? 2 : 3) + 1", NULL},
    {"x = b ? x : b ? y : 1", NULL},
    {"x = (b ? true : false) ? x : y", NULL},
    {"x = b ? (b ? 1 : 2) : 3", "x = b ? b ? 1 : 2 : 3"},
    {"b = !(x == 1)", NULL},
    {"b = not b and (b or not b)", NULL},
    {"b = not (b and b) or b", NULL},
    {"b = !(b && b || b)", NULL},
    {"b = (b || b) && (b || b && b)", NULL},
    {"b = b imply (b imply b)", NULL},
    {"b = (b imply b) imply b", "b = b imply b imply b"},
    {"b = b imply b || b", NULL},
    {"b = (b && b) == (x < 1)", NULL},
    {"b = x < 1 == y < 1", "b = (x < 1) == (y < 1)"},
    {"b = (x == y) == (y == x)", NULL},
    {"b = x == y == b", "b = (x == y) == b"},
    {"b = x == (y == 1)", NULL},
    {"x = 1 << 2 + 1", NULL},
    {"x = (1 << 2) + 1", NULL},
    {"x = x & 1 | y & 2 ^ 3", NULL},
    {"x = (x | 1) & (y ^ 2)", NULL},
    {"b = (x & 1) == 0", NULL},
    {"x = x <? y >? 1", NULL},
    {"x = x <? (y >? 1)", NULL},
    {"x = (x <? y) + 1", NULL},
    {"b = forall (i : int[0,1]) a[i] == 1 && b", NULL},
    {"b = (forall (i : int[0,1]) a[i] == 1) && b", NULL},
    {"b = b && forall (i : int[0,1]) a[i] == 1", NULL},
    {"x = 1 + sum (i : int[0,1]) a[i] * 2", NULL},
    {"x = (sum (i : int[0,1]) a[i]) * 2", NULL},
    {"b = exists (i : int[0,1]) forall (j : int[0,1]) a[i] == a[j]", NULL},
    {"a[x = 0] = 1", NULL},
    {"x = one() + one() * (one() - 1)", NULL},
    {"x = abs(-x) + abs(x - 1)", NULL},
    {"(b ? x : y) = 1", NULL},
    {"x = (b ? a : a)[1]", NULL},
    {"x = y ** 2", NULL},
};

static struct expr_list parse_update(const char *text) {
    struct row row = {GLOBAL("int x, y; bool b; int a[2]; int one() { return 1; }"), UPDATE(text)};
    sample_close(&sample);
    sample_open(&sample, NULL);
    const struct model *model = sample_check(&sample, row.text);
    ck_assert_msg(!sample.diag.error_count, "%s: %s", text,
                  sample.diag.error_count ? sample.diag.items.items[0].message : "");
    return model->templates[0]->edges[0].updates;
}

START_TEST(parentheses_are_few_but_enough) {
    const char *written = texts_of_updates[_i].written, *expected = texts_of_updates[_i].printed;
    struct expr_list list = parse_update(written);
    char *once = NULL;
    struct buffer out = {0};
    print_expr_list(&out, &list);
    once = strdup(out.data);
    buffer_close(&out);
    ck_assert_str_eq(once, expected ? expected : written);
    list = parse_update(once);
    print_expr_list(&out, &list);
    ck_assert_str_eq(out.data, once);
    buffer_close(&out);
    free(once);
}
END_TEST

/* Every expression of a model, in a fixed order. */
struct expressions {
    VEC(const struct expr *) list;
};

static bool add_expression(void *context, const struct expr *expr) {
    struct expressions *all = context;
    VEC_PUSH(&sample.arena, &all->list, expr);
    return false; /* its parts are compared with it */
}

static void add_declarations(struct expressions *all, const struct declaration_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        if (declaration->function) walk_statement(declaration->function->body, add_expression, all);
        walk_list(&declaration->hook, add_expression, all);
    }
}

static void add_edge(struct expressions *all, const struct edge *edge) {
    const struct expr *single[] = {edge->written_guard, edge->sync, edge->weight};
    for (int i = 0; i < 3; i++)
        if (single[i]) add_expression(all, single[i]);
    walk_list(&edge->updates, add_expression, all);
}

static struct expressions expressions_of(const struct model *model) {
    struct expressions all = {0};
    add_declarations(&all, &model->declarations);
    add_declarations(&all, &model->system_declarations);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        add_declarations(&all, &template->declarations);
        for (uint32_t i = 0; i < template->location_count; i++)
            if (template->locations[i].written_invariant)
                add_expression(&all, template->locations[i].written_invariant);
        for (uint32_t i = 0; i < template->edge_count; i++) add_edge(&all, &template->edges[i]);
    }
    for (uint32_t i = 0; i < model->query_count; i++) {
        if (model->queries[i].predicate) add_expression(&all, model->queries[i].predicate);
        for (uint32_t k = 0; k < model->queries[i].expr_count; k++)
            add_expression(&all, model->queries[i].exprs[k]);
    }
    return all;
}

static void reprint_declarations(struct splices *splices, const struct element *element,
                                 const struct declaration_list *list) {
    struct buffer out = {0};
    if (!element || !list->count) return;
    for (uint32_t i = 0; i < list->count; i++) {
        print_declaration(&out, list->items[i], 0);
        buffer_add_text(&out, "\n");
    }
    splice_set_text(splices, element, str_of(buffer_take(&out, &sample.arena)));
    buffer_close(&out);
}

static void reprint_label(struct splices *splices, const struct labels *labels,
                          enum label_kind kind, const struct expr *expr, const char *behind) {
    const struct element *element = labels->of[kind];
    if (!element || !expr) return;
    const char *text = arena_printf(&sample.arena, "%s%s", printed(expr), behind);
    splice_set_text(splices, element, str_of(text));
}

static void reprint_edge(struct splices *splices, const struct edge *edge) {
    const struct labels *labels = &edge->xml->labels;
    struct buffer out = {0};
    reprint_label(splices, labels, LABEL_GUARD, edge->written_guard, "");
    reprint_label(splices, labels, LABEL_SYNC, edge->sync, edge->is_send ? "!" : "?");
    if (!labels->of[LABEL_UPDATE]) return;
    print_expr_list(&out, &edge->updates);
    if (out.data)
        splice_set_text(splices, labels->of[LABEL_UPDATE],
                        str_of(buffer_take(&out, &sample.arena)));
    buffer_close(&out);
}

static struct str reprint(const struct model *model) {
    struct splices splices;
    splices_init(&splices, model->document, &sample.arena);
    reprint_declarations(&splices, model->document->declaration, &model->declarations);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        reprint_declarations(&splices, template->xml->declaration, &template->declarations);
        for (uint32_t i = 0; i < template->location_count; i++)
            reprint_label(&splices, &template->locations[i].xml->labels, LABEL_INVARIANT,
                          template->locations[i].written_invariant, "");
        for (uint32_t i = 0; i < template->edge_count; i++)
            reprint_edge(&splices, &template->edges[i]);
    }
    return splices_apply(&splices);
}

static struct model *parse_model(struct document *document, const char *path, struct str bytes) {
    bool is_read = path ? document_load(document, &sample.arena, &sample.names, path, &sample.diag)
                        : document_parse(document, &sample.arena, &sample.names, "again.xml", bytes,
                                         &sample.diag);
    ck_assert_msg(is_read, "%s", path ? path : bytes.data);
    struct model *model = model_parse(&sample.arena, &sample.names, document, &sample.diag);
    ck_assert_msg(!sample.diag.error_count && model_check(model), "%s: %s",
                  path ? path : bytes.data,
                  sample.diag.error_count ? sample.diag.items.items[0].message : "");
    return model;
}

START_TEST(models_of_the_project_are_printed_as_meant) {
    glob_t found;
    ck_assert_int_eq(glob("tests/models/*.xml", 0, NULL, &found), 0);
    uint32_t count = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct document first, second;
        sample_close(&sample);
        sample_open(&sample, NULL);
        struct model *model = parse_model(&first, found.gl_pathv[i], (struct str){0});
        struct expressions before = expressions_of(model);
        model = parse_model(&second, NULL, reprint(model));
        struct expressions after = expressions_of(model);
        ck_assert_uint_eq(before.list.count, after.list.count);
        for (uint32_t k = 0; k < before.list.count; k++, count++)
            ck_assert_msg(same_tree(before.list.items[k], after.list.items[k]),
                          "%s: %s is read as %s", found.gl_pathv[i], printed(before.list.items[k]),
                          printed(after.list.items[k]));
    }
    globfree(&found);
    ck_assert_uint_gt(count, 500);
}
END_TEST

static TCase *add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    suite_add_tcase(suite, tests);
    return tests;
}

Suite *abstract_suite(void) {
    Suite *suite = suite_create("abstract");
    TCase *tests = add_case(suite, "request");
    tcase_add_loop_test(tests, request_is_resolved_or_refused, 0, COUNT(requests));
    tcase_add_loop_test(tests, obstacle_is_named, 0, COUNT(obstacles));
    tests = add_case(suite, "build");
    tcase_add_loop_test(tests, node_is_simplified, 0, COUNT(simplified));
    tcase_add_loop_test(tests, pair_keeps_its_value, 0, 19);
    tcase_add_loop_test(tests, conditions_are_joined, 0, 19);
    tcase_add_loop_test(tests, disjunction_is_short, 0, COUNT(disjunctions));
    tcase_add_loop_test(tests, membership_is_exact, 0, 16);
    tests = add_case(suite, "fold");
    tcase_add_loop_test(tests, guard_holds_for_some_value, 0, COUNT(folded));
    tests = add_case(suite, "print");
    tcase_add_loop_test(tests, parentheses_are_few_but_enough, 0, COUNT(texts_of_updates));
    tcase_add_test(tests, models_of_the_project_are_printed_as_meant);
    return suite;
}
