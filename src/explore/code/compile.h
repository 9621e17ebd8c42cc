/* COMPILE - turns labels of edges and predicates into units (explore/code/code.h).
 *
 * Everything that is constant once the process and the selects are fixed is folded: parameters,
 * array indices, loops with constant bounds, calls (inlined), and what is known of the state: the
 * locations, what a guard has asked for, what was assigned before in the same unit. So most
 * guards become tests and most updates become puts. An expression that is too large, or of a kind
 * that the compiler does not know, is left to the interpreter.
 *
 * Use: unit_begin, then guards, updates, invariants in the order in which they run, unit_end.
 *
 * Source: rule N3 for the order of evaluation; the evaluator (lang/eval/eval.h) is the
 *         reference for every construct.
 */
#pragma once

#include "explore/code/code.h"
#include "explore/code/machine.h"

struct compiler;

/* interprets: leave everything to the interpreter, for tests. */
struct compiler *compiler_new(struct arena *arena, struct code *code, bool interprets);
void compiler_close(struct compiler *compiler); /* frees heap memory of its evaluator */

/* An edge of a process with the values of its selects. */
struct leg_labels {
    const struct process *process;
    const struct edge *edge;
    const int32_t *selects;
};

void unit_begin(struct compiler *compiler);
/* The unit starts a step: scratch fields have their initial values. */
void unit_fresh(struct compiler *compiler);
void unit_guard(struct compiler *compiler, const struct leg_labels *leg);
void unit_update(struct compiler *compiler, const struct leg_labels *leg);
/* before_update and after_update. */
void unit_hook(struct compiler *compiler, const struct expr_list *list);
/* That a process is at a location (tested), and that it moves there. */
void unit_at(struct compiler *compiler, const struct process *process, uint32_t location);
void unit_move(struct compiler *compiler, const struct process *process, uint32_t location);
void unit_invariant(struct compiler *compiler, const struct process *process, uint32_t location);
/* Scratch fields are back where they started, or the layout was wrong. */
void unit_settle(struct compiler *compiler);
/* A predicate of a query: the unit holds where it is true (false). */
void unit_predicate(struct compiler *compiler, const struct expr *predicate, bool is_negated);
/* r[0] becomes the value, or the address of the channel. */
void unit_value(struct compiler *compiler, const struct expr *expr);
void unit_leg_value(struct compiler *compiler, const struct expr *expr,
                    const struct leg_labels *leg);
void unit_channel(struct compiler *compiler, const struct leg_labels *leg);
/* The address if it is the same in every state, else NO_SLOT; outside of units. */
uint32_t compile_channel(struct compiler *compiler, const struct leg_labels *leg);
/* False: the unit never holds. */
bool unit_end(struct compiler *compiler, struct unit *unit);
/* Instead of it: keeps the tests alone. */
bool unit_end_tests(struct compiler *compiler, struct unit *unit);
