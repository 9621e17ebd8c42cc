/* EDGE FUNCTION - what an edge or an invariant does, for all values of what it reads (V2, V11,
 * V12).
 *
 * A function is one of the parts that a step is made of: an internal edge or a sender as a whole;
 * the readiness and the update of a receiver apart, because the update runs on what the sender left
 * behind, unless that is nothing that the update names; an invariant; an observation. It is
 * evaluated once for every combination of the values that it looks at. The runs are the leaves of a
 * tree, from left to right: at each step a run picks one of the values of the address that it reads
 * next.
 *
 * Invariants: of two runs, the steps are the same up to the first that differs in index only.
 * Lifetime:   what function_runs_find finds is valid until it is called again.
 */
#pragma once

#include "classes/point.h"

enum function_kind {
    FUNCTION_EDGE,      /* guard, channel and update, of what moves by itself or sends, or receives
                           what nobody disturbs (approx/labels/interference.h); where an update hook may
                           change something in between, it is taken apart as well */
    FUNCTION_READINESS, /* guard and channel of a receiver */
    FUNCTION_ERRORS, /* whether guard and channel fail, of what has no partner (sync_partners.h) */
    FUNCTION_UPDATE, /* the update of a receiver, or after a branchpoint */
    FUNCTION_INVARIANT,
    FUNCTION_OBSERVATION /* what a query asks of a state (V1), wherever the processes are */
};

struct function_part {
    enum function_kind kind;
    const struct process *process; /* NULL for an observation */
    const struct edge *edge;       /* NULL for invariants and observations */
    const struct expr *expr;       /* of an observation */
    uint32_t location;             /* where the process is */
    uint64_t checked_at;           /* the clock of the points at the last check; 0 = never */
    double combinations;           /* over: of the values of all that it may read */
    uint32_t number;               /* in the order of the model */
    bool is_part, is_split;        /* of a predicate; into parts, which count instead */
    const struct expr *failing; /* at the last check: an item on which it relies (V14), or NULL */
};

enum outcome_kind {
    OUTCOME_NONE,   /* the guard does not hold */
    OUTCOME_ERROR,  /* a range violation and the like, in any process (V7) */
    OUTCOME_BROKEN, /* the update fails, if it is come to (V14) */
    OUTCOME_DONE
};

struct step_choice {
    uint32_t address, index;
};

struct slot_write {
    uint32_t slot;
    int32_t value;
};

/* A comparison of clocks in a run, or a clock that it sets (T2); in the order of the run. */
struct clock_use {
    const struct expr *comparison; /* NULL: a clock is set */
    uint32_t clocks[2];
    int32_t number;
};

struct run {
    uint32_t first_step, step_count;
    enum outcome_kind kind;
    int64_t result; /* the channel, or the value of an invariant or observation; -1 = none */
    uint32_t first_write, write_count; /* ascending by slot: the values in the end */
    uint32_t first_use, use_count;     /* of clocks */
    const struct expr *failing;        /* OUTCOME_BROKEN: the item of the update */
};

struct function_runs {
    const struct points *points;
    struct analysis *analysis;
    const struct network *network;
    struct arena *arena;
    struct environment environment;
    struct enumerator enumerator;
    const struct function_part *function;
    struct value_set *selects; /* by address after the cells */
    uint32_t select_count;
    struct value_set *locations; /* after these: where each process is; then a deadlock or not */
    /* by process: where it can be, while a foreign process moves */
    const struct value_set **tracker_locations;
    struct map processes; /* by name */
    struct binding *frame;
    uint64_t *written_run;      /* by slot: the last run that wrote it */
    const struct expr *failing; /* by this run: the item of the update that failed, or NULL */
    VEC(uint32_t) written;      /* slots, by this run */
    VEC(struct run) list;
    VEC(struct step_choice) steps;
    VEC(struct slot_write) writes;
    VEC(struct clock_use) uses;
};

void function_runs_init(struct function_runs *runs, struct arena *arena,
                        const struct points *points, struct analysis *analysis);
void function_runs_close(struct function_runs *runs);

/* Runs a function; false past so many runs, or the budget of the analysis. */
bool function_runs_find(struct function_runs *runs, const struct function_part *function,
                        uint64_t most_runs);

/* The write of a run to a slot, or NULL. */
const struct slot_write *run_write(const struct function_runs *runs, const struct run *run,
                                   uint32_t slot);

/* Whether a run picked a value of an address, and the index of that. */
bool run_reads(const struct function_runs *runs, const struct run *run, uint32_t address,
               uint32_t *index);

/* Where the tracker of a variable can be while a function of a foreign process runs (foreign.h);
 * NULL: it is not that of a foreign process. */
const struct value_set *tracker_locations(const struct points *points,
                                          const struct function_part *function, uint32_t slot);

/* Whether the function is a sender of the process that tracks a slot, and each receiver overwrites
 * the variable of the slot. */
bool receivers_overwrite(const struct points *points, const struct function_part *function,
                         uint32_t slot);

/* Numbers of points of a slot: where the function finds the slot; where the slot is when the update
 * begins, if the update leaves it as it is; where the function leaves the slot; and the one in
 * transit that a sender leaves it in, or 0. Where a foreign process may find it in several points,
 * the first. */
uint32_t point_before(const struct points *points, const struct function_part *function,
                      uint32_t slot);
uint32_t point_carried(const struct points *points, const struct function_part *function,
                       uint32_t slot);
uint32_t point_after(const struct points *points, const struct function_part *function,
                     uint32_t slot);
uint32_t transit_after(const struct points *points, const struct function_part *function,
                       uint32_t slot);

static inline bool function_has_update(const struct function_part *function) {
    return function->kind == FUNCTION_EDGE || function->kind == FUNCTION_UPDATE;
}

/* Whether the function has the update of a sender; of a receiver. */
static inline bool function_sends(const struct function_part *function) {
    return function_has_update(function) && function->edge->sync && function->edge->is_send;
}
static inline bool function_receives(const struct function_part *function) {
    return function_has_update(function) && function->edge->sync && !function->edge->is_send;
}

/* The address from which an observation picks where a process is. */
static inline uint32_t function_runs_location(const struct function_runs *runs, uint32_t process) {
    return runs->network->cell_count + runs->select_count + process;
}
