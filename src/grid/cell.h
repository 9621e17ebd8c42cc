/* CELL - one command of a grid, in a process of its own with limits of its own.
 *
 * A cell that runs out of time or memory, or breaks down, has no result and a problem that says so;
 * the caller goes on. Where the system has no processes, the command runs in that of the caller.
 *
 * Lifetime: what a cell leaves lives in the arena given.
 */
#pragma once

#include "command/command.h"

struct cell_result {
    enum status status;
    struct str json, output; /* without data: there is none */
    const char *error;       /* the first error that the command reported; or NULL */
    const char *problem;     /* why there is no result, or not all of it; or NULL */
    double seconds;
};

/* Runs the command, with the limits on time and memory of the request. */
struct cell_result cell_run(enum command command, const struct command_request *request,
                            struct arena *arena);
