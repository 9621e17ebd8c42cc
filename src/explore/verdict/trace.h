/* TRACE - a run of the network, state by state.
 *
 * Invariants: states[0] is the initial state; steps[i] leads from states[i] to states[i + 1]. The
 *             trace of an error ends with the step that fails, so it has as many steps as states;
 *             every other one has a step less than it has states.
 * Lifetime:   everything lives in the arena given.
 * Errors:     limits of the expander hold: past one there is no trace.
 */
#pragma once

#include "explore/space/search.h"

enum trace_end {
    TRACE_OPEN,     /* the last state is the point */
    TRACE_DEADLOCK, /* no step is possible in the last state, it stutters for ever */
    TRACE_IDLE,     /* time may pass for ever in the last state */
    TRACE_LOOP      /* the last state is the same as states[loop] */
};

/* The sender or the internal edge first, then receivers in system order. */
struct trace_step {
    const struct edge_instance **parts;
    uint32_t part_count;
    const char *channel; /* its name, or NULL */
};

struct trace_state {
    uint32_t *locations; /* by process */
    int32_t *values;     /* by slot */
};

struct trace {
    struct trace_state *states;
    uint32_t state_count;
    struct trace_step *steps;
    uint32_t step_count;
    enum trace_end end;
    uint32_t loop;
};

/* A packed state with its scratch words. */
struct trace_state trace_unpack(struct arena *arena, const struct layout *layout,
                                const uint64_t *words);

/* Rows of the store, each a successor of the one before. */
struct row_path {
    uint32_t *rows;
    uint32_t count;
};

/* A shortest path from the initial state to a row that the search found; count 0 past a limit. */
struct row_path trace_path(struct arena *arena, const struct search *search,
                           struct expander *expander, uint32_t row);

/* Where rows stand for orbits, a run starts in the initial state and goes on by steps to states of
 * these orbits, so that all its states are reached. */

/* The run along a path; NULL past a limit. */
struct trace *trace_new(struct arena *arena, const struct search *search, struct expander *expander,
                        const struct row_path *path);
/* The run along a path that comes back to its row number *loop; *loop becomes the number of the
 * state that is reached again. Where rows stand for orbits that may take several rounds. */
struct trace *trace_new_lasso(struct arena *arena, const struct search *search,
                              struct expander *expander, const struct row_path *path,
                              uint32_t *loop);
/* The run from the initial state by given steps, each by its place among all steps of its state;
 * nothing that is stored is looked at. NULL past a limit. */
struct trace *trace_new_by(struct arena *arena, const struct search *search,
                           struct expander *expander, const uint32_t *choices, uint32_t count);
/* The run along a path, and then the first step that fails; NULL past a limit. */
struct trace *trace_new_error(struct arena *arena, const struct search *search,
                              struct expander *expander, const struct row_path *path);
