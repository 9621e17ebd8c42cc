/* RANGE - values by declared types, true in every state and not only in reachable ones; and the
 * conditions that are left where these do not settle that a value fits.
 *
 * A fact is a condition that holds where the value is computed, and clips them; NULL = none.
 */
#pragma once

#include "abstract/facts/context.h"

/* Under: whether an index certainly lies within bounds, in any state. */
bool index_fits(struct context *context, const struct expr *index, int64_t lower, int64_t upper);
/* Under: whether a value is certainly not 0. */
bool is_never_zero(struct context *context, const struct expr *fact, const struct expr *value);
/* lower <= value <= upper, each side only where it is not certain; NULL = always. Exact: what is
 * left out holds anyway. */
const struct expr *bounds_condition(struct context *context, const struct expr *fact,
                                    const struct expr *value, const struct expr *lower,
                                    const struct expr *upper);
/* Under: whether a select over a type certainly has some value. */
bool range_is_nonempty(struct context *context, const struct type *type);
/* When a value fits a type; NULL = always. */
const struct expr *range_condition(struct context *context, const struct expr *fact,
                                   const struct expr *value, const struct type *type);
/* Under: whether a comparison holds in any state, and never fails. */
bool range_is_certain(struct context *context, const struct expr *comparison);
/* Cuts the values of a symbol, which are between two ends, by the comparisons with it that a guard
 * has as conjuncts: with any other value it is false in every state. False if nothing is cut off,
 * or no value is left. Over: values that are left may be false, too. */
bool range_narrow(struct context *context, const struct expr *guard, const struct symbol *symbol,
                  int32_t *lower, int32_t *upper);

/* Whether a condition that holds for some value of a symbol holds for each smaller one, too, for
 * each greater one, or both, whatever everything else is. Under. */
struct tendency {
    bool goes_down, goes_up;
};
struct tendency range_tendency(struct context *context, const struct expr *condition,
                               const struct symbol *symbol);
