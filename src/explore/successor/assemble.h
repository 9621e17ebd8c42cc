/* ASSEMBLE - makes the program of a network: instances, channels, actions, rows and groups.
 *
 * Errors: more than PROGRAM_MAX_INSTANCES instances, and limits that are met on the way, are
 *         STATUS_LIMIT, more than PATH_MAX_BRANCHES branchpoints in a row STATUS_UNSUPPORTED.
 */
#pragma once

#include "explore/successor/limit.h"
#include "explore/successor/program.h"

/* The limits of a program. */
struct program_limits {
    size_t max_size; /* bytes of its arena, if they are more than PROGRAM_FREE_SIZE; 0 = no limit */
    double deadline; /* by clock_seconds; 0 = none */
};

/* interprets: its actions are run by the interpreter, for tests. waits: those of large states are
 * compiled when they are needed, for a search that takes few of them. */
struct program_kind {
    bool interprets, waits;
};

/* NULL (reported) past a limit, which is noted in *met. */
struct program *program_new(struct arena *arena, const struct layout *layout,
                            struct program_kind kind, struct program_limits limits,
                            enum search_limit *met, struct diag *diag);
void program_close(struct program *program);
/* The same program with a compiler of its own, which leaves the code of the other one as it is.
 * Nothing waits in it. The other one may be closed, but its arena is borrowed. */
struct program *program_share(struct arena *arena, const struct program *program, bool interprets);

/* Compiles an action that waits; its tests stay as they were. */
void action_compile(const struct program *program, struct action *action);
