/* NAMES - of the files that a command reads and writes; those of outputs are tried before the work.
 *
 * Lifetime: in the arena of the session.
 */
#pragma once

#include "cli/options.h"
#include "command/sink.h"

/* For is_ready of a sink: chooses what the output and so on are called. False (reported) if one of
 * the names is that of a file that is read, or two of them are one file, or it cannot be written,
 * under whatever names. */
bool names_are_usable(struct sink *sink, const struct options *options, struct session *session);

/* Of the C code of an exported model. */
const char *name_of_code(const char *output, struct arena *arena);
/* "dir/run.2.svg" for "dir/run.svg", for one of several queries. */
const char *name_of_run(struct arena *arena, const char *path, uint32_t number, uint32_t count);

/* "-" */
bool name_is_standard(const char *path);
