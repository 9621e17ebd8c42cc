/* Every instruction becomes a statement, every jump a goto. */
#include "export/unit_c.h"

#include "base/arena.h"
#include "lang/eval/eval.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the functions of units call. In get and set, i is a field. */
static const char BASE[] =
    "static int32_t low(int64_t x) { return (int32_t)(uint32_t)(uint64_t)x; }\n"
    "static int32_t get(const uint64_t *w, int i) {\n"
    "    return (int32_t)((int64_t)(w[F[i].word] >> F[i].shift & F[i].mask) + F[i].lower);\n"
    "}\n"
    "static int set(uint64_t *w, int i, int64_t x) {\n"
    "    if (F[i].is_bool) x = x != 0;\n"
    "    if (x < F[i].lower || x > F[i].upper) return 0;\n"
    "    w[F[i].word] = (w[F[i].word] & ~(F[i].mask << F[i].shift)) |\n"
    "                   (uint64_t)(x - F[i].lower) << F[i].shift;\n"
    "    return 1;\n"
    "}\n"
    "static int32_t power(int32_t x, int32_t n) {\n"
    "    int32_t result = 1;\n"
    "    for (; n; n /= 2, x = n ? low((int64_t)x * x) : x)\n"
    "        if (n % 2) result = low((int64_t)result * x);\n"
    "    return result;\n"
    "}\n"
    "static int32_t shift_right(int32_t x, int32_t n) { return x < 0 ? ~(~x >> n) : x >> n; }\n";

static void write_fields(struct buffer *out, const struct program *program) {
    const struct layout *layout = program->layout;
    buffer_add_text(out,
                    "static const struct { uint32_t word, shift; uint64_t mask; int64_t lower, "
                    "upper; int is_bool; } F[] = {\n");
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct packed *field = &layout->fields[i];
        bool is_slot = i < program->network->slot_count && field->mask;
        int64_t upper = is_slot ? field->declared_upper : field->lower + (int64_t)field->mask;
        buffer_printf(out,
                      "    {%" PRIu32 ", %" PRIu32 ", 0x%" PRIX64 "ULL, %" PRId32 "LL, %" PRId64
                      "LL, %d},\n",
                      field->word, field->shift, field->mask, field->lower, upper, field->is_bool);
    }
    buffer_add_text(out, "};\n");
}

static void write_constants(struct buffer *out, const struct program *program) {
    const struct network *network = program->network;
    buffer_add_text(out, "static const int32_t constants[] = {");
    for (uint32_t i = 0; i < network->cell_count; i++)
        buffer_printf(out, "%s%" PRId32 "LL,", i % 16 ? " " : "\n    ", network->cells[i]);
    buffer_add_text(out, "0};\n");
}

void unit_write_base(struct buffer *out, const struct program *program) {
    write_fields(out, program);
    write_constants(out, program);
    buffer_add_text(out, BASE);
}

bool unit_is_writable(const struct program *program, const struct unit *unit) {
    for (uint32_t i = unit->entry; unit->entry != NO_CODE && i < unit->end; i++)
        if (program->code.instructions.items[i].op == OP_CODE_EVAL) return false;
    return true;
}

static void write_test(struct buffer *out, const struct test *test) {
    buffer_printf(out,
                  "    if ((w[%" PRIu32 "] & 0x%" PRIX64 "ULL) %s 0x%" PRIX64 "ULL) return 0;\n",
                  test->word, test->mask, test->is_negated ? "==" : "!=", test->value);
}

static void write_put(struct buffer *out, const struct put *put) {
    buffer_printf(out,
                  "    w[%" PRIu32 "] = (w[%" PRIu32 "] & 0x%" PRIX64 "ULL) | 0x%" PRIX64 "ULL;\n",
                  put->word, put->word, put->keep, put->value);
}

static void write_operation(struct buffer *out, const struct instruction *at) {
    static const char *const forms[] = {
        [OP_POW] = "power(x, y)",
        [OP_MUL] = "low((int64_t)x * y)",
        [OP_DIV] = "low((int64_t)x / y)",
        [OP_MOD] = "low((int64_t)x % y)",
        [OP_ADD] = "low((int64_t)x + y)",
        [OP_SUB] = "low((int64_t)x - y)",
        [OP_SHL] = "low((int64_t)x * ((int64_t)1 << y))",
        [OP_SHR] = "shift_right(x, y)",
        [OP_MIN] = "x < y ? x : y",
        [OP_MAX] = "x > y ? x : y",
        [OP_LT] = "x < y",
        [OP_LE] = "x <= y",
        [OP_GE] = "x >= y",
        [OP_GT] = "x > y",
        [OP_EQ] = "x == y",
        [OP_NE] = "x != y",
        [OP_BIT_AND] = "x & y",
        [OP_BIT_XOR] = "x ^ y",
        [OP_BIT_OR] = "x | y",
        [OP_AND] = "x && y",
        [OP_OR] = "x || y",
        [OP_IMPLY] = "!x || y",
        [OP_XOR] = "!x != !y",
    };
    enum op op = (enum op)at->c;
    assert(op < sizeof forms / sizeof forms[0] && forms[op]);
    buffer_printf(out, "    { int32_t x = r[%d], y = r[%d]; ", at->b, at->b + 1);
    if (op == OP_DIV || op == OP_MOD) buffer_add_text(out, "if (!y) return 2; ");
    if (op == OP_POW) buffer_add_text(out, "if (y < 0) return 2; ");
    if (op == OP_SHL || op == OP_SHR) buffer_add_text(out, "if (y < 0 || y >= 32) return 2; ");
    buffer_printf(out, "r[%" PRIu32 "] = %s; }\n", at->a, forms[op]);
}

static void write_jump(struct buffer *out, const struct instruction *at) {
    static const char *const signs[] = {"<", "<=", ">=", ">", "==", "!="};
    if (at->op == OP_CODE_JUMP) {
        buffer_printf(out, "    goto at_%" PRIu32 ";\n", at->a);
    } else if (at->op == OP_CODE_JUMP_ZERO || at->op == OP_CODE_JUMP_NOT_ZERO) {
        buffer_printf(out, "    if (%sr[%d]) goto at_%" PRIu32 ";\n",
                      at->op == OP_CODE_JUMP_ZERO ? "!" : "", at->b, at->a);
    } else if (at->op == OP_CODE_JUMP_FIELD_EQ || at->op == OP_CODE_JUMP_FIELD_NE) {
        buffer_printf(out, "    if (get(w, %d) %s %dLL) goto at_%" PRIu32 ";\n", at->b,
                      at->op == OP_CODE_JUMP_FIELD_EQ ? "==" : "!=", at->c, at->a);
    } else if (at->op >= OP_CODE_JUMP_LT_I) {
        buffer_printf(out, "    if (r[%d] %s %dLL) goto at_%" PRIu32 ";\n", at->b,
                      signs[at->op - OP_CODE_JUMP_LT_I], at->c, at->a);
    } else {
        buffer_printf(out, "    if (r[%d] %s r[%d]) goto at_%" PRIu32 ";\n", at->b,
                      signs[at->op - OP_CODE_JUMP_LT], at->c, at->a);
    }
}

/* Instructions that compute the value of a register from registers, fields and constants: B and C
 * stand for b and c. */
static const char *value_form(uint32_t op) {
    switch ((enum opcode)op) {
    case OP_CODE_LOAD: return "B";
    case OP_CODE_MOVE: return "r[B]";
    case OP_CODE_GET: return "get(w, B)";
    case OP_CODE_GET_AT: return "get(w, B + r[C])";
    case OP_CODE_CELL_AT: return "constants[B + r[C]]";
    case OP_CODE_REGISTER_AT: return "r[B + r[C]]";
    case OP_CODE_NEGATE: return "low(-(int64_t)r[B])";
    case OP_CODE_NOT: return "!r[B]";
    case OP_CODE_TRUTH: return "r[B] != 0";
    case OP_CODE_ABSOLUTE: return "r[B] < 0 ? low(-(int64_t)r[B]) : r[B]";
    case OP_CODE_ADD: return "low((int64_t)r[B] + r[C])";
    case OP_CODE_SUBTRACT: return "low((int64_t)r[B] - r[C])";
    case OP_CODE_MULTIPLY: return "low((int64_t)r[B] * r[C])";
    case OP_CODE_ADD_I: return "low((int64_t)r[B] + (C))";
    case OP_CODE_MULTIPLY_I: return "low((int64_t)r[B] * (C))";
    case OP_CODE_COMPARE_LT: return "r[B] < r[C]";
    case OP_CODE_COMPARE_LE: return "r[B] <= r[C]";
    case OP_CODE_COMPARE_EQ: return "r[B] == r[C]";
    case OP_CODE_COMPARE_NE: return "r[B] != r[C]";
    default: assert(false && "a value"); return "0";
    }
}

static void write_value(struct buffer *out, const struct instruction *at) {
    buffer_printf(out, "    r[%" PRIu32 "] = ", at->a);
    for (const char *form = value_form(at->op); *form; form++) {
        if (*form == 'B' || *form == 'C')
            buffer_printf(out, "%" PRId32 "LL", *form == 'B' ? at->b : at->c);
        else
            buffer_add(out, form, 1);
    }
    buffer_add_text(out, ";\n");
}

static void write_instruction(struct buffer *out, const struct program *program,
                              const struct instruction *at) {
    switch ((enum opcode)at->op) {
    case OP_CODE_END: buffer_add_text(out, "    goto end;\n"); return;
    case OP_CODE_FAIL: buffer_add_text(out, "    return 0;\n"); return;
    case OP_CODE_FAULT: buffer_add_text(out, "    return 2;\n"); return;
    case OP_CODE_SET:
        buffer_printf(out, "    if (!set(w, %" PRIu32 ", r[%d])) return 2;\n", at->a, at->b);
        return;
    case OP_CODE_ADD_FIELD:
        buffer_printf(out,
                      "    if (!set(w, %" PRIu32 ", low((int64_t)get(w, %" PRIu32
                      ") + (%dLL)))) return 2;\n",
                      at->a, at->a, at->b);
        return;
    case OP_CODE_PUT: write_put(out, &program->code.puts.items[at->a]); return;
    case OP_CODE_SET_AT:
        buffer_printf(out, "    if (!set(w, %d + r[%d], r[%" PRIu32 "])) return 2;\n", at->b, at->c,
                      at->a);
        return;
    case OP_CODE_KEEP_AT:
        buffer_printf(out, "    r[%d + r[%d]] = r[%" PRIu32 "];\n", at->b, at->c, at->a);
        return;
    case OP_CODE_EXPECT: return; /* always so where fields have their declared ranges */
    case OP_CODE_BOUND:
    case OP_CODE_RANGE:
        buffer_printf(out, "    if (r[%" PRIu32 "] < %dLL || r[%" PRIu32 "] > %dLL) return 2;\n",
                      at->a, at->b, at->a, at->c);
        return;
    case OP_CODE_TICK:
        buffer_printf(out, "    if (++ticks > %d) too_long();\n", EVAL_MAX_STEPS);
        return;
    case OP_CODE_STUCK: buffer_printf(out, "    r[%" PRIu32 "] = is_stuck(w);\n", at->a); return;
    case OP_CODE_OPERATE: write_operation(out, at); return;
    default: write_value(out, at); return;
    }
}

/* Whether some jump goes there, by instruction of the unit. */
static bool *find_targets(const struct program *program, const struct unit *unit) {
    size_t size = unit->end - unit->entry + (size_t)1;
    bool *targets = heap_resize(NULL, size, sizeof *targets);
    memset(targets, 0, size * sizeof *targets);
    for (uint32_t i = unit->entry; i < unit->end; i++) {
        const struct instruction *at = &program->code.instructions.items[i];
        if (!opcode_jumps(at->op)) continue;
        assert(at->a >= unit->entry && at->a < unit->end);
        targets[at->a - unit->entry] = true;
    }
    return targets;
}

static void write_code(struct buffer *out, const struct program *program, const struct unit *unit) {
    buffer_printf(out,
                  "    int32_t r[%" PRIu32 "];\n    int ticks = 0;\n    (void)r, (void)ticks;\n",
                  program->code.register_count + 1);
    bool *targets = find_targets(program, unit);
    for (uint32_t i = unit->entry; i < unit->end; i++) {
        const struct instruction *at = &program->code.instructions.items[i];
        if (targets[i - unit->entry]) buffer_printf(out, "at_%" PRIu32 ":;\n", i);
        if (opcode_jumps(at->op))
            write_jump(out, at);
        else
            write_instruction(out, program, at);
    }
    free(targets);
    buffer_add_text(out, "end:;\n");
}

void unit_write(struct buffer *out, const struct program *program, const struct unit *unit,
                const char *name) {
    const struct code *code = &program->code;
    assert(unit_is_writable(program, unit));
    buffer_printf(out, "static int %s(uint64_t *w) {\n", name);
    for (uint32_t i = 0; i < unit->test_count; i++)
        write_test(out, &code->tests.items[unit->first_test + i]);
    if (unit->entry != NO_CODE) write_code(out, program, unit);
    for (uint32_t i = 0; i < unit->put_count; i++)
        write_put(out, &code->puts.items[unit->first_put + i]);
    buffer_add_text(out, "    (void)w;\n    return 1;\n}\n");
}
