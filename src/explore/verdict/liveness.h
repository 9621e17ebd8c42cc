/* LIVENESS - looks for maximal runs whose states all satisfy a predicate.
 *
 * A run is infinite, or ends in a state without steps, or, under uppaal, in one that can idle. In
 * the graph of the states that satisfy the predicate such a run is a path to a loop or to such an
 * end, so one depth-first search decides: each state is expanded once.
 *
 * With fairness, runs that end in a state are infinite, too: they idle there, which is a step of
 * nobody, and a run has to be fair to the constraints (explore/fair). The states are explored first
 * then, and good parts are looked for in their graph (liveness_fair.c).
 *
 * The search goes over the rows of the store and adds states as it meets them, so that a search
 * that stored the initial state alone is enough for runs from there.
 *
 * Results, runs included, do not depend on the order of the rows.
 *
 * Lifetime: heap memory, freed by liveness_close. Search and expander are borrowed; the search's
 *           figures grow with what is expanded here.
 * Errors:   limits hold, the expander's on time and the search's on states and memory; memory of
 * the store counts.
 */
#pragma once

#include "explore/fair/constraint.h"
#include "explore/graph/ledger.h"
#include "explore/verdict/trace.h"

enum liveness_outcome {
    LIVENESS_NONE,    /* there is no such run */
    LIVENESS_RUN,     /* there is one */
    LIVENESS_FAULT,   /* none was found, and the predicate cannot be evaluated everywhere */
    LIVENESS_LIMIT,   /* none was found before the search's limit */
    LIVENESS_OVERFLOW /* the search has to start over: see the expander's machine */
};

struct block {
    void *items;
    size_t count; /* items */
};

/* A fair run from the initial state on. */
struct fair_run {
    bool is_found; /* not past a limit, or where it is not wanted */
    struct row_path path;
    uint32_t *choices; /* by row but the last: which step leads on */
    enum trace_end end;
    uint32_t loop;
};

struct liveness {
    struct search *search;
    struct expander *expander;
    bool can_idle; /* runs may end where time may pass for ever */
    bool wants_runs;
    const struct fair_marker *fair; /* NULL: any run */
    uint64_t max_fair_steps;        /* in the search for a fair one; 0 = no limit */
    /* Or NULL: states for which it is false are none of any run, as is known otherwise. */
    bool (*has_run)(void *context, const uint64_t *state);
    void *context;
    /* result */
    uint32_t root; /* the first state of the run */
    enum trace_end end;
    uint32_t entry;           /* of the loop */
    struct fair_run fair_run; /* in place of these, with fairness */
    struct fault fault;
    /* where an error was met that the search had not found; count 0 = not wanted, or no memory */
    bool has_found_error;
    struct row_path error_path;
    /* private */
    struct arena *arena;
    uint32_t error_root;
    const struct watch *inside;
    uint64_t *state; /* that is expanded */
    uint64_t *words; /* whose predicate is evaluated, with scratch words */
    struct shelf shelf;
    struct block colours, frames, pending;
    struct ledger ledger;
    uint32_t horizon; /* rows before it were expanded by the search */
    uint32_t end_row; /* rows from here on were added here */
    uint64_t visited; /* states entered for the present query */
    uint64_t ticks;
    bool is_cut, is_stopped, has_overflowed, has_new_error;
};

/* The arena keeps the paths. */
void liveness_init(struct liveness *live, struct search *search, struct expander *expander,
                   struct arena *arena);
void liveness_close(struct liveness *live);

/* A run inside the predicate of a watch from the initial state. */
enum liveness_outcome liveness_from_start(struct liveness *live, const struct watch *inside);
/* A run inside a predicate from a reachable state that satisfies another one: from a state on the
 * first level that has such a run. */
enum liveness_outcome liveness_from_states(struct liveness *live, const struct watch *from,
                                           const struct watch *inside);

/* Likewise from one row of the store that satisfies the predicate and is known to have such a run:
 * LIVENESS_RUN, also if a limit is in the way of finding it. */
enum liveness_outcome liveness_from_row(struct liveness *live, const struct watch *inside,
                                        uint32_t row);

/* The run that was found last, from its root on: the shortest way to the nearest end, or to the
 * loop and then around it (the last row is that of rows[loop]). Where there are too many states
 * to look at, the shortest among those that were visited. False if a limit is in the way. */
bool liveness_path(struct liveness *live, struct row_path *path, enum trace_end *end,
                   uint32_t *loop);
