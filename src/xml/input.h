/* INPUT - the bytes of a file or of standard input.
 *
 * Lifetime: the bytes live in the arena given.
 */
#pragma once

#include "base/arena.h"
#include "base/str.h"

/* Reads a whole file, at most a little more than DOCUMENT_MAX_BYTES of it; "-" is standard input.
 * The bytes get a NUL after them. False with errno set on failure. */
bool file_load(const char *path, struct arena *arena, struct str *bytes);
