/* BUILD - nodes of expressions made by varabs, and what leads to a cell.
 *
 * Invariants: results share their arguments; nothing is changed in place.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "base/str.h"
#include "lang/eval/eval.h"

struct expr *build_int(struct arena *arena, int64_t value);
struct expr *build_bool(struct arena *arena, bool value);
struct expr *build_name(struct arena *arena, const struct symbol *symbol);
/* As it is; simplify_node would simplify it. */
struct expr *build_binary(struct arena *arena, enum op op, const struct expr *left,
                          const struct expr *right);
struct expr *build_assignment(struct arena *arena, const struct expr *target,
                              const struct expr *value);
/* A copy of one node, children shared. */
struct expr *build_copy(struct arena *arena, const struct expr *expr);

/* The lvalue of one cell of a variable of a shape. */
struct expr *cell_path(struct arena *arena, const struct symbol *symbol, const struct shape *shape,
                       uint32_t offset);
/* Type of a scalar cell of a type. */
const struct type *cell_type(const struct type *type, const struct shape *shape, uint32_t offset);

/* The type of a variable as a parameter or local: without const or meta. */
void print_local_type(struct buffer *out, const struct type *type);
