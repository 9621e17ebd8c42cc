/* Instructions on columns: one value of each lane. A loop over a column goes to the end, whatever
 * lanes there are, and has no branches, so that compilers can take several values at once. */
#include "lang/eval/eval_lanes.h"

#include "lang/eval/eval_code.h"

#include <assert.h>

/* Forward only, with cells and registers that are known. */
static bool is_straight(const struct eval_code *code) {
    if (code->register_count > LANE_MAX_REGISTERS) return false;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct code_line *line = &code->lines[i];
        switch (line->op) {
        case CODE_READ:
        case CODE_WRITE:
            if (line->c != NO_OFFSET) return false;
            break;
        case CODE_JUMP:
        case CODE_JUMP_IF:
        case CODE_JUMP_UNLESS:
            if (line->a <= i) return false;
            break;
        case CODE_END:
        case CODE_LOAD:
        case CODE_MOVE:
        case CODE_OPERATE:
        case CODE_OPERATE_I:
        case CODE_CHECK:
        case CODE_NEGATE:
        case CODE_NOT:
        case CODE_TRUTH:
        case CODE_ABSOLUTE: break;
        default: return false;
        }
    }
    return true;
}

const struct eval_code *eval_straight_code(struct environment *environment, const struct expr *expr,
                                           bool is_effect) {
    const struct eval_code *code = eval_code_again(environment, expr, is_effect);
    return code && is_straight(code) ? code : NULL;
}

bool lanes_any(const int32_t *mask, uint32_t count) {
    assert(count <= LANE_COUNT);
    for (uint32_t i = 0; i < count; i++)
        if (mask[i]) return true;
    return false;
}

static bool any_lane(const int32_t *mask) {
    int32_t any = LANE_NEVER;
    for (uint32_t i = 0; i < LANE_COUNT; i++) any |= mask[i];
    return any != LANE_NEVER;
}

/* Values into the lanes of a mask. */
static void put(int32_t *restrict column, const int32_t *restrict values,
                const int32_t *restrict mask) {
    for (uint32_t i = 0; i < LANE_COUNT; i++)
        column[i] = (values[i] & mask[i]) | (column[i] & ~mask[i]);
}

static void fill(int32_t *column, int32_t value) {
    for (uint32_t i = 0; i < LANE_COUNT; i++) column[i] = value;
}

static void add_lanes(int32_t *restrict mask, const int32_t *restrict added) {
    for (uint32_t i = 0; i < LANE_COUNT; i++) mask[i] |= added[i];
}

static void remove_lanes(int32_t *restrict mask, const int32_t *restrict removed) {
    for (uint32_t i = 0; i < LANE_COUNT; i++) mask[i] &= ~removed[i];
}

/* Truth as a number and as a mask */

static int32_t mask_of(bool is_true) { return -(int32_t)is_true; }

/* Operators */

/* As C, but for what does not fit: of that, the low 32 bits. */
static int32_t divide(enum op op, int32_t left, int32_t right) {
    if (right == -1) return op == OP_DIV ? (int32_t) - (uint32_t)left : 0;
    return op == OP_DIV ? left / right : left % right;
}

/* Lanes that divide by 0 have a fault. */
static void divide_all(enum op op, int32_t *restrict result, const int32_t *left,
                       const int32_t *right, const int32_t *mask, int32_t *faults) {
    for (uint32_t i = 0; i < LANE_COUNT; i++) {
        faults[i] = mask_of(!right[i]) & mask[i];
        result[i] = right[i] ? divide(op, left[i], right[i]) : 0;
    }
}

#define EACH_LANE(value)                                                                           \
    for (uint32_t i = 0; i < LANE_COUNT; i++) result[i] = (value)

/* False for operators that lanes do not know. */
static bool operate(enum op op, int32_t *restrict result, const int32_t *left,
                    const int32_t *right) {
    switch (op) {
    case OP_EQ: EACH_LANE(left[i] == right[i]); return true;
    case OP_NE: EACH_LANE(left[i] != right[i]); return true;
    case OP_LT: EACH_LANE(left[i] < right[i]); return true;
    case OP_LE: EACH_LANE(left[i] <= right[i]); return true;
    case OP_GT: EACH_LANE(left[i] > right[i]); return true;
    case OP_GE: EACH_LANE(left[i] >= right[i]); return true;
    case OP_ADD: EACH_LANE((int32_t)((uint32_t)left[i] + (uint32_t)right[i])); return true;
    case OP_SUB: EACH_LANE((int32_t)((uint32_t)left[i] - (uint32_t)right[i])); return true;
    case OP_MUL: EACH_LANE((int32_t)((uint32_t)left[i] * (uint32_t)right[i])); return true;
    case OP_MIN: EACH_LANE(left[i] < right[i] ? left[i] : right[i]); return true;
    case OP_MAX: EACH_LANE(left[i] > right[i] ? left[i] : right[i]); return true;
    case OP_BIT_AND: EACH_LANE(left[i] & right[i]); return true;
    case OP_BIT_OR: EACH_LANE(left[i] | right[i]); return true;
    case OP_BIT_XOR: EACH_LANE(left[i] ^ right[i]); return true;
    case OP_XOR: EACH_LANE(!left[i] != !right[i]); return true;
    default: return op == OP_DIV || op == OP_MOD;
    }
}

/* Cells */

static struct lane_cell *cell_of(struct lanes *lanes, uint32_t address) {
    for (uint32_t i = 0; i < lanes->cell_count; i++)
        if (lanes->cells[i].address == address) return &lanes->cells[i];
    if (lanes->cell_count == LANE_MAX_CELLS) return NULL;
    struct lane_cell *cell = &lanes->cells[lanes->cell_count];
    cell->address = address;
    cell->input = lanes->input(lanes->context, address, cell->first);
    if (cell->input == LANE_IMPOSSIBLE) return NULL;
    fill(cell->known, LANE_NEVER);
    fill(cell->read, LANE_NEVER);
    fill(cell->values, 0);
    lanes->cell_count++;
    return cell;
}

/* Where the lanes of an evaluation are. As long as none has jumped, all that still run are at the
 * present instruction, and registers of others do not matter. */
struct lane_run {
    struct lanes *lanes;
    int32_t now[LANE_COUNT];    /* mask: at the present instruction */
    int32_t resume[LANE_COUNT]; /* the instruction from which on; past the end after a fault */
    bool has_jumped;
};

/* Into a register of the lanes that are here. */
static void set(struct lane_run *run, uint32_t reg, const int32_t *values) {
    int32_t *column = run->lanes->registers[reg];
    if (run->has_jumped)
        put(column, values, run->now);
    else
        memcpy(column, values, sizeof run->now);
}

static void leave(struct lane_run *run, const int32_t *leaving) {
    for (uint32_t i = 0; i < LANE_COUNT; i++)
        run->resume[i] = leaving[i] ? INT32_MAX : run->resume[i];
    remove_lanes(run->now, leaving);
    remove_lanes(run->lanes->alive, leaving);
}

static void fault(struct lane_run *run, const int32_t *faults) {
    if (!any_lane(faults)) return;
    run->lanes->has_faults = true;
    add_lanes(run->lanes->faulty, faults);
    leave(run, faults);
}

static bool read(struct lane_run *run, uint32_t address, uint32_t reg) {
    struct lane_cell *cell = cell_of(run->lanes, address);
    int32_t unknown[LANE_COUNT];
    if (!cell) return false;
    for (uint32_t i = 0; i < LANE_COUNT; i++) unknown[i] = run->now[i] & ~cell->known[i];
    bool is_first = any_lane(unknown);
    if (is_first && cell->input == LANE_REFUSED) {
        add_lanes(run->lanes->refused, unknown);
        leave(run, unknown);
    } else if (is_first) {
        put(cell->values, cell->first, unknown);
        add_lanes(cell->known, unknown);
        add_lanes(cell->read, unknown);
    }
    set(run, reg, cell->values);
    return true;
}

static bool write(struct lane_run *run, uint32_t address, const int32_t *values) {
    struct lanes *lanes = run->lanes;
    struct lane_cell *cell = cell_of(lanes, address);
    if (!cell || lanes->write_count == LANE_MAX_WRITES) return false;
    struct lane_write *write = &lanes->writes[lanes->write_count++];
    write->cell = cell;
    memcpy(write->values, values, sizeof write->values);
    memcpy(write->mask, run->now, sizeof write->mask);
    put(cell->values, values, run->now);
    add_lanes(cell->known, run->now);
    return true;
}

/* Values as a cell of the shape takes them. */
static void check(struct lane_run *run, const struct shape *shape, uint32_t reg) {
    const int32_t *values = run->lanes->registers[reg];
    int32_t truth[LANE_COUNT], faults[LANE_COUNT];
    int32_t lower = shape->lower, upper = shape->upper;
    if (shape->is_bool) {
        for (uint32_t i = 0; i < LANE_COUNT; i++) truth[i] = values[i] != 0;
        set(run, reg, truth);
    }
    for (uint32_t i = 0; i < LANE_COUNT; i++)
        faults[i] = run->now[i] & (mask_of(values[i] < lower) | mask_of(values[i] > upper));
    fault(run, faults);
}

static bool operate_lanes(struct lane_run *run, const struct code_line *at) {
    int32_t result[LANE_COUNT], constant[LANE_COUNT], faults[LANE_COUNT];
    int32_t(*r)[LANE_COUNT] = run->lanes->registers;
    const int32_t *left = r[at->b], *right = constant;
    if (at->op == CODE_OPERATE_I)
        fill(constant, at->c);
    else
        right = r[at->c];
    if (!operate(at->operator, result, left, right)) return false;
    if (at->operator== OP_DIV || at->operator== OP_MOD) {
        divide_all(at->operator, result, left, right, run->now, faults);
        fault(run, faults);
    }
    set(run, at->a, result);
    return true;
}

static void compute(struct lane_run *run, const struct code_line *at) {
    int32_t result[LANE_COUNT];
    int32_t(*r)[LANE_COUNT] = run->lanes->registers;
    const int32_t *operand = r[at->b];
    switch (at->op) {
    case CODE_NEGATE: EACH_LANE((int32_t) - (uint32_t)operand[i]); break;
    case CODE_NOT: EACH_LANE(!operand[i]); break;
    case CODE_TRUTH: EACH_LANE(operand[i] != 0); break;
    case CODE_ABSOLUTE:
        EACH_LANE(operand[i] < 0 ? (int32_t) - (uint32_t)operand[i] : operand[i]);
        break;
    default: assert(at->op == CODE_MOVE); memcpy(result, operand, sizeof result);
    }
    set(run, at->a, result);
}

/* All jumps go forward, so those that jump wait there for the others. */
static void jump(struct lane_run *run, const struct code_line *at) {
    int32_t jumping[LANE_COUNT];
    const int32_t *condition = run->lanes->registers[at->b];
    for (uint32_t i = 0; i < LANE_COUNT; i++)
        jumping[i] = at->op == CODE_JUMP
                         ? run->now[i]
                         : run->now[i] & mask_of((condition[i] != 0) == (at->op == CODE_JUMP_IF));
    for (uint32_t i = 0; i < LANE_COUNT; i++)
        run->resume[i] = jumping[i] ? (int32_t)at->a : run->resume[i];
    run->has_jumped = true;
}

static void arrive(struct lane_run *run, uint32_t line) {
    for (uint32_t i = 0; i < LANE_COUNT; i++)
        run->now[i] = mask_of(run->resume[i] <= (int32_t)line);
}

static bool step(struct lane_run *run, const struct code_line *at) {
    int32_t constant[LANE_COUNT];
    switch (at->op) {
    case CODE_READ: return read(run, (uint32_t)at->b, at->a);
    case CODE_WRITE: return write(run, (uint32_t)at->b, run->lanes->registers[at->a]);
    case CODE_OPERATE:
    case CODE_OPERATE_I: return operate_lanes(run, at);
    case CODE_CHECK: check(run, at->shape, at->a); return true;
    case CODE_JUMP:
    case CODE_JUMP_IF:
    case CODE_JUMP_UNLESS: jump(run, at); return true;
    case CODE_LOAD:
        fill(constant, at->b);
        set(run, at->a, constant);
        return true;
    default: compute(run, at); return true;
    }
}

void lanes_begin(struct lanes *lanes, uint32_t count) {
    assert(count && count <= LANE_COUNT);
    for (uint32_t i = 0; i < LANE_COUNT; i++) lanes->alive[i] = mask_of(i < count);
    fill(lanes->refused, LANE_NEVER);
    lanes->cell_count = lanes->write_count = 0;
}

bool lanes_run(struct lanes *lanes, const struct eval_code *code) {
    struct lane_run run;
    run.lanes = lanes;
    run.has_jumped = lanes->has_faults = false;
    assert(code->count && code->register_count <= LANE_MAX_REGISTERS);
    memcpy(run.now, lanes->alive, sizeof run.now);
    for (uint32_t i = 0; i < LANE_COUNT; i++) {
        run.resume[i] = lanes->alive[i] ? 0 : INT32_MAX;
        lanes->faulty[i] = LANE_NEVER;
    }
    uint32_t line = 0;
    for (; code->lines[line].op != CODE_END; line++) {
        if (run.has_jumped) arrive(&run, line);
        if ((!run.has_jumped || any_lane(run.now)) && !step(&run, &code->lines[line])) return false;
    }
    if (run.has_jumped) arrive(&run, line);
    lanes->value = lanes->registers[code->lines[line].a];
    return true;
}

void lanes_keep_true(struct lanes *lanes) {
    int32_t alive[LANE_COUNT];
    for (uint32_t i = 0; i < LANE_COUNT; i++)
        alive[i] = lanes->alive[i] & mask_of(lanes->value[i] != 0);
    memcpy(lanes->alive, alive, sizeof alive);
}
