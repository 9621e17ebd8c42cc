/* Follows bytecode with terms in place of numbers. */
#include "explore/symbolic/unroll.h"

#include "explore/symbolic/rest.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MAX_WORK = 1 << 17,     /* instructions on all ways */
    MAX_DEPTH = 1 << 10,    /* conditions */
    MAX_REGISTERS = 1 << 24 /* of all conditions */
};

struct unroller {
    struct terms *terms;
    const struct levels *levels;
    const struct program *program;
    const struct unit *unit;
    bool is_stuck, is_value, has_rests;
    struct rests rests; /* has_rests */
    uint32_t work, depth;
    uint32_t *registers; /* of the current way */
};

static uint32_t fail(struct unroller *unroller) {
    unroller->terms->has_failed = true;
    return 0;
}

/* A field: its levels, the highest bits first. */
static uint32_t field_term(struct unroller *unroller, uint32_t index) {
    assert(index < unroller->program->layout->field_count);
    const struct layout *layout = unroller->program->layout;
    const struct packed *field = &layout->fields[index];
    const struct levels *levels = unroller->levels;
    if (field->is_scratch || !field->mask)
        return term_constant(unroller->terms, field_get(field, layout->initial));
    uint32_t sum = term_constant(unroller->terms, field->lower);
    for (uint32_t i = 0; i < levels->sizes[index]; i++) {
        const struct level *level = &levels->items[levels->first[index] + i];
        uint32_t part = term_level(unroller->terms, levels->first[index] + i, level->mask);
        sum = term_add(unroller->terms, sum, 1, part, (int64_t)1 << level->shift, 0);
    }
    return sum;
}

static bool is_constant(const struct unroller *unroller, uint32_t term, int32_t *value) {
    const struct term *at = term_at(unroller->terms, term);
    *value = at->a;
    return at->kind == TERM_CONSTANT;
}

static uint32_t is_equal(struct unroller *unroller, uint32_t term, int32_t value) {
    return term_compare(unroller->terms, OP_EQ, term, term_constant(unroller->terms, value));
}

static bool is_register(const struct unroller *unroller, int64_t number) {
    return number >= 0 && number < (int64_t)unroller->program->code.register_count;
}

/* A cell of an array, or a constant: by the index, which the code has looked at before. */
static uint32_t indexed_term(struct unroller *unroller, const struct instruction *at) {
    struct terms *terms = unroller->terms;
    const struct network *network = unroller->program->network;
    struct term index = *term_at(terms, unroller->registers[at->c]);
    uint32_t result = term_constant(terms, 0);
    bool is_cell = at->op == OP_CODE_CELL_AT;
    uint32_t bound = is_cell ? network->cell_count : network->slot_count;
    for (int64_t i = index.upper; i >= index.lower && !terms->has_failed; i--) {
        int64_t place = at->b + i;
        if (index.upper - (int64_t)index.lower > LEVELS_MAX) return fail(unroller);
        if (place < 0 || place >= bound) continue;
        uint32_t value = is_cell ? term_constant(terms, network->cells[place])
                                 : field_term(unroller, (uint32_t)place);
        uint32_t is_here = is_equal(unroller, unroller->registers[at->c], (int32_t)i);
        result = term_if(terms, is_here, value, result);
        unroller->work++;
    }
    return result;
}

static uint32_t arithmetic(struct unroller *unroller, const struct instruction *at) {
    struct terms *terms = unroller->terms;
    const uint32_t *r = unroller->registers;
    uint32_t left = r[at->b];
    int32_t x, y;
    switch ((enum opcode)at->op) {
    case OP_CODE_NEGATE: return term_add(terms, left, -1, left, 0, 0);
    case OP_CODE_NOT: return is_equal(unroller, left, 0);
    case OP_CODE_TRUTH: return is_equal(unroller, is_equal(unroller, left, 0), 0);
    case OP_CODE_ABSOLUTE:
        return term_if(terms, term_compare(terms, OP_LT, left, term_constant(terms, 0)),
                       term_add(terms, left, -1, left, 0, 0), left);
    case OP_CODE_ADD: return term_add(terms, left, 1, r[at->c], 1, 0);
    case OP_CODE_SUBTRACT: return term_add(terms, left, 1, r[at->c], -1, 0);
    case OP_CODE_ADD_I: return term_add(terms, left, 1, left, 0, at->c);
    case OP_CODE_MULTIPLY_I: return term_add(terms, left, at->c, left, 0, 0);
    case OP_CODE_MULTIPLY:
        if (is_constant(unroller, r[at->c], &y)) return term_add(terms, left, y, left, 0, 0);
        if (is_constant(unroller, left, &x)) return term_add(terms, r[at->c], x, left, 0, 0);
        return fail(unroller);
    case OP_CODE_OPERATE: return term_operate(terms, (enum op)at->c, left, r[at->b + 1]);
    default: return fail(unroller);
    }
}

/* The condition of a jump, or of an instruction that compares. */
static uint32_t condition_of(struct unroller *unroller, const struct instruction *at) {
    static const enum op operators[] = {OP_LT, OP_LE, OP_GE, OP_GT, OP_EQ, OP_NE};
    struct terms *terms = unroller->terms;
    const uint32_t *r = unroller->registers;
    switch ((enum opcode)at->op) {
    case OP_CODE_JUMP_ZERO: return is_equal(unroller, r[at->b], 0);
    case OP_CODE_JUMP_NOT_ZERO: return is_equal(unroller, is_equal(unroller, r[at->b], 0), 0);
    case OP_CODE_JUMP_FIELD_EQ:
        return is_equal(unroller, field_term(unroller, (uint32_t)at->b), at->c);
    case OP_CODE_JUMP_FIELD_NE:
        return is_equal(unroller, is_equal(unroller, field_term(unroller, (uint32_t)at->b), at->c),
                        0);
    case OP_CODE_COMPARE_LT: return term_compare(terms, OP_LT, r[at->b], r[at->c]);
    case OP_CODE_COMPARE_LE: return term_compare(terms, OP_LE, r[at->b], r[at->c]);
    case OP_CODE_COMPARE_EQ: return term_compare(terms, OP_EQ, r[at->b], r[at->c]);
    case OP_CODE_COMPARE_NE: return term_compare(terms, OP_NE, r[at->b], r[at->c]);
    default: break;
    }
    assert(at->op >= OP_CODE_JUMP_LT && at->op <= OP_CODE_JUMP_NE_I);
    bool has_constant = at->op >= OP_CODE_JUMP_LT_I;
    enum op op = operators[at->op - (has_constant ? OP_CODE_JUMP_LT_I : OP_CODE_JUMP_LT)];
    return term_compare(terms, op, r[at->b], has_constant ? term_constant(terms, at->c) : r[at->c]);
}

static uint32_t run(struct unroller *unroller, const struct instruction *at);

/* The term of one path; the registers are restored afterwards. */
static uint32_t run_path(struct unroller *unroller, const struct instruction *at) {
    size_t count = unroller->program->code.register_count + 1;
    uint32_t *before = unroller->registers;
    if (unroller->terms->has_failed || ++unroller->depth > MAX_DEPTH ||
        count * unroller->depth > MAX_REGISTERS)
        return fail(unroller);
    uint32_t *own = heap_resize(NULL, count, sizeof *own);
    memcpy(own, before, count * sizeof *own);
    unroller->registers = own;
    uint32_t result = run(unroller, at);
    unroller->registers = before;
    unroller->depth--;
    free(own);
    return result;
}

/* The term of one side of a condition. Paths that meet again are followed once from there on. */
static uint32_t run_side(struct unroller *unroller, const struct instruction *at) {
    const struct code *code = &unroller->program->code;
    uint32_t number = (uint32_t)(at - code->instructions.items), term;
    if (!unroller->has_rests)
        rests_open(&unroller->rests, unroller->terms->arena, code, unroller->unit,
                   unroller->is_value);
    unroller->has_rests = true;
    if (rests_find(&unroller->rests, number, unroller->registers, &term)) return term;
    term = run_path(unroller, at);
    if (!unroller->terms->has_failed)
        rests_note(&unroller->rests, number, unroller->registers, term);
    return term;
}

static uint32_t run_both(struct unroller *unroller, uint32_t condition,
                         const struct instruction *then, const struct instruction *otherwise) {
    uint32_t first = run_side(unroller, then), second = run_side(unroller, otherwise);
    return term_if(unroller->terms, condition, first, second);
}

static uint32_t fault_at(struct unroller *unroller, const struct instruction *at,
                         enum fault_kind kind) {
    const struct code *code = &unroller->program->code;
    struct span span = code->spans.items[at - code->instructions.items];
    return term_fault(unroller->terms, (struct fault){kind, span});
}

/* Whether an index or a value lies outside of its two numbers. */
static uint32_t is_outside(struct unroller *unroller, const struct instruction *at) {
    struct terms *terms = unroller->terms;
    uint32_t value = unroller->registers[at->a];
    uint32_t is_low = term_compare(terms, OP_LT, value, term_constant(terms, at->b));
    uint32_t is_high = term_compare(terms, OP_GT, value, term_constant(terms, at->c));
    return term_if(terms, is_low, term_constant(terms, 1), is_high);
}

static enum fault_kind fault_of(const struct instruction *at) {
    assert(at->op == OP_CODE_BOUND || at->op == OP_CODE_RANGE);
    return at->op == OP_CODE_BOUND ? FAULT_INDEX : FAULT_RANGE;
}

static uint32_t run_bound(struct unroller *unroller, const struct instruction *at,
                          uint32_t condition) {
    uint32_t fault = fault_at(unroller, at, fault_of(at)), rest = run_side(unroller, at + 1);
    return term_if(unroller->terms, condition, fault, rest);
}

static bool is_comparison(uint32_t op) {
    return op >= OP_CODE_COMPARE_LT && op <= OP_CODE_COMPARE_NE;
}

/* An instruction that changes a register and goes on with the next. */
static uint32_t value_of(struct unroller *unroller, const struct instruction *at) {
    const uint32_t *r = unroller->registers;
    int32_t index;
    switch ((enum opcode)at->op) {
    case OP_CODE_LOAD: return term_constant(unroller->terms, at->b);
    case OP_CODE_MOVE: return r[at->b];
    case OP_CODE_GET: return field_term(unroller, (uint32_t)at->b);
    case OP_CODE_GET_AT:
    case OP_CODE_CELL_AT: return indexed_term(unroller, at);
    case OP_CODE_STUCK: return term_constant(unroller->terms, unroller->is_stuck);
    case OP_CODE_REGISTER_AT:
        if (!is_constant(unroller, r[at->c], &index)) return fail(unroller);
        assert(is_register(unroller, (int64_t)at->b + index));
        return r[at->b + index];
    default: return is_comparison(at->op) ? condition_of(unroller, at) : arithmetic(unroller, at);
    }
}

static uint32_t run(struct unroller *unroller, const struct instruction *at) {
    const struct instruction *first = unroller->program->code.instructions.items;
    int32_t known;
    uint32_t condition;
    for (;; at++) {
        uint32_t *r = unroller->registers;
        if (unroller->terms->has_failed || ++unroller->work > MAX_WORK) return fail(unroller);
        switch ((enum opcode)at->op) {
        case OP_CODE_END: return unroller->is_value ? r[0] : term_constant(unroller->terms, 1);
        case OP_CODE_FAIL: return term_constant(unroller->terms, 0);
        case OP_CODE_FAULT: return fault_at(unroller, at, (enum fault_kind)at->a);
        case OP_CODE_BOUND:
        case OP_CODE_RANGE:
            condition = is_outside(unroller, at);
            if (!is_constant(unroller, condition, &known))
                return run_bound(unroller, at, condition);
            if (!known) continue;
            return fault_at(unroller, at, fault_of(at)); /* what follows has no such index */
        case OP_CODE_TICK: continue; /* all loops end, or there is too much work */
        case OP_CODE_JUMP: at = first + at->a - 1; continue;
        case OP_CODE_KEEP_AT:
            if (!is_constant(unroller, r[at->c], &known)) return fail(unroller);
            assert(is_register(unroller, (int64_t)at->b + known));
            r[at->b + known] = r[at->a];
            continue;
        case OP_CODE_SET:
        case OP_CODE_ADD_FIELD:
        case OP_CODE_PUT:
        case OP_CODE_SET_AT:
        case OP_CODE_EXPECT:
        case OP_CODE_EVAL: return fail(unroller);
        default: break;
        }
        if (!opcode_jumps(at->op)) {
            r[at->a] = value_of(unroller, at);
            continue;
        }
        condition = condition_of(unroller, at);
        if (!is_constant(unroller, condition, &known))
            return run_both(unroller, condition, first + at->a, at + 1);
        if (known) at = first + at->a - 1;
    }
}

/* The tests, all of which must hold, and then the code. */
static uint32_t run_tests(struct unroller *unroller, const struct unit *unit, uint32_t inner) {
    struct terms *terms = unroller->terms;
    const struct layout *layout = unroller->program->layout;
    for (uint32_t i = unit->test_count; i-- > 0 && !terms->has_failed;) {
        const struct test *test = &unroller->program->code.tests.items[unit->first_test + i];
        uint32_t holds = term_constant(terms, 1), no = term_constant(terms, 0);
        for (uint32_t f = 0; f < layout->field_count; f++) {
            const struct packed *field = &layout->fields[f];
            uint64_t mask = field->mask << field->shift;
            if (field->word != test->word || !field->mask || !(test->mask & mask)) continue;
            assert((test->mask & mask) == mask);
            int64_t value = (int64_t)(test->value >> field->shift & field->mask) + field->lower;
            uint32_t is_it = is_equal(unroller, field_term(unroller, f), (int32_t)value);
            holds = term_if(terms, is_it, holds, no);
        }
        inner =
            test->is_negated ? term_if(terms, holds, no, inner) : term_if(terms, holds, inner, no);
    }
    return inner;
}

bool unroll_unit(struct terms *terms, const struct levels *levels, const struct program *program,
                 const struct unit *unit, bool is_stuck, bool is_value, uint32_t *term) {
    struct unroller unroller = {.terms = terms,
                                .levels = levels,
                                .program = program,
                                .unit = unit,
                                .is_stuck = is_stuck,
                                .is_value = is_value};
    size_t count = program->code.register_count + 1;
    if (unit->put_count) return false;
    unroller.registers = heap_resize(NULL, count, sizeof *unroller.registers);
    for (size_t i = 0; i < count; i++) unroller.registers[i] = term_constant(terms, 0);
    uint32_t inner = unit->entry == NO_CODE
                         ? term_constant(terms, 1)
                         : run(&unroller, program->code.instructions.items + unit->entry);
    *term = run_tests(&unroller, unit, inner);
    free(unroller.registers);
    if (unroller.has_rests) rests_close(&unroller.rests);
    return !terms->has_failed;
}
