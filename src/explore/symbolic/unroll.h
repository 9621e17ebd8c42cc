/* UNROLL - the code of a predicate or an expression as one term.
 *
 * Every way through the code is followed, with terms in the registers; conditions that depend on
 * the state become TERM_IF. What the compiler leaves to the interpreter, loops that depend on the
 * state, and code with too many ways are not for terms.
 */
#pragma once

#include "explore/symbolic/levels.h"
#include "explore/symbolic/term.h"

/* The result of a unit: is_value, the number in r[0]; otherwise 1 where it holds and 0 elsewhere; a
 * TERM_FAULT where its evaluation fails. is_stuck is the value of `deadlock`. False if it is not
 * for terms, which are of no use any more then. */
bool unroll_unit(struct terms *terms, const struct levels *levels, const struct program *program,
                 const struct unit *unit, bool is_stuck, bool is_value, uint32_t *term);
