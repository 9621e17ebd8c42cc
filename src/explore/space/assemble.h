/* ASSEMBLE - makes the program of a network: instances, channels, actions, rows and groups.
 *
 * Errors: more than PROGRAM_MAX_INSTANCES instances, and limits that are met on the way, are
 *         STATUS_LIMIT, more than PATH_MAX_BRANCHES branchpoints in a row STATUS_UNSUPPORTED.
 */
#pragma once

#include "explore/space/limit.h"
#include "explore/space/program.h"

/* The limits of a program. */
struct program_limits {
    size_t max_size; /* bytes of its arena, if they are more than PROGRAM_FREE_SIZE; 0 = no limit */
    double deadline; /* by clock_seconds; 0 = none */
};

/* NULL (reported) past a limit, which is noted in *met. */
struct program *program_new(struct arena *arena, const struct layout *layout, bool interprets,
                            struct program_limits limits, enum search_limit *met,
                            struct diag *diag);
void program_close(struct program *program);
