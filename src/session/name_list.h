/* NAME LIST - names that an argument lists with commas between them. */
#pragma once

#include "base/arena.h"

#include <stdint.h>

/* The names in all texts, one by one, in the arena; commas in parentheses are part of a name. */
const char **names_of_lists(struct arena *arena, const char *const *texts, uint32_t text_count,
                            uint32_t *count);
