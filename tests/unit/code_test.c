#include "explore/code/compile.h"

#include "approx_sample.h"

#include <check.h>

Suite *code_suite(void);

/* Random labels give the same, compiled and interpreted, in random states. */

static uint32_t seed;

static uint32_t pick(uint32_t count) {
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed ^ seed >> 15) * count >> 32);
}

static const char declarations[] =
    "int[-3,7] x; int y = 4, w; bool b; int[0,3] a[4]; int[-9,9] m2[2][3]; meta int[0,9] m;"
    "typedef struct { int[0,5] f; bool g; } pair; pair s, t[2]; const int K[3] = {2, 5, -1};"
    "int twice(int n) { int r = n; r += n; return r; }"
    "int count(int n) { int i, c = 0; for (i = 0; i < n && i < 9; i++) if (a[i % 4] > 1) c++;"
    " return c; }"
    "bool bump(int &r) { r = r + 1; return r > 2; }"
    "int find(int n) { for (i : int[0,3]) { if (a[i] == n) return i; } return -1; }"
    "void fill(int n) { int i = 0; while (i < 4) { a[i] = n; i++; n = n / 2; } }"
    "pair make(int n) { pair p; p.f = n; p.g = n > 2; return p; }"
    "void swap(int &p, int &q) { int h = p; p = q; q = h; }";

static void add_expr(struct buffer *out, int depth);

static void add_operation(struct buffer *out, const char *operator, int depth) {
    buffer_add_text(out, "(");
    add_expr(out, depth);
    buffer_printf(out, " %s ", operator);
    add_expr(out, depth);
    buffer_add_text(out, ")");
}

static bool is_in_body; /* of a function, with parameters and variables of its own */

static void add_place(struct buffer *out, int depth, bool is_number) {
    static const char *const names[] = {"x", "y", "m",   "s.f", "t[1].f", "z",
                                        "w", "b", "s.g", "c"}; /* the last ones are no numbers */
    static const char *const locals[] = {"n", "r", "p", "q", "l[1]", "l[x % 3]", "u.f", "d", "u.g"};
    uint32_t kind = pick(12);
    if (is_in_body && pick(2)) {
        buffer_add_text(out, locals[pick(is_number ? 7 : 9)]);
        return;
    }
    if (kind < 9 || depth <= 0) {
        buffer_add_text(out, names[kind % (is_number ? 7 : 10)]);
        return;
    }
    buffer_add_text(out, kind == 9 ? "a[" : kind == 10 ? "t[" : "m2[");
    add_expr(out, depth - 2);
    if (kind == 11) {
        buffer_add_text(out, "][");
        add_expr(out, depth - 2);
    }
    buffer_add_text(out, kind == 10 ? "].f" : "]");
}

static void add_atom(struct buffer *out) {
    static const char *const atoms[] = {"0",  "1", "2",    "3",   "-1",         "7",
                                        "id", "N", "true", "100", "2147483647", "k"};
    if (pick(2)) /* selects are not known in a body */
        add_place(out, 0, false);
    else
        buffer_add_text(out, atoms[pick(sizeof atoms / sizeof *atoms - is_in_body)]);
}

static void add_call(struct buffer *out, const char *before, int depth, const char *after) {
    buffer_add_text(out, before);
    add_expr(out, depth);
    buffer_add_text(out, after);
}

/* Without side effects. */
static void add_expr(struct buffer *out, int depth) {
    static const char *const operators[] = {
        "+",  "-",  "*",  "/", "%",  "&",  "|",  "^",     "<<",  ">>", "<?", ">?", "<",
        "<=", "==", "!=", ">", ">=", "&&", "||", "imply", "and", "or", "<",  "==", "+"};
    if (depth <= 0) {
        add_atom(out);
        return;
    }
    switch (pick(18)) {
    case 0: add_call(out, "(!", depth - 1, ")"); break;
    case 1: add_call(out, "(- ", depth - 1, ")"); break;
    case 2: add_call(out, "twice(", depth - 1, ")"); break;
    case 3: add_call(out, "count(", depth - 1, ")"); break;
    case 4: add_call(out, "find(", depth - 1, ")"); break;
    case 5: add_call(out, "make(", depth - 1, ").f"); break;
    case 6: add_call(out, "(forall (i : int[0,3]) a[i] <= ", depth - 1, ")"); break;
    case 7: add_call(out, "(exists (i : int[-1,2]) K[i] * i == ", depth - 1, ")"); break;
    case 8: add_call(out, "(sum (i : int[0,2]) a[i] * K[i] + ", depth - 1, ")"); break;
    case 9: add_call(out, "K[", depth - 1, "]"); break;
    case 10:
        buffer_add_text(out, "(");
        add_expr(out, depth - 1);
        add_call(out, " ? ", depth - 1, " : ");
        add_expr(out, depth - 1);
        buffer_add_text(out, ")");
        break;
    case 11: add_place(out, depth, false); break;
    case 12: buffer_add_text(out, pick(2) ? "(s == t[1])" : "(t[0] != make(x))"); break;
    default: add_operation(out, operators[pick(sizeof operators / sizeof *operators)], depth - 1);
    }
}

static void add_assignment(struct buffer *out) {
    static const char *const operators[] = {
        " = ", " = ", " += ", " -= ", " *= ", " = ", " %= ", " |= ", " ^= ", " <<= "};
    static const char *const calls[] = {"s = t[0]",
                                        "t[1] = make(x)",
                                        "fill(y)",
                                        "swap(y, w)",
                                        "b = bump(y)",
                                        "t[0] = s",
                                        "x = (y = 3)",
                                        "y = x++ + z--",
                                        "x = y++ * 2 + y",
                                        "a[x] = x++",
                                        "t[x].f = x--",
                                        "y = b ? x++ : --z",
                                        "b = x > y",
                                        "c = !b",
                                        "s.g = m",
                                        "t[x].g = w > y++",
                                        "x = (b = y) + 1",
                                        "y = bump(w) + w",
                                        "m2[x][y] += x--",
                                        "y = x + work(y, w)",
                                        "x = work(x, y) - x",
                                        "a[x] = a[2] + work(y, w)",
                                        "w = y + work(w, y) + y",
                                        "work(z, y)"};
    switch (pick(6)) {
    case 0:
        add_place(out, 2, true);
        buffer_add_text(out, pick(2) ? "++" : "--");
        break;
    case 1: buffer_add_text(out, calls[pick(sizeof calls / sizeof *calls)]); break;
    default:
        add_place(out, 2, true);
        buffer_add_text(out, operators[pick(sizeof operators / sizeof *operators)]);
        add_expr(out, (int)pick(4));
    }
}

static void add_statements(struct buffer *out, int depth);

static void add_statement(struct buffer *out, int depth) {
    static const char *const copies[] = {"{ int o = x; x = o + 1; q = o; } ",
                                         "{ int o = y; y = o - 2; p = o; } ",
                                         "{ int o = a[1]; a[1]++; n = o; } ",
                                         "p = x++; ",
                                         "u = t[0]; ",
                                         "l[2] += p; ",
                                         "swap(l[0], r); ",
                                         "d = bump(p); ",
                                         "s = make(q); ",
                                         "q = (sum (i : int[0,70]) a[i % 4] * p) % 9; ",
                                         "d = u == t[1]; ",
                                         "p = l[l[0] % 3]; ",
                                         "{ int o = r; r += 3; q += o; } "};
    switch (pick(depth > 0 ? 10 : 6)) {
    case 5: buffer_add_text(out, copies[pick(sizeof copies / sizeof *copies)]); break;
    case 0: add_call(out, "p = ", 2, ";"); break;
    case 1: add_call(out, "q = ", 2, ";"); break;
    case 6:
        add_call(out, "if (", 2, ") { ");
        add_statements(out, depth - 1);
        buffer_add_text(out, "} ");
        if (pick(2)) return;
        buffer_add_text(out, "else { ");
        add_statements(out, depth - 1);
        buffer_add_text(out, "} ");
        break;
    case 7:
        buffer_printf(out, "for (i%d : int[0,%u]) { ", depth, pick(4) ? pick(3) : 70);
        add_statements(out, depth - 1);
        buffer_add_text(out, "} ");
        break;
    case 8:
        add_call(out, "while (h++ < 3 && ", 1, ") { ");
        add_statements(out, depth - 1);
        buffer_add_text(out, "} ");
        break;
    case 9:
        if (pick(2)) return;
        add_call(out, "return ", 2, "; ");
        break;
    default: add_place(out, 1, true); add_call(out, " = ", 2, "; ");
    }
}

static void add_statements(struct buffer *out, int depth) {
    for (uint32_t more = 1 + pick(3); more-- > 0;) add_statement(out, depth);
}

static void add_function(struct buffer *out) {
    is_in_body = true;
    buffer_add_text(
        out, "int work(int n, int &r) { int h = 0, p = x, l[3] = {n, x, 2}; int[-9,9] q = n; "
             "pair u = t[1]; bool d = y > n; ");
    add_statements(out, 2);
    add_call(out, "return p + q * 3 + ", 1, "; }");
    is_in_body = false;
}

/* Of a channel, which may not be there. */
static void add_channel(struct buffer *out, int depth) {
    switch (pick(depth > 0 ? 5 : 2)) {
    case 0: buffer_add_text(out, "ch"); break;
    case 1: buffer_printf(out, "chs[%u]", pick(3)); break;
    case 2: add_call(out, "chs[", 2, "]"); break;
    default:
        add_call(out, "(", 2, " != 0 ? ");
        add_channel(out, depth - 1);
        buffer_add_text(out, " : ");
        add_channel(out, depth - 1);
        buffer_add_text(out, ")");
    }
}

enum { EDGES = 12, STATES = 40 };

static char *random_model(struct arena *arena) {
    struct buffer text = {0};
    buffer_printf(&text, "<nta><declaration><![CDATA[%s]]></declaration>", declarations);
    buffer_add_text(
        &text, "<template><name>P</name><parameter>const int[0,1] id</parameter>"
               "<declaration><![CDATA[const int N = id + 2; int[-9,9] z; bool c; chan ch, chs[3];");
    add_function(&text);
    buffer_add_text(&text, "]]></declaration>"
                           "<location id=\"A\"/><init ref=\"A\"/>");
    for (int i = 0; i < EDGES; i++) {
        buffer_add_text(&text, "<transition><source ref=\"A\"/><target ref=\"A\"/>"
                               "<label kind=\"select\">k : int[0,2]</label>"
                               "<label kind=\"guard\"><![CDATA[");
        add_expr(&text, (int)pick(5));
        for (uint32_t more = pick(2); more-- > 0;) add_call(&text, " && ", 2, "");
        buffer_add_text(&text, "]]></label><label kind=\"synchronisation\"><![CDATA[");
        add_channel(&text, 2);
        buffer_add_text(&text, "!]]></label><label kind=\"assignment\"><![CDATA[");
        add_assignment(&text);
        for (uint32_t more = pick(4); more-- > 0;) {
            buffer_add_text(&text, ", ");
            add_assignment(&text);
        }
        buffer_add_text(&text, "]]></label></transition>");
    }
    buffer_add_text(&text, "</template><system>system P;</system></nta>");
    char *copy = buffer_take(&text, arena);
    buffer_close(&text);
    return copy;
}

/* A way of running all labels. */
struct way {
    const struct layout *layout;
    struct code code;
    struct compiler *compiler;
    struct machine machine;
    struct unit units[EDGES][4]; /* the guard, the update, both; the channel */
};

static void prepare(struct way *way, const struct sample *sample, const struct guess *guesses,
                    const int32_t *selects, struct arena *arena, bool interprets) {
    const struct layout *layout = layout_new(arena, sample->network, guesses);
    *way = (struct way){.layout = layout, .code = {.arena = arena, .layout = layout}};
    way->compiler = compiler_new(arena, &way->code, interprets);
    for (uint32_t i = 0; i < EDGES; i++) {
        const struct process *process = &sample->network->processes[i % 2];
        struct leg_labels leg = {process, &process->template->edges[i], &selects[i]};
        for (int k = 0; k < 4; k++) {
            unit_begin(way->compiler);
            if (k == 0 || k == 2) unit_guard(way->compiler, &leg);
            if (k == 1 || k == 2) unit_update(way->compiler, &leg);
            if (k == 3) unit_channel(way->compiler, &leg);
            unit_end(way->compiler, &way->units[i][k]);
        }
    }
    machine_init(&way->machine, &way->code);
}

static void close_way(struct way *way) {
    machine_close(&way->machine);
    compiler_close(way->compiler);
}

/* Some of the range, perhaps in a scratch word. */
static struct guess narrow_guess(const struct slot *slot) {
    struct guess guess = {slot->initial, slot->initial, slot->is_meta || !pick(5)};
    while (guess.lower > slot->lower && pick(2)) guess.lower--;
    while (guess.upper < slot->upper && pick(2)) guess.upper++;
    return guess;
}

/* Values that are in the range of the guesses. */
static void random_values(const struct network *network, const struct guess *guesses,
                          int32_t *values) {
    for (uint32_t i = 0; i < network->slot_count; i++) {
        int64_t lower = guesses[i].lower < -9 ? -9 : guesses[i].lower;
        int64_t upper = guesses[i].upper > 9 ? 9 : guesses[i].upper;
        values[i] = network->slots[i].initial;
        if (pick(3) && lower <= upper)
            values[i] = (int32_t)(lower + pick((uint32_t)(upper - lower + 1)));
    }
}

static enum outcome run_unit(struct way *way, const struct unit *unit, const int32_t *values,
                             uint64_t *words) {
    const struct layout *layout = way->layout;
    ck_assert_uint_lt(layout->word_count, 16);
    memcpy(words, layout->initial, layout->word_count * sizeof *words);
    for (uint32_t i = 0; i < layout->network->slot_count; i++)
        field_set(&layout->fields[i], words, values[i]);
    return machine_unit(&way->machine, unit, words);
}

/* Where the layout is narrow the field may overflow instead. */
static void compare(struct way *way, struct way *reference, uint32_t edge, int kind,
                    const int32_t *values, bool is_narrow, const char *model) {
    uint64_t words[16], wanted[16];
    enum outcome outcome = run_unit(way, &way->units[edge][kind], values, words);
    enum outcome expected = run_unit(reference, &reference->units[edge][kind], values, wanted);
    if (is_narrow && outcome == RUN_OVERFLOW) {
        way->machine.has_overflowed = false;
        return;
    }
    ck_assert_msg(outcome == expected, "edge %u: outcome %u, interpreted %u\n%.3000s", edge,
                  outcome, expected, model);
    if (kind == 3 && outcome == RUN_TRUE)
        ck_assert_msg(way->machine.registers[0] == reference->machine.registers[0],
                      "edge %u: another channel\n%.3000s", edge, model);
    for (uint32_t i = 0; i < way->layout->network->slot_count && outcome == RUN_TRUE; i++)
        ck_assert_msg(field_get(&way->layout->fields[i], words) ==
                          field_get(&reference->layout->fields[i], wanted),
                      "edge %u: another state\n%.3000s", edge, model);
    if (outcome == RUN_FAULT)
        ck_assert_msg(way->machine.fault.kind == reference->machine.fault.kind,
                      "edge %u: fault %u, interpreted %u\n%.3000s", edge, way->machine.fault.kind,
                      reference->machine.fault.kind, model);
}

START_TEST(compiled_labels_do_what_the_interpreter_does) {
    struct sample sample = {0};
    struct arena arena;
    struct way wide, narrow, reference;
    int32_t selects[EDGES];
    seed = (uint32_t)_i * 7919 + 1;
    arena_init(&arena);
    const char *model = random_model(&arena);
    sample_open(&sample, model);
    uint32_t count = sample.network->slot_count;
    struct guess *guesses = ARENA_ARRAY(&arena, struct guess, count);
    struct guess *narrow_guesses = ARENA_ARRAY(&arena, struct guess, count);
    int32_t *values = ARENA_ARRAY(&arena, int32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        guesses[i] = guess_declared(&sample.network->slots[i]);
        narrow_guesses[i] = narrow_guess(&sample.network->slots[i]);
    }
    for (int i = 0; i < EDGES; i++) selects[i] = (int32_t)pick(3);
    prepare(&wide, &sample, guesses, selects, &arena, false);
    prepare(&narrow, &sample, narrow_guesses, selects, &arena, false);
    prepare(&reference, &sample, guesses, selects, &arena, true);
    for (int round = 0; round < STATES; round++)
        for (uint32_t e = 0; e < EDGES; e++)
            for (int kind = 0; kind < 4; kind++) {
                bool is_narrow = round % 2 == 1;
                random_values(sample.network, is_narrow ? narrow_guesses : guesses, values);
                compare(is_narrow ? &narrow : &wide, &reference, e, kind, values, is_narrow, model);
            }
    close_way(&wide);
    close_way(&narrow);
    close_way(&reference);
    sample_close(&sample);
    arena_close(&arena);
}
END_TEST

/* Evaluations that go on from the last one do the same as the interpreter, in states that differ in
 * little from each other, and where something stops them. */

enum { MAX_CALLS = 400, CALL_STOPS = 30 };

struct again {
    struct environment environment;
    const struct network *network;
    bool is_touched[64]; /* by slot, in this evaluation; the select behind them */
    uint32_t call_count, stops_at;
    uint64_t calls[MAX_CALLS]; /* first reads, and writes */
};

static bool add_call_of(struct again *again, uint32_t address, uint64_t value) {
    if (again->call_count < MAX_CALLS) again->calls[again->call_count] = value << 32 | address;
    return again->call_count++ != again->stops_at;
}

/* False if this evaluation has read or written the cell before, or it never changes. */
static bool touches_first(struct again *again, uint32_t address) {
    const struct network *network = again->network;
    uint32_t slot = address < network->cell_count ? network->slot_of[address] : network->slot_count;
    if (slot == NO_SLOT || again->is_touched[slot]) return false;
    return again->is_touched[slot] = true;
}

static int32_t read_again(void *context, uint32_t address) {
    struct again *again = context;
    if (touches_first(again, address) && !add_call_of(again, address, UINT32_MAX))
        again->environment.fault.kind = FAULT_STOPPED;
    return again->environment.cells[address];
}

static bool write_again(void *context, uint32_t address, int32_t value) {
    struct again *again = context;
    touches_first(again, address);
    return add_call_of(again, address, (uint32_t)value);
}

static bool is_fixed(void *context, uint32_t address) {
    const struct network *network = ((const struct again *)context)->network;
    return address < network->cell_count && network->slot_of[address] == NO_SLOT;
}

static void begin_again(struct again *again, const struct network *network, struct arena *arena) {
    ck_assert_uint_lt(network->slot_count, 64);
    *again = (struct again){.network = network};
    network_environment(network, &again->environment, arena);
    uint32_t selected = eval_push(&again->environment, 1);
    again->environment.tracked_count = selected + 1;
    again->environment.read = read_again;
    again->environment.write = write_again;
    again->environment.context = again;
}

/* The select is a cell behind all others. */
static int32_t run_again(struct again *again, const struct process *process, struct binding *frame,
                         const struct expr *expr, bool is_effect, const int32_t *values,
                         int32_t select, uint32_t stops_at) {
    struct environment *environment = &again->environment;
    const struct network *network = again->network;
    for (uint32_t i = 0; i < network->slot_count; i++)
        environment->cells[network->slots[i].address] = values[i];
    environment->cells[network->cell_count] = select;
    memset(again->is_touched, 0, sizeof again->is_touched);
    again->call_count = 0;
    again->stops_at = stops_at;
    environment->locals = process->locals;
    environment->frame = frame;
    environment->fault = (struct fault){0};
    return is_effect ? eval_effect(environment, expr) : eval_int(environment, expr);
}

static void compare_again(struct again *again, struct again *reference,
                          const struct process *process, const struct expr *expr, bool is_effect,
                          const int32_t *values, const char *model) {
    static const struct shape shape = {.kind = SHAPE_CELL, .cell_count = 1, .upper = 2};
    const struct network *network = again->network;
    int32_t select = (int32_t)pick(3);
    uint32_t stops_at = pick(8) ? UINT32_MAX : pick(CALL_STOPS);
    static struct binding frame[32]; /* the select, and quantifiers */
    frame[0] = (struct binding){network->cell_count, &shape};
    int32_t value = run_again(again, process, frame, expr, is_effect, values, select, stops_at);
    int32_t wanted =
        run_again(reference, process, frame, expr, is_effect, values, select, stops_at);
    const struct environment *one = &again->environment, *other = &reference->environment;
    ck_assert_msg(value == wanted && one->fault.kind == other->fault.kind,
                  "value %d, interpreted %d; fault %u, interpreted %u\n%.3000s", value, wanted,
                  one->fault.kind, other->fault.kind, model);
    ck_assert_msg(one->steps == other->steps, "steps %u, interpreted %u\n%.3000s", one->steps,
                  other->steps, model);
    if (one->fault.kind && one->fault.kind != FAULT_STOPPED)
        ck_assert_uint_eq(one->fault.span.begin, other->fault.span.begin);
    ck_assert_msg(again->call_count == reference->call_count, "calls %u, interpreted %u\n%.3000s",
                  again->call_count, reference->call_count, model);
    for (uint32_t i = 0; i < again->call_count && i < MAX_CALLS; i++)
        ck_assert_msg(again->calls[i] == reference->calls[i], "call %u differs\n%.3000s", i, model);
    for (uint32_t i = 0; i < network->cell_count; i++)
        ck_assert_msg(one->cells[i] == other->cells[i], "cell %u differs\n%.3000s", i, model);
}

START_TEST(labels_evaluated_again_do_what_the_interpreter_does) {
    struct sample sample = {0};
    struct arena arena;
    struct again again, reference;
    seed = (uint32_t)_i * 6151 + 5;
    arena_init(&arena);
    const char *model = random_model(&arena);
    sample_open(&sample, model);
    const struct network *network = sample.network;
    struct guess *guesses = ARENA_ARRAY(&arena, struct guess, network->slot_count);
    int32_t *values = ARENA_ARRAY(&arena, int32_t, network->slot_count);
    int32_t *fresh = ARENA_ARRAY(&arena, int32_t, network->slot_count);
    for (uint32_t i = 0; i < network->slot_count; i++)
        guesses[i] = guess_declared(&network->slots[i]);
    begin_again(&again, network, &arena);
    begin_again(&reference, network, &arena);
    again.environment.is_fixed = is_fixed;
    random_values(network, guesses, values);
    for (int round = 0; round < 2 * STATES; round++) {
        random_values(network, guesses, fresh);
        for (uint32_t i = 0; i < network->slot_count; i++)
            if (!pick(6)) values[i] = fresh[i];
        for (uint32_t e = 0; e < EDGES; e++) {
            const struct process *process = &network->processes[e % 2];
            const struct edge *edge = &process->template->edges[e];
            compare_again(&again, &reference, process, edge->written_guard, false, values, model);
            for (uint32_t k = 0; k < edge->updates.count; k++)
                compare_again(&again, &reference, process, edge->updates.items[k], true, values,
                              model);
        }
    }
    eval_close(&again.environment);
    eval_close(&reference.environment);
    sample_close(&sample);
    arena_close(&arena);
}
END_TEST

Suite *code_suite(void) {
    Suite *suite = suite_create("code");
    TCase *tcase = tcase_create("random");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, compiled_labels_do_what_the_interpreter_does, 0, 150);
    tcase_add_loop_test(tcase, labels_evaluated_again_do_what_the_interpreter_does, 0, 150);
    suite_add_tcase(suite, tcase);
    return suite;
}
