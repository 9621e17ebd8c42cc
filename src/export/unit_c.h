/* UNIT C - units of code as C functions. */
#pragma once

#include "base/str.h"
#include "explore/successor/program.h"

/* Fields, constants and operators that the functions use. */
void unit_write_base(struct buffer *out, const struct program *program);
/* Whether the unit can be written: not if it is interpreted. */
bool unit_is_writable(const struct program *program, const struct unit *unit);
/* static int NAME(uint64_t *w): 1 if the unit holds, 0 if not, 2 if its evaluation fails. */
void unit_write(struct buffer *out, const struct program *program, const struct unit *unit,
                const char *name);
