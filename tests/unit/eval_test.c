#include "lang/eval/eval.h"

#include "model_sample.h"

Suite *eval_suite(void);

/* A model with memory for its globals and for one process of P. */
static struct sample sample;
static struct model *model;
static struct edge *edge;
static struct environment environment;
static struct binding *globals, *locals;

static void setup(void) { sample_open(&sample, NULL); }

static void teardown(void) {
    eval_close(&environment);
    sample_close(&sample);
}

static void bind(struct binding *table, struct symbol *const *symbols, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        table[i].shape = eval_shape(&environment, symbols[i]->type);
        if (!table[i].shape) return;
        table[i].address = eval_push(&environment, table[i].shape->cell_count);
        if (!eval_initialise(&environment, symbols[i], &table[i])) return;
    }
}

static void load(const char *const *texts) {
    model = sample_check(&sample, texts);
    ck_assert_msg(!sample.diag.error_count, "%s: %s",
                  texts[PART_GUARD] ? texts[PART_GUARD] : texts[PART_GLOBAL],
                  sample.diag.error_count ? sample.diag.items.items[0].message : "");
    const struct template *template = model->templates[0];
    edge = &template->edges[0];
    globals = ARENA_ARRAY(&sample.arena, struct binding, model->symbol_count);
    locals = ARENA_ARRAY(&sample.arena, struct binding, template->symbol_count);
    environment = (struct environment){
        .arena = &sample.arena,
        .globals = globals,
        .locals = locals,
        .frame = ARENA_ARRAY(&sample.arena, struct binding, edge->frame_size + 1)};
    bind(globals, model->symbols, model->symbol_count);
    bind(locals, template->symbols, template->symbol_count);
}

static void update(void) {
    for (uint32_t i = 0; i < edge->updates.count; i++)
        eval_effect(&environment, edge->updates.items[i]);
}

static const struct binding *global(const char *name) {
    for (uint32_t i = 0; i < model->symbol_count; i++)
        if (!strcmp(model->symbols[i]->name, name)) return &globals[i];
    ck_abort_msg("no global %s", name);
}

static int32_t cell(const char *name, uint32_t offset) {
    return environment.cells[global(name)->address + offset];
}

static const char declarations[] =
    "const int N = 3; int x = 7, y = -7; bool b, c = true; int[0,5] z = 5; int[2,5] e = 4;\n"
    "int32_t w = 2147483647, v = -2147483648; int a[N] = {10, 20, 30}, a2[2][N] = {{1, 2, 3}, {4, "
    "5, 6}};\n"
    "typedef int[2,5] t; int ta[t] = {2, 3, 4, 5}; typedef scalar[3] S; S s; int sa[S];\n"
    "typedef struct { int f; bool g; int h[2]; } R; R r = {h : {8, 9}, f : 1, g : true}, q, "
    "ra[2];\n"
    "typedef struct { int f, k; bool g; } M; M ma[2];\n"
    "int[-9,-3] low; int[3,9] high; meta int m; chan ch, chs[2];\n"
    "int add(int i, int j) { return i + j; }\n"
    "int count(int n) { int k; while (n > 0) { n--; k += 2; } return k; }\n"
    "M make(int i) { M n; n.f = i; n.k = i + 1; return n; }\n"
    "void swap(int &i, int &j) { int k = i; i = j; j = k; }\n"
    "int total(const int &k[N]) { int n; for (i : int[0,2]) n += k[i]; return n; }\n"
    "int own(int k[N]) { k[0] = 99; return k[0]; }\n"
    "bool touch() { x = 1; return true; }\n";

/* What an expression is worth after some updates. */
struct value {
    const char *update, *expr;
    int32_t value;
};

static const struct value values[] = {
    {"", "x + 2 * 3 - 1", 12},
    {"", "x / 2 * 10 + x % 2", 31},
    {"", "y / 2 * 10 + y % 2", -31},
    {"", "(x << 3) + (y >> 1)", 52},
    {"", "(-1) >> 31", -1},
    {"", "x & 3 | 8 ^ 2", 11},
    {"", "x <? y", -7},
    {"", "x >? y", 7},
    {"", "2 ** 10", 1024},
    {"", "-x ** 2", 49},
    {"", "(-2) ** 3", -8},
    {"", "0 ** 0", 1},
    {"", "abs(y) + abs(x)", 14},
    {"", "5 == true", 0},
    {"", "(5 && 3) == true", 1},
    {"", "!x + !b", 1},
    {"", "x xor y", 0},
    {"", "b imply x == 0", 1},
    {"", "c imply b", 0},
    {"", "1 < 2 < 3", 1},
    {"", "c ? x : y", 7},
    {"", "a[1] + a2[1][2] + ta[5]", 31},
    {"", "r.f + r.g + r.h[1]", 11},
    {"", "make(4).f + make(4).k", 9},
    {"", "add(add(1, 2), add(3, add(4, 5)))", 15},
    {"", "count(10)", 20},
    {"", "total(a)", 60},
    {"", "own(a) + a[0]", 109},
    {"", "forall (i : t) ta[i] == i", 1},
    {"", "exists (i : int[0,2]) a[i] == 20", 1},
    {"", "exists (i : int[0,2]) a[i] == 21", 0},
    {"", "sum (i : int[0,2]) sum (j : int[0,1]) a2[j][i]", 21},
    {"", "sum (i : int[0,2]) (forall (j : int[0,2]) a[j] > i) ? add(i, 1) : 0", 6},
    {"", "forall (i : S) sa[i] == 0 && (i == s) == (i == s)", 1},
    {"", "-2147483648 == v", 1},
    {"", "low * 100 + high", -897},
    {"", "c || 1 / (x - 7) > 0", 1},
    {"", "b && 1 / (x - 7) > 0", 0},
    {"", "b imply 1 / (x - 7) > 0", 1},
    {"", "c ? 1 : 1 / (x - 7)", 1},
    {"", "exists (i : int[0,5]) i == 2 || a[i] == 0", 1},
    {"", "ch == ch && ch != chs[0] && chs[1] == chs[z - 4]", 1},
    {"x = 1, x += 2, x *= 3, x -= 1, x /= 2, x %= 3", "x", 1},
    {"x = 6, x &= 3, x |= 8, x ^= 1, x <<= 2, x >>= 1", "x", 22},
    {"x = y = 3", "x + y", 6},
    {"x = (y++) + (++y)", "x * 100 + y", -1205},
    {"x = y-- - --y", "x", 2},
    {"(x = 1) = 2", "x", 2},
    {"++x = 3", "x", 3},
    {"(c ? x : y) = 3", "x * 10 + y", 23},
    {"b = 5", "b", 1},
    {"b |= 4, x = b", "x", 1},
    {"c -= 1", "c", 0},
    {"x = c ? y = 2 : 3", "x + y", 4},
    {"c ? x = 1 : (y = 1)", "x + y", -6},
    {"a = a2[1]", "a[0] * 100 + a[2]", 406},
    {"a[1] = a[0]++", "a[0] * 100 + a[1]", 1110},
    {"q = r", "q == r", 1},
    {"q = r, q.h[1] = 0", "q == r", 0},
    {"q = r, q.h[1] = 0", "q != r", 1},
    {"ma[1] = make(6), ma[0].f = ma[1].f", "ma[0].f + ma[1].k", 13},
    {"swap(x, a[1])", "x * 100 + a[1]", 2007},
    {"swap(r.f, r.h[0])", "r.f * 10 + r.h[0]", 81},
    {"swap(c ? x : y, y)", "x", -7},
    {"swap(x = 3, y)", "x * 10 + y", -67},
    {"x = sum (i : int[0,2]) a[i]", "x", 60},
    {"make(1), x = 2", "x", 2},
    {"b && touch()", "x", 7},
    {"c && touch()", "x", 1},
    {"touch() || touch()", "x", 1},
};

static void load_values(const char *update, const char *expr) {
    struct row row = {GLOBAL(declarations), UPDATE(update), GUARD(expr)};
    load(row.text);
}

START_TEST(computes) {
    const struct value *row = &values[_i];
    load_values(row->update, row->expr);
    uint32_t stack = environment.stack;
    update();
    int32_t value = eval_int(&environment, edge->written_guard);
    ck_assert_msg(environment.fault.kind == FAULT_NONE, "%s; %s: %s", row->update, row->expr,
                  fault_name(environment.fault.kind));
    ck_assert_msg(value == row->value, "%s; %s: %d", row->update, row->expr, value);
    ck_assert_uint_eq(environment.stack, stack);
}
END_TEST

/* Arithmetic that leaves 32 bits wraps and says so. */
static const struct value wraps[] = {
    {"", "w + 1", INT32_MIN},         {"", "v - 1", INT32_MAX},   {"", "-v", INT32_MIN},
    {"", "v / (-1)", INT32_MIN},      {"", "abs(v)", INT32_MIN},  {"", "w * 2", -2},
    {"", "1 << 31", INT32_MIN},       {"", "3 << 31", INT32_MIN}, {"", "3 ** 21", 1870418611},
    {"", "sum (i : int[0,1]) w", -2},
};

START_TEST(wraps_around) {
    load_values(wraps[_i].update, wraps[_i].expr);
    ck_assert(!environment.has_overflow);
    ck_assert_int_eq(eval_int(&environment, edge->written_guard), wraps[_i].value);
    ck_assert(environment.has_overflow);
    ck_assert_int_eq(environment.fault.kind, FAULT_NONE);
}
END_TEST

START_TEST(does_not_wrap) {
    static const char *const exprs[] = {"v % (-1)", "-2147483648", "v ** 1", "w / 1 + v",
                                        "2 ** 30"};
    load_values("", exprs[_i]);
    eval_int(&environment, edge->written_guard);
    ck_assert(!environment.has_overflow);
    ck_assert_int_eq(environment.fault.kind, FAULT_NONE);
}
END_TEST

/* Invalid evaluations, and where in the update they are found. */
static const struct {
    const char *update;
    enum fault_kind kind;
    uint32_t column;
} faults[] = {
    {"z = 6", FAULT_RANGE, 1},
    {"x = 1, z = -1", FAULT_RANGE, 8},
    {"z++", FAULT_RANGE, 1},
    {"x = 32768", FAULT_RANGE, 1},
    {"x = 32767 + 1", FAULT_RANGE, 1},
    {"low = 0", FAULT_RANGE, 1},
    {"e = 1", FAULT_RANGE, 1},
    {"a[0] += 40000", FAULT_RANGE, 1},
    {"x = add(40000, 1)", FAULT_RANGE, 9},
    {"x = add(30000, 30000)", FAULT_RANGE, 0},
    {"a[3] = 1", FAULT_INDEX, 1},
    {"x = a[-1]", FAULT_INDEX, 5},
    {"x = ta[1]", FAULT_INDEX, 5},
    {"x = a2[1][3]", FAULT_INDEX, 5},
    {"x = sum (i : int[0,3]) a[i]", FAULT_INDEX, 24},
    {"x = 1 / (x - 7)", FAULT_DIVISION, 5},
    {"x /= x - 7", FAULT_DIVISION, 1},
    {"x = 0 ** (-1)", FAULT_POWER, 5},
    {"x = 2 ** (-1)", FAULT_POWER, 5},
    {"x = 1 ** (x - 8)", FAULT_POWER, 5},
    {"x = 1 << 32", FAULT_SHIFT, 5},
    {"x = 1 >> (-1)", FAULT_SHIFT, 5},
    {"x <<= y", FAULT_SHIFT, 1},
    {"x = count(0) / count(0), y = 1", FAULT_DIVISION, 5},
};

START_TEST(faults_where_it_hurts) {
    load_values(faults[_i].update, "true");
    int32_t before = cell("y", 0);
    uint32_t stack = environment.stack;
    update();
    ck_assert_int_eq(environment.fault.kind, faults[_i].kind);
    struct source_location place =
        source_locate(&sample.document.source, environment.fault.span.begin);
    if (faults[_i].column) {
        ck_assert_uint_eq(place.line, sample.lines[PART_UPDATE]);
        ck_assert_uint_eq(place.column, sample.columns[PART_UPDATE] + faults[_i].column - 1);
    }
    if (faults[_i].kind) ck_assert_int_eq(cell("y", 0), before);
    ck_assert_uint_eq(environment.stack, stack);
}
END_TEST

/* Statements: the value of f() with int x, y and int a[5] around it. */
static const struct {
    const char *body;
    enum fault_kind kind;
    int32_t value;
} bodies[] = {
    {"return 3;", FAULT_NONE, 3},
    {"if (x > 0) return 1; else if (x < 0) return 2; else return 4;", FAULT_NONE, 4},
    {"int i; for (i = 0; i < 5; i++) a[i] = i * i; return a[4];", FAULT_NONE, 16},
    {"int i, j; for (i = 0, j = 9; i < j; i++, j--) x++; return x;", FAULT_NONE, 5},
    {"do x += 2; while (x < 5); return x;", FAULT_NONE, 6},
    {"do x++; while (false); return x;", FAULT_NONE, 1},
    {"while (x++, x < 4) y += x; return y * 10 + x;", FAULT_NONE, 64},
    {"int s; for (i : int[2,4]) { int k = i; s += k; k = 9; } return s;", FAULT_NONE, 9},
    {"for (i : int[0,3]) for (j : int[0,3]) if (i * j == 6) return i * 10 + j; return 0;",
     FAULT_NONE, 23},
    {"int i = 1; { int i = 2; { int i = 3; x = i; } x += i * 10; } return x + i * 100;", FAULT_NONE,
     123},
    {"for (i : int[0,2]) { int k; k++; x += k; } return x;", FAULT_NONE, 3},
    {"const int k = x + 1; int b[2] = {k, k + 1}; x = 5; return b[0] * 10 + b[1];", FAULT_NONE, 12},
    {"typedef int[0,3] L; L l; for (i : L) l = i; return l;", FAULT_NONE, 3},
    {"int b[5]; b = a; b[2] = 7; return a[2] + b[2] + (a == b);", FAULT_NONE, 7},
    {"return forall (i : int[0,4]) exists (j : int[0,4]) a[i] == a[j];", FAULT_NONE, 1},
    {"int[0,3] k = 3; k++; return 0;", FAULT_RANGE, 0},
    {"int[0,3] k = 4; return 0;", FAULT_RANGE, 0},
    {"int k[2] = {1, 2, 3}; return 0;", FAULT_COUNT, 0},
    {"int k[2] = {1}; return 0;", FAULT_COUNT, 0},
    {"for (i : int[3,1]) x++; return x;", FAULT_SIZE, 0},
    {"assert x == 0; assert x == 1; return 0;", FAULT_ASSERT, 0},
    {"while (true) x = 0; return 0;", FAULT_STEPS, 0},
    {"for (i : int32_t) { } return 0;", FAULT_STEPS, 0},
    {"int k[4096][4096]; int l[2]; return 0;", FAULT_STEPS, 0},
    {"return 40000;", FAULT_RANGE, 0},
    {"return y / x;", FAULT_DIVISION, 0},
};

START_TEST(runs_statements) {
    struct row row = {
        GLOBAL(arena_printf(&sample.arena, "int x, y, a[5]; int f() { %s }", bodies[_i].body)),
        UPDATE("f()")};
    load(row.text);
    uint32_t stack = environment.stack;
    int32_t value = eval_int(&environment, edge->updates.items[0]);
    ck_assert_msg(environment.fault.kind == bodies[_i].kind, "%s: %s", bodies[_i].body,
                  fault_name(environment.fault.kind));
    ck_assert_msg(value == bodies[_i].value, "%s: %d", bodies[_i].body, value);
    ck_assert_uint_eq(environment.stack, stack);
    ck_assert_ptr_eq(environment.locals, locals);
}
END_TEST

START_TEST(gives_initial_values) {
    struct row row = {
        GLOBAL("int x; bool b; int[3,9] high[2]; int[-9,-3] low; scalar[4] s;"
               "struct { int[1,2] f; bool g; } r, ra[2] = {{2, true}, {g : 3, f : 1}};"
               "const int k = 100000; const int t[2] = {k, -k}; int u[2] = {sum (i : "
               "int[0,2]) i, 5};")};
    load(row.text);
    static const struct {
        const char *name;
        uint32_t offset;
        int32_t value;
    } cells[] = {{"x", 0, 0},      {"b", 0, 0},       {"high", 0, 3}, {"high", 1, 3},
                 {"low", 0, -9},   {"s", 0, 0},       {"r", 0, 1},    {"r", 1, 0},
                 {"ra", 0, 2},     {"ra", 1, 1},      {"ra", 2, 1},   {"ra", 3, 1},
                 {"k", 0, 100000}, {"t", 1, -100000}, {"u", 0, 3},    {"u", 1, 5}};
    ck_assert_int_eq(environment.fault.kind, FAULT_NONE);
    for (int i = 0; i < COUNT(cells); i++)
        ck_assert_msg(cell(cells[i].name, cells[i].offset) == cells[i].value, "%s", cells[i].name);
    const struct shape *shape = global("ra")->shape;
    ck_assert_int_eq(shape->kind, SHAPE_ARRAY);
    ck_assert_uint_eq(shape->cell_count, 4);
    ck_assert_uint_eq(shape->element->offsets[1], 1);
    ck_assert(shape->element->fields[1]->is_bool);
    ck_assert(global("s")->shape->is_scalar && global("s")->shape->upper == 3);
}
END_TEST

START_TEST(refuses_shapes) {
    static const struct {
        const char *text;
        enum fault_kind kind;
    } shapes[] = {{"int[3,1] q;", FAULT_SIZE},         {"int q[0];", FAULT_SIZE},
                  {"int q[-1];", FAULT_SIZE},          {"scalar[0] q;", FAULT_SIZE},
                  {"int q[65536][257];", FAULT_STEPS}, {"int q[int32_t];", FAULT_STEPS},
                  {"int[0,1/0] q;", FAULT_DIVISION},   {"int q = 100000;", FAULT_RANGE},
                  {"int q[2] = {1};", FAULT_COUNT}};
    struct row row = {GLOBAL(shapes[_i].text)};
    load(row.text);
    ck_assert_int_eq(environment.fault.kind, shapes[_i].kind);
}
END_TEST

/* One type, two processes, two shapes. */
START_TEST(keeps_shapes_apart) {
    struct row row = {PARAMETER("const int n"), LOCAL("int[0,n] v; int u[3];"),
                      SYSTEM("Q = P(4); system Q;")};
    load(row.text);
    struct symbol *const *symbols = model->templates[0]->symbols;
    environment.cells[locals[0].address] = 4;
    struct binding other[3] = {{eval_push(&environment, 1), locals[0].shape}};
    environment.cells[other[0].address] = 9;
    const struct shape *first = locals[1].shape; /* made while n was 0 */
    environment.locals = other;
    const struct shape *second = eval_shape(&environment, symbols[1]->type);
    ck_assert_int_eq(first->upper, 0);
    ck_assert_int_eq(second->upper, 9);
    ck_assert_ptr_eq(eval_shape(&environment, symbols[2]->type), locals[2].shape);
    environment.locals = locals;
    ck_assert_ptr_eq(eval_shape(&environment, symbols[1]->type), first);
    environment.locals = NULL;
    struct binding nothing[3] = {{0, NULL}};
    environment.locals = nothing;
    ck_assert_ptr_null(eval_shape(&environment, symbols[1]->type));
    ck_assert_int_eq(environment.fault.kind, FAULT_UNBOUND);
}
END_TEST

/* Hooks */

static uint64_t seen; /* bit i: address i was read */
static int32_t write_limit;

static int32_t note_read(void *context, uint32_t address) {
    (void)context;
    seen |= UINT64_C(1) << address;
    return environment.cells[address];
}

static bool note_write(void *context, uint32_t address, int32_t value) {
    (void)context;
    seen |= UINT64_C(1) << (32 + address);
    return value < write_limit;
}

static const struct {
    const char *update, *guard;
    uint64_t reads, writes; /* bits in order of x, y, b, a[0] ... a[2], r.f, r.g */
} accesses[] = {
    {"", "x == 0", 0x01, 0},
    {"", "x == 1 && y == 0", 0x01, 0},
    {"", "x == 0 && y == 0", 0x03, 0},
    {"", "a[x] == 0", 0x09, 0},
    {"", "forall (i : int[0,2]) a[i] > 0", 0x08, 0},
    {"", "exists (i : int[0,2]) a[i] > 0", 0x38, 0},
    {"", "add(x, y) == 0", 0x03, 0},
    {"x = 1", "true", 0, 0x01},
    {"x = y", "true", 0x02, 0x01},
    {"x++", "true", 0x01, 0x01},
    {"x += y", "true", 0x03, 0x01},
    {"x = y = 1", "true", 0, 0x03},
    {"a[y] = 1", "true", 0x02, 0x08},
    {"r = s", "true", 0x300, 0xc0},
    {"b = 7", "true", 0, 0x04},
    {"set(x, 3)", "true", 0, 0x01},
    {"x = twice(y)", "true", 0x02, 0x01},
};

START_TEST(calls_hooks) {
    struct row row = {GLOBAL("int x, y; bool b; int a[3]; typedef struct { int f; bool g; } R;"
                             "R r, s; int add(int i, int j) { return i + j; }"
                             "void set(int &i, int j) { i = j; }"
                             "int twice(const int &i) { int k; k = 2; return k * i; }"),
                      UPDATE(accesses[_i].update), GUARD(accesses[_i].guard)};
    load(row.text);
    uint32_t first = global("x")->address; /* behind the predeclared constants */
    environment.tracked_count = first + 10;
    ck_assert_uint_lt(environment.tracked_count, 32);
    environment.read = note_read;
    environment.write = note_write;
    seen = 0;
    write_limit = INT32_MAX;
    eval_int(&environment, edge->written_guard);
    update();
    ck_assert_int_eq(environment.fault.kind, FAULT_NONE);
    ck_assert_msg((seen & UINT32_MAX) >> first == accesses[_i].reads, "%s %s: reads %llx",
                  accesses[_i].update, accesses[_i].guard,
                  (unsigned long long)((seen & UINT32_MAX) >> first));
    ck_assert_uint_eq(seen >> 32 >> first, accesses[_i].writes);
}
END_TEST

START_TEST(stops_when_a_hook_says_so) {
    struct row row = {GLOBAL("int x, y;"), UPDATE("x = 3, y = 5, x = 4")};
    load(row.text);
    environment.tracked_count = environment.stack;
    environment.write = note_write;
    write_limit = 5;
    update();
    ck_assert_int_eq(environment.fault.kind, FAULT_STOPPED);
    ck_assert_int_eq(cell("x", 0), 3);
    ck_assert_int_eq(cell("y", 0), 0);
}
END_TEST

/* Processes and locations in queries */

static bool find_process(void *context, const struct symbol *symbol, const int32_t *arguments,
                         uint32_t count, struct process_view *view) {
    (void)context;
    ck_assert_str_eq(symbol->name, "P");
    ck_assert_uint_eq(count, 1);
    *view = (struct process_view){locals, (uint32_t)arguments[0]};
    return arguments[0] >= 0 && arguments[0] <= 2;
}

static bool is_process_at(void *context, uint32_t process, const struct symbol *location) {
    (void)context;
    return process == location->location;
}

static bool is_at(void *context, const struct symbol *location) {
    (void)context;
    return location->location == 0;
}

static bool is_deadlocked(void *context) {
    (void)context;
    return true;
}

static const struct {
    const char *query;
    int32_t value;
    enum fault_kind kind;
} queries[] = {
    {"A[] P(0).A", 1, FAULT_NONE},
    {"A[] P(1).A", 0, FAULT_NONE},
    {"A[] forall (i : t) P(i).B imply i == 1", 1, FAULT_NONE},
    {"A[] P(x).v == 7 && P(2).u[1] == 6", 1, FAULT_NONE},
    {"A[] P(1).get(3) == 10", 1, FAULT_NONE},
    {"A[] P(1).n == 0", 1, FAULT_NONE},
    {"A[] P(3).A", 0, FAULT_PROCESS},
    {"A[] not deadlock", 0, FAULT_NONE},
    {"A[] P(0).u[2] == 0", 0, FAULT_INDEX},
};

START_TEST(looks_into_processes) {
    struct row row = {GLOBAL("int x; typedef int[0,2] t;"), PARAMETER("const t n"),
                      LOCAL("int v = 7, u[2] = {5, 6}; int get(int i) { return v + i + n; }"),
                      QUERY(queries[_i].query)};
    load(row.text);
    environment.locals = NULL;
    environment.frame = NULL;
    const struct expr *predicate = model->queries[0].predicate;
    eval_int(&environment, predicate);
    ck_assert_int_eq(environment.fault.kind, FAULT_UNBOUND);
    environment.fault = (struct fault){0};
    environment.find_process = find_process;
    environment.is_process_at = is_process_at;
    environment.is_deadlocked = is_deadlocked;
    ck_assert_int_eq(eval_int(&environment, predicate), queries[_i].value);
    ck_assert_int_eq(environment.fault.kind, queries[_i].kind);
}
END_TEST

START_TEST(knows_own_locations) {
    struct row row = {GUARD("A && !B")};
    load(row.text);
    eval_int(&environment, edge->written_guard);
    ck_assert_int_eq(environment.fault.kind, FAULT_UNBOUND);
    environment.fault = (struct fault){0};
    environment.is_at = is_at;
    ck_assert_int_eq(eval_int(&environment, edge->written_guard), 1);
}
END_TEST

START_TEST(finds_channels_and_selects) {
    struct row row = {GLOBAL("chan c, d[3];"), PARAMETER("chan &p"), SELECT("i : int[0,2]"),
                      SYNC("d[i]!"),           UPDATE("1"),          SYSTEM("Q = P(c); system Q;")};
    load(row.text);
    uint32_t address;
    ck_assert(!eval_channel(&environment, edge->sync, &address));
    ck_assert_int_eq(environment.fault.kind, FAULT_UNBOUND);
    environment.fault = (struct fault){0};
    const struct symbol *select = edge->selects[0];
    environment.frame[select->index] =
        (struct binding){eval_push(&environment, 1), eval_shape(&environment, select->type)};
    environment.cells[environment.frame[select->index].address] = 2;
    ck_assert(eval_channel(&environment, edge->sync, &address));
    ck_assert_uint_eq(address, global("d")->address + 2);
}
END_TEST

/* Once shapes and frames are there, evaluations allocate nothing. */
START_TEST(needs_no_memory_again) {
    load_values("x = count(10) + total(a) + make(3).k, swap(x, y)",
                "forall (i : t) exists (j : S) sa[j] + ta[i] + count(i) > 0");
    eval_int(&environment, edge->written_guard);
    update();
    size_t size = sample.arena.used_size;
    uint32_t stack = environment.stack;
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(eval_int(&environment, edge->written_guard), 1);
        update();
    }
    ck_assert_int_eq(environment.fault.kind, FAULT_NONE);
    ck_assert_uint_eq(sample.arena.used_size, size);
    ck_assert_uint_eq(environment.stack, stack);
}
END_TEST

/* Deep expressions inside deep calls end in a fault, not in a crash. */
START_TEST(bounds_depth) {
    struct buffer text = {0};
    buffer_add_text(&text, "int f0(int i) { return i; }");
    for (int i = 1; i < 200; i++) {
        buffer_printf(&text, "int f%d(int i) { return ", i);
        for (int k = 0; k < 60; k++) buffer_add_text(&text, "(");
        buffer_printf(&text, "f%d(i)", i - 1);
        for (int k = 0; k < 60; k++) buffer_add_text(&text, " + 0)");
        buffer_add_text(&text, "; }");
    }
    struct row row = {GLOBAL(arena_copy(&sample.arena, text.data, text.size)), GUARD("f20(5) == 5"),
                      UPDATE("f199(5)")};
    buffer_close(&text);
    load(row.text);
    ck_assert_int_eq(eval_int(&environment, edge->written_guard), 1);
    ck_assert_int_eq(environment.fault.kind, FAULT_NONE);
    update();
    ck_assert_int_eq(environment.fault.kind, FAULT_STEPS);
}
END_TEST

Suite *eval_suite(void) {
    Suite *suite = suite_create("eval");
    TCase *test = tcase_create("evaluation");
    tcase_set_timeout(test, 60);
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_loop_test(test, computes, 0, COUNT(values));
    tcase_add_loop_test(test, wraps_around, 0, COUNT(wraps));
    tcase_add_loop_test(test, does_not_wrap, 0, 5);
    tcase_add_loop_test(test, faults_where_it_hurts, 0, COUNT(faults));
    tcase_add_loop_test(test, runs_statements, 0, COUNT(bodies));
    tcase_add_test(test, gives_initial_values);
    tcase_add_loop_test(test, refuses_shapes, 0, 9);
    tcase_add_test(test, keeps_shapes_apart);
    tcase_add_loop_test(test, calls_hooks, 0, COUNT(accesses));
    tcase_add_test(test, stops_when_a_hook_says_so);
    tcase_add_loop_test(test, looks_into_processes, 0, COUNT(queries));
    tcase_add_test(test, knows_own_locations);
    tcase_add_test(test, finds_channels_and_selects);
    tcase_add_test(test, needs_no_memory_again);
    tcase_add_test(test, bounds_depth);
    suite_add_tcase(suite, test);
    return suite;
}
