/* SEQUENCE - expressions that come to something else in another order of evaluation.
 *
 * The documentation leaves open in which order operands, arguments and the two sides of an
 * assignment are evaluated. Here it is from left to right: an index on the left of `=` before the
 * right side, and the old value of a compound assignment last.
 *
 * Variables are looked at as a whole, not cell by cell. Expressions of more than a thousand nodes
 * are not looked at.
 */
#ifndef VARABS_MODEL_SEQUENCE_H
#define VARABS_MODEL_SEQUENCE_H

#include "model/effects.h"

/* The first part of an expression in which one operand changes what another one reads or changes;
 * or NULL. */
const struct expr *sequence_matters(struct effects_table *table, const struct expr *expr);

#endif
