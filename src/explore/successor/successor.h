/* SUCCESSOR - all steps that are possible in a state (N2 to N5).
 *
 *     state ──┬─ memo    results remembered by the part of the state that actions look at (memo.h)
 *             │            unknown key: runs the rows of the group once; too many keys: given up
 *             ├─ quick   actions as rows: (state & mask) == value, then keep, set, add (quick.h)
 *             │            a row that is more than that, or fails: its unit of code (machine.h)
 *             ├─ slow    states too large for rows: units of code, one by one
 *             └─ loose   partners known only here: broadcast, computed channels, guards that may fail;
 *                          the memo knows what updates do
 *                  ▼
 *             the state under construction: update, hooks, invariants
 *                  ▼
 *             list of successors, of which those of less than the highest priority are dropped
 *
 * In a committed state only steps with a committed participant are looked at.
 *
 * Where the program has a canon, whole expansions end with canonical states, unless is_plain or
 * leaves_canon. If its symmetry has to be tried (symmetry.h), each broadcast is run in more orders
 * of its receivers.
 *
 * Invariants: successors are complete states with scratch words at their initial values; their
 *             order depends on the state and the program alone, unless it is remembered what
 *             actions do (rows_first).
 * Lifetime:   an expander owns heap memory, freed by expander_close; one per thread. Its list
 *             grows with every expansion until expander_clear.
 * Errors:     an evaluation that fails is counted per edge instance (guards, channels) or per step
 *             (updates, invariants) and is no step. A value that does not fit the layout stops the
 *             expansion: expander_run gives false, machine.overflow_slot says why. So does a limit:
 *             machine.is_late or is_too_large is set then. The deadline is the machine's. So do
 *             orders of receivers that do not come to the same: orders_differ stays set.
 */
#pragma once

#include "explore/successor/limit.h"
#include "explore/successor/memo.h"

enum { CANON_TICK = 64 }; /* canonical states, until limits of time are looked at */

/* One step of a state; its participants are instances[first_part] and so on, the sender first. */
struct step_record {
    uint32_t first_part, part_count;
};

/* A part of an expansion: what comes of it depends on few fields. All parts together give what the
 * whole gives, unless there are priorities. */
enum part_kind {
    PART_ACTION,    /* first: the action */
    PART_GUARD,     /* the error of the guard of a loose instance that is not lazy, if it fails */
    PART_PAIR,      /* a loose sender and a receiver, without errors of their guards */
    PART_BROADCAST, /* a loose sender and all that receive, likewise */
    PART_SENDER,    /* of a broadcast, as if no other process took part */
    PART_RECEIVER   /* another process in the state after it: each way to receive, or as it was */
};

/* first: the action, the loose instance, or the sender; second: the receiver of a pair, or the
 * process. */
struct step_part {
    enum part_kind kind;
    uint32_t first, second;
};

/* An action as the pair of its instances; else the part as it is. */
static inline struct step_part part_by_instances(const struct program *program,
                                                 struct step_part part) {
    if (part.kind != PART_ACTION) return part;
    const struct action *action = &program->actions.items[part.first];
    return (struct step_part){PART_PAIR, action->first, action->second};
}

struct expander {
    const struct program *program;
    struct machine machine;
    uint32_t word_count; /* of a state in the list: the stored words */
    uint64_t *states;    /* heap: successors, one after the other */
    uint32_t first;      /* of the last expansion; those before are of earlier ones */
    uint32_t count, capacity;
    uint64_t error_count; /* of the last expansion */
    struct fault first_error;
    size_t max_size;     /* bytes of the list; 0 = no limit, also below */
    uint64_t max_work;   /* steps and rounds of loops ever */
    uint64_t rows_first; /* states until it is remembered what actions do; never by default */
    bool is_too_large;
    bool is_recording; /* keep records */
    bool is_plain;     /* successors stay as they are, whatever canon the program has */
    bool leaves_canon; /* whoever asks makes them canonical */
    bool orders_differ;
    struct canon_work canon;
    VEC(uint32_t) parts;
    VEC(struct step_record) records; /* by successor of the last expansion */
    VEC(struct step_record) errors;  /* by error, where is_recording */
    VEC(struct fault) faults;        /* likewise */
    /* private */
    struct arena arena;   /* of the records and lists */
    uint64_t effort;      /* since the limits were looked at */
    uint64_t spent;       /* before */
    uint64_t *work;       /* the state under construction */
    const uint64_t *from; /* the state that is expanded */
    bool is_committed;
    int64_t *ranks; /* by successor, where there are priorities */
    struct loose *loose;
    struct order_trial *trial; /* or NULL */
    struct urgency *urgency;
    struct memo memos[2]; /* of states that are not committed, and that are */
};

void expander_init(struct expander *expander, const struct program *program);
void expander_close(struct expander *expander);

/* Adds the successors of a state of stored words to the list; false after an overflow, or at a
 * limit. */
bool expander_run(struct expander *expander, const uint64_t *state);

/* Starts the expansion of a state by parts. is_committed: some process is in a committed location,
 * which the state need not show. */
void expander_begin(struct expander *expander, const uint64_t *state, bool is_committed);
bool expander_run_part(struct expander *expander, const struct step_part *part);

/* Whether the last expansion was ended by a limit. */
static inline bool expander_is_cut(const struct expander *expander) {
    return expander->machine.is_late || expander->is_too_large;
}

/* That limit. */
static inline enum search_limit expander_limit(const struct expander *expander) {
    return expander->machine.is_late ? limit_of_machine(&expander->machine) : LIMIT_MEMORY;
}

/* Steps and rounds of loops so far. */
static inline uint64_t expander_work(const struct expander *expander) {
    return expander->spent + expander->effort;
}

static inline void expander_clear(struct expander *expander) { expander->count = 0; }

/* Number of successors of the state that was expanded last. */
static inline uint32_t expander_degree(const struct expander *expander) {
    return expander->count - expander->first;
}

static inline const uint64_t *expander_state(const struct expander *expander, uint32_t index) {
    return expander->states + (size_t)index * expander->word_count;
}
