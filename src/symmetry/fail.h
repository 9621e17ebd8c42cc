/* FAIL - expressions that cannot fail in any state, by their text alone.
 *
 * Where an evaluation may end early, what is evaluated first matters if something fails (Y5, Y8).
 *
 * Errors: under-approximates: what is not seen to be safe may fail.
 */
#pragma once

#include "lang/syntax/ast.h"

bool expr_cannot_fail(const struct expr *expr);
/* Whether the value of an expression is between 0 and the largest value of a plain int, whatever
 * the state. */
bool expr_is_never_negative(const struct expr *expr);
/* Whether numbers that are never negative may be added to a place, or subtracted, in any order: in
 * between no value wraps, and none is made a bool. */
bool expr_takes_sums(const struct expr *place);
