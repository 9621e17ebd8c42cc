/* FIND - questions about expressions: what they are, mention and can do.
 *
 * Errors: nothing fails; where an answer is not known it is the one on the safe side, as said at
 *         each.
 */
#pragma once

#include "lang/syntax/ast.h"

bool expr_is_true(const struct expr *expr); /* NULL or a constant other than 0 */
bool expr_is_false(const struct expr *expr);
bool expr_is_constant(const struct expr *expr, int64_t *value);
bool expr_is_boolean(const struct expr *expr); /* its value is 0 or 1 */
/* Whether two expressions are the same tree; names are compared by their symbols. */
bool expr_equal(const struct expr *left, const struct expr *right);
/* A hash: equal expressions have the same one. It differs from run to run. */
uint64_t expr_hash(const struct expr *expr);
/* Number of nodes; a node with several parents counts several times. Stops above the limit. */
uint32_t expr_size(const struct expr *expr, uint32_t limit);

/* Whether evaluating can fail: division, index, shift, call. */
bool expr_can_fault(const struct expr *expr);
/* Whether evaluating changes anything. */
bool expr_has_effect(const struct expr *expr);

bool expr_mentions(const struct expr *expr, const struct symbol *symbol);
/* The same, also through a reference parameter of the template or a call. */
bool expr_mentions_alias(const struct expr *expr, const struct symbol *symbol);
/* Whether two names can be the same variable. */
bool symbols_may_alias(const struct symbol *left, const struct symbol *right);
/* Whether the value may change because another process writes. */
bool expr_depends_on_shared(const struct expr *expr);
/* Whether something else in the body of a quantifier has the name of its bound variable, and would
 * become it in the output: what was put in from outside. */
bool expr_is_captured(const struct expr *body, const struct symbol *bound);
/* Whether it names a clock; NULL does not. */
bool expr_names_clock(const struct expr *expr);
/* Whether it asks what a coalition can bring about; NULL does not. */
bool expr_asks_coalition(const struct expr *expr);
/* Whether it names a placeholder: a select symbol without a declaration of its own in the model, as
 * those that stand for unknowns are. */
bool expr_has_unknown(const struct expr *expr);

/* Whether scalars are part of a type: Uppaal has no locals of such types, only parameters. */
bool type_has_scalar(const struct type *type);
