/* Arithmetic on values: constants are folded, the rest becomes instructions. */
#include "explore/code/compile_internal.h"
#include "lang/eval/eval_operate.h"

struct value keep_value(struct compiler *compiler, struct value value) {
    if (value.is_constant || value.is_temporary) return value;
    struct value copy = value;
    copy.reg = temporary(compiler).reg;
    copy.is_temporary = true;
    emit(compiler, OP_CODE_MOVE, copy.reg, (int32_t)value.reg, 0);
    return copy;
}

/* Folds by the evaluator itself; a fault is emitted where it would be raised. */
struct value fold_values(struct compiler *compiler, enum op op, int32_t left, int32_t right,
                         struct span span) {
    struct environment *environment = &compiler->environment;
    int32_t value = eval_operate(environment, op, left, right, span);
    struct fault fault = environment->fault;
    environment->fault = (struct fault){0};
    if (fault.kind != FAULT_NONE) emit_fault(compiler, OP_CODE_FAULT, fault.kind, 0, 0, span);
    return constant_value(value);
}

/* Bounds of a result, unless it may wrap around. */
static void set_range(struct value *value, int64_t lower, int64_t upper) {
    if (lower < INT32_MIN || upper > INT32_MAX) return;
    value->lower = (int32_t)lower;
    value->upper = (int32_t)upper;
}

static struct value three(struct compiler *compiler, enum opcode op, struct value left,
                          struct value right) {
    uint32_t a = value_register(compiler, left), b = value_register(compiler, right);
    struct value result = temporary(compiler);
    emit(compiler, op, result.reg, (int32_t)a, (int32_t)b);
    if (op >= OP_CODE_COMPARE_LT && op <= OP_CODE_COMPARE_NE)
        result.lower = 0, result.upper = 1;
    else if (op == OP_CODE_ADD)
        set_range(&result, (int64_t)left.lower + right.lower, (int64_t)left.upper + right.upper);
    else if (op == OP_CODE_SUBTRACT)
        set_range(&result, (int64_t)left.lower - right.upper, (int64_t)left.upper - right.lower);
    return result;
}

/* An operation of a register and a constant, with what is known of its range. */
struct value with_constant(struct compiler *compiler, enum opcode op, struct value left,
                           int32_t right) {
    struct value result = temporary(compiler);
    emit(compiler, op, result.reg, (int32_t)left.reg, right);
    if (op == OP_CODE_ADD_I)
        set_range(&result, (int64_t)left.lower + right, (int64_t)left.upper + right);
    if (op == OP_CODE_NOT || op == OP_CODE_STUCK) result.lower = 0, result.upper = 1;
    return result;
}

/* An operator without an instruction of its own: its operands are put side by side. */
static struct value general(struct compiler *compiler, enum op op, struct value left,
                            struct value right, struct span span) {
    uint32_t pair = new_registers(compiler, 2);
    struct value values[] = {left, right};
    for (uint32_t i = 0; i < 2; i++)
        if (values[i].is_constant)
            emit(compiler, OP_CODE_LOAD, pair + i, values[i].constant, 0);
        else
            emit(compiler, OP_CODE_MOVE, pair + i, (int32_t)values[i].reg, 0);
    struct value result = temporary(compiler);
    emit(compiler, OP_CODE_OPERATE, result.reg, (int32_t)pair, (int32_t)op);
    bool is_safe = op == OP_MIN || op == OP_MAX || op == OP_BIT_AND || op == OP_BIT_OR ||
                   op == OP_BIT_XOR || op == OP_XOR;
    if (!is_safe && !compiler->is_dead && !compiler->has_failed) {
        compiler->code->spans.items[compiler->code->spans.count - 1] = span;
        compiler->unit.can_fault = true;
    }
    return result;
}

/* Any binary operator but && and ||, which jump. */
struct value operate_values(struct compiler *compiler, enum op op, struct value left,
                            struct value right, struct span span) {
    if (left.is_constant && right.is_constant)
        return fold_values(compiler, op, left.constant, right.constant, span);
    if (right.is_constant && right.constant == (op == OP_MUL) &&
        (op == OP_ADD || op == OP_SUB || op == OP_MUL))
        return left;
    switch (op) {
    case OP_ADD:
        if (right.is_constant) return with_constant(compiler, OP_CODE_ADD_I, left, right.constant);
        if (left.is_constant) return with_constant(compiler, OP_CODE_ADD_I, right, left.constant);
        return three(compiler, OP_CODE_ADD, left, right);
    case OP_SUB:
        if (right.is_constant && right.constant > INT32_MIN)
            return with_constant(compiler, OP_CODE_ADD_I, left, -right.constant);
        return three(compiler, OP_CODE_SUBTRACT, left, right);
    case OP_MUL:
        if (right.is_constant)
            return with_constant(compiler, OP_CODE_MULTIPLY_I, left, right.constant);
        if (left.is_constant)
            return with_constant(compiler, OP_CODE_MULTIPLY_I, right, left.constant);
        return three(compiler, OP_CODE_MULTIPLY, left, right);
    case OP_LT: return three(compiler, OP_CODE_COMPARE_LT, left, right);
    case OP_LE: return three(compiler, OP_CODE_COMPARE_LE, left, right);
    case OP_GT: return three(compiler, OP_CODE_COMPARE_LT, right, left);
    case OP_GE: return three(compiler, OP_CODE_COMPARE_LE, right, left);
    case OP_EQ: return three(compiler, OP_CODE_COMPARE_EQ, left, right);
    case OP_NE: return three(compiler, OP_CODE_COMPARE_NE, left, right);
    default: return general(compiler, op, left, right, span);
    }
}
