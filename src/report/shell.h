/* SHELL - words of commands that a result says, as a shell reads them.
 *
 * Lifetime: words live in the arena given, or are those that were given.
 */
#pragma once

#include "base/arena.h"

/* As a word of a shell command: in quotes where it needs them. */
const char *shell_word(const char *word, struct arena *arena);
