/* CELLS - compile-time values, and which cells of removed variables paths and expressions mean. */
#pragma once

#include "abstract/facts/context.h"

/* The value of a compile-time expression that is the same for all processes. */
bool constant_value(struct context *context, const struct expr *expr, int64_t *value);
/* Offset of a path with constant indices below a removed variable; false if an index is not
 * constant. */
bool constant_offset(struct context *context, const struct removal *removal,
                     const struct expr *path, uint32_t *offset);
/* Over: whether a path below a removed variable may mean a removed cell, whatever indices are that
 * are not constant; marks all cells that it may mean unless that is NULL. */
bool path_may_be_removed(struct context *context, const struct removal *removal,
                         const struct expr *path, bool *cells);
/* Over: whether evaluating may read, or write, a variable that is removed there. */
bool expr_reads_removed(const struct context *context, const struct expr *expr, struct where where);
bool expr_writes_removed(const struct context *context, const struct expr *expr,
                         struct where where);

/* Whether the variable is an array of scalar cells. */
bool removal_is_plain_array(const struct removal *removal);
/* Whether a cell is of a scalar set. */
bool is_scalar_cell(const struct removal *removal, uint32_t offset);
