/* SUBSTITUTE - a value in place of a name.
 *
 * Lifetime: in the arena given; parts in which the name does not occur are copied, too.
 */
#pragma once

#include "lang/syntax/ast.h"

/* The expression with a value in place of a name, simplified. */
const struct expr *expr_substitute(struct arena *arena, const struct expr *expr,
                                   const struct symbol *symbol, const struct expr *value);
