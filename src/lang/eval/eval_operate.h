/* EVAL OPERATE - operators on numbers: 32 bits that wrap, and the faults of division and shifts.
 *
 * A new operator is computed here, bounded in values/interval.c and expr/, and compiled in
 * explore/code/compile_operator.c.
 */
#pragma once

#include "lang/eval/eval.h"

/* A binary operator on two numbers; 0 with environment->fault set on failure. */
int32_t eval_operate(struct environment *environment, enum op op, int32_t left, int32_t right,
                     struct span span);
