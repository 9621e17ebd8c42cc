/* CHECK - static semantics: types, constants, side effects.
 *
 * Fills the members of the tree marked "checked": expr.type on every expression, field_index,
 * symbols of process members in queries, function.changes_outside, is_compile_time.
 * Queries that do not check become QUERY_INVALID with a problem text and a warning.
 *
 * Errors: STATUS_INVALID for what Uppaal refuses, STATUS_UNSUPPORTED for clocks that are used,
 *         doubles and the like; in a template without processes these become its problem.
 *         Uppaal's warnings are warnings here.
 */
#pragma once

#include "lang/syntax/ast.h"

/* Checks a whole model; false if diag has errors afterwards. */
bool model_check(struct model *model);

/* The same for what joins a checked model: the type of a variable, an expression that is an int or
 * a bool without side effects (what names it in messages), an update. False after an error. */
bool model_check_variable(struct model *model, struct symbol *symbol);
bool model_check_value(struct model *model, struct expr *value, const char *what);
bool model_check_update(struct model *model, struct expr *update);
