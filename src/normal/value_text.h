/* VALUE TEXT - the expression for the value that stands for that of a cell. */
#pragma once

#include "classes/point.h"

/* In terms of the name of the cell, in the arena. NULL if it would be too long. */
const char *value_text(struct arena *arena, const struct class_point *point, const char *name,
                       bool is_bool);
