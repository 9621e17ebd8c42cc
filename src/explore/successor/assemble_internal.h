/* ASSEMBLE INTERNAL - the state in which a program is made, for the files that make it together.
 *
 * assemble.c            the program as a whole; channels, invariants and hooks
 * assemble_instances.c  the edges with all values of their selects
 * assemble_actions.c    the units of steps: of an edge alone, of two, and of what search puts
 * together assemble_rows.c       the instances of urgent channels and the receivers of broadcasts,
 * by location
 */
#pragma once

#include "explore/successor/assemble.h"

struct program_builder {
    struct program *program;
    struct arena *arena;
    struct compiler *compiler;
    struct environment environment;
    struct diag *diag;
    const struct edge *path[PATH_MAX_BRANCHES + 1];
    uint64_t instance_count; /* as counted before any is made */
    bool has_any_channel;    /* some instance computes its channel */
    bool shares_invariants;
    struct program_limits limits;
    uint32_t looks;
    bool is_over;           /* past a limit */
    enum search_limit *met; /* which */
};

/* Bytes that its arena may take. */
static inline size_t program_most(const struct program_limits *limits) {
    if (!limits->max_size) return SIZE_MAX;
    return limits->max_size > PROGRAM_FREE_SIZE ? limits->max_size : PROGRAM_FREE_SIZE;
}

/* assemble.c: to be asked for each instance; false, and reported, past a limit. */
bool builder_goes_on(struct program_builder *builder);

/* assemble_instances.c: false (reported) if there are too many. */
bool add_instances(struct program_builder *builder);

/* assemble_actions.c: compiles guard and channel of each instance, leaves out those that are never
 * enabled, and gives channels their senders and receivers; then the actions and loose instances. */
void list_channels(struct program_builder *builder);
/* One unit for a whole step; false if there is no such step. */
bool compile_action(const struct program *program, const struct action *action, struct unit *unit);
void compile_hooks(const struct program *program, bool is_after);
void add_actions(struct program_builder *builder);

/* assemble_rows.c */
void add_listeners(struct program_builder *builder);
void add_urgent(struct program_builder *builder);
