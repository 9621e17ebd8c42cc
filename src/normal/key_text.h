/* KEY TEXT - the expression for the value that stands for that of a keyed cell after an edge:
 * sent == 1 ? 0 : choice (key.h).
 */
#pragma once

#include "normal/process_text.h"

/* In terms of the names of the cell and its key, in the arena. NULL if it would be too long. */
const char *key_text(struct arena *arena, const struct process_points *points, const char *name,
                     bool is_bool, const char *key_name, bool key_is_bool);
