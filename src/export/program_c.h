/* PROGRAM C - the steps of a network as C functions, for the programs of others.
 *
 * What is written has no state of its own and includes nothing but what it names:
 *
 *     enum { STORED, WORDS, CHOICES };    words of a state, with scratch words, and choices
 *     static const uint64_t INITIAL[];
 *     static int try_step(const uint64_t *state, uint64_t *next, int choice);
 *
 * A choice is an action, or a sender with one way to put its receivers together; try_step says
 * whether the state has it, and where it leads (the first STORED words of next). An evaluation that
 * fails is no step, as in the search of this program. Fields have their declared ranges, so that no
 * value is too large for them.
 *
 * Errors: what cannot be written is STATUS_UNSUPPORTED: priorities, channels that the state
 *         chooses, expressions that only the interpreter can evaluate, too many choices, and
 *         persistent meta variables (model/persistent.h).
 */
#pragma once

#include "base/str.h"
#include "explore/successor/program.h"

enum { EXPORT_MAX_CHOICES = 20000 };

/* Layout and program with the declared ranges; NULL (reported) if it cannot be made. Closed by
 * program_close. */
struct program *export_prepare(struct arena *arena, const struct network *network);

/* Writes everything; false (reported) if it cannot be written. choices gets their number. */
bool export_program(struct buffer *out, const struct program *program, uint32_t *choices);
