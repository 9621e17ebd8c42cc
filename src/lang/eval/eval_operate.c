/* Binary operators on numbers. */
#include "lang/eval/eval_operate.h"

#include "lang/eval/eval_internal.h"

#include <assert.h>

/* As C's pow, cut to an int: a negative exponent leaves only 1, -1 and 0. */
static int32_t power(struct environment *environment, int32_t base, int32_t exponent,
                     struct span span) {
    int32_t result = 1;
    if (exponent < 0) {
        eval_fault(environment, FAULT_POWER, span);
        return result;
    }
    while (exponent) {
        if (exponent % 2) result = eval_fit(environment, (int64_t)result * base);
        exponent /= 2;
        if (exponent) base = eval_fit(environment, (int64_t)base * base);
    }
    return result;
}

static int32_t divide(struct environment *environment, enum op op, int64_t left, int64_t right,
                      struct span span) {
    if (right) return eval_fit(environment, op == OP_DIV ? left / right : left % right);
    eval_fault(environment, FAULT_DIVISION, span);
    return 0;
}

static int32_t shift(struct environment *environment, enum op op, int32_t left, int32_t count,
                     struct span span) {
    if (count < 0 || count >= 32) {
        eval_fault(environment, FAULT_SHIFT, span);
        return 0;
    }
    if (op == OP_SHL) return eval_fit(environment, (int64_t)left * ((int64_t)1 << count));
    return left < 0 ? ~(~left >> count) : left >> count;
}

int32_t eval_operate(struct environment *environment, enum op op, int32_t left, int32_t right,
                     struct span span) {
    switch (op) {
    case OP_POW: return power(environment, left, right, span);
    case OP_MUL: return eval_fit(environment, (int64_t)left * right);
    case OP_DIV:
    case OP_MOD: return divide(environment, op, left, right, span);
    case OP_ADD: return eval_fit(environment, (int64_t)left + right);
    case OP_SUB: return eval_fit(environment, (int64_t)left - right);
    case OP_SHL:
    case OP_SHR: return shift(environment, op, left, right, span);
    case OP_MIN: return left < right ? left : right;
    case OP_MAX: return left > right ? left : right;
    case OP_LT: return left < right;
    case OP_LE: return left <= right;
    case OP_GE: return left >= right;
    case OP_GT: return left > right;
    case OP_EQ: return left == right;
    case OP_NE: return left != right;
    case OP_BIT_AND: return left & right;
    case OP_BIT_XOR: return left ^ right;
    case OP_BIT_OR: return left | right;
    case OP_AND: return left && right;
    case OP_OR: return left || right;
    case OP_IMPLY: return !left || right;
    case OP_XOR: return !left != !right;
    default: assert(false && "a binary operator"); return 0;
    }
}
