/* LABEL RUN - runs the labels of edges on the values known of their process, and collects what
 * comes out.
 *
 * A leg is an edge that a process takes within a step. The caller enumerates: in every run it
 * evaluates the guards and updates of the legs in the order of the step, and collects. What the
 * runs add stays in a delta until all of them are done, because the sets that they read must not
 * change meanwhile.
 *
 * Invariants: a run that stops early (guard false, evaluation error, empty set) adds nothing, but
 *             for values written into shared slots, which may be more than needed.
 * Lifetime:   deltas live in the scratch arena until label_run_clear.
 */
#pragma once

#include "approx/labels/domain.h"
#include "approx/labels/relevance.h"

/* The way in which the labels of an edge of one process are run. */
struct edge_plan {
    bool *is_relevant; /* over, by update item: it can change a tracked slot */
    bool *moves;       /* by update item: it reads a removed slot and writes one (A3) */
    bool *refines;     /* under, by conjunct of the invariant of the target: it may cut (A7); NULL =
                          none */
    bool is_within_step; /* others may have changed shared slots after its guard was read (A2) */
    bool ignores_guard;  /* of an edge that leaves a branchpoint: when it is read is not settled */
    bool narrows;        /* the guard cuts sets before they are tried (narrow.h) */
    /* Past the budget (A5): what is still evaluated. */
    uint64_t spent; /* runs so far */
    bool is_relaxed;
    bool *drops_conjunct; /* by conjunct of the guard */
    uint32_t item_limit;  /* items from here on are not (local_domain.c) */
};

struct leg {
    const struct process *process;
    const struct edge *edge;
    const struct expr *guard; /* of the edge, as it is evaluated */
    const struct edge_plan *plan;
    struct edge_fact *fact;
};

struct delta {
    struct group_domain **added; /* by item */
    uint32_t *touched;           /* by item: runs that read or wrote it */
    uint64_t *touched_run;       /* by item: the last of them */
    VEC(uint32_t) items;         /* with added */
    uint32_t runs;               /* collected */
};

/* The ranges of cells in which a guard can hold (narrow.h). */
enum { NARROW_MAX_CELLS = 24 };
struct narrowing {
    struct narrowed {
        uint32_t address;
        int32_t lower, upper;
    } cells[NARROW_MAX_CELLS];
    uint32_t count, depth; /* of conditions that are looked at both ways */
};

struct label_run {
    struct analysis *analysis;
    const struct network *network;
    struct arena scratch; /* of the current enumeration */
    struct environment environment;
    struct enumerator enumerator;
    /* What is known of a slot before the step. */
    struct cell_domain (*domain)(void *context, uint32_t slot);
    void (*after_item)(void *context, const struct leg *leg, uint32_t item); /* may be NULL */
    void *context;
    struct value_set *selects; /* by address - cell_count */
    struct binding **frames;   /* by leg */
    uint32_t select_count, leg_count;
    const bool *is_hooked;         /* by slot: update hooks write it; NULL without hooks */
    const struct process *process; /* of the current evaluation */
    struct narrowing narrowing;    /* of the leg that is run */
    struct value_set narrowed[NARROW_MAX_CELLS]; /* what is left, by cell of it */
    unsigned forgotten; /* in this run, where nothing is narrowed any more */
    uint32_t at;        /* where location names find it */
    bool is_anywhere;   /* it may be at either end */
    /* An item is a group of slots that a delta speaks of. */
    const uint32_t *item_of;    /* by slot; NO_SLOT where there is none */
    struct group *groups;       /* by item */
    struct value_set **written; /* by shared slot: values written, for M */
    VEC(uint32_t) written_slots;
};

void label_run_init(struct label_run *run, struct analysis *analysis, uint32_t leg_count);
void label_run_close(struct label_run *run);
void delta_init(struct delta *delta, struct arena *arena, uint32_t item_count);

/* Plans of the edges of a process, which is run alone or with all that take part in a step. */
struct edge_plan *label_run_plans(struct analysis *analysis, const struct process *process,
                                  bool is_alone);
/* Whether others may have changed, between guard and update, shared slots that the update names
 * (A2). */
bool label_run_is_within_step(const struct analysis *analysis, const struct template *template,
                              const struct edge *edge);

/* Binds the selects of a leg. False if a range cannot be computed: the edge is never taken. */
bool label_run_bind(struct label_run *run, const struct leg *leg, uint32_t number);

/* The values of a cell before the step; the range that the guard leaves of them, NULL if the guard
 * does not count any more; and the values within that range. */
struct cell_domain label_run_domain(const struct label_run *run, uint32_t address);
const struct narrowed *label_run_narrowed(const struct label_run *run, uint32_t address);
struct cell_domain label_run_known(const struct label_run *run, uint32_t address);

/* Begins a run: nothing is forgotten. */
void label_run_begin(struct label_run *run);

/* Parts of a run. The number is that of the leg, whose selects have been bound. */
bool label_run_guard(struct label_run *run, const struct leg *leg, uint32_t number);
bool label_run_updates(struct label_run *run, const struct leg *leg, uint32_t number);
bool label_run_invariant(struct label_run *run, const struct leg *leg); /* of the target (A7) */
/* The address of the channel that a leg synchronises on. */
bool label_run_channel(struct label_run *run, const struct leg *leg, uint32_t number,
                       uint32_t *address);

/* The next read of such a slot chooses anew. */
enum { FORGET_SHARED = 1, FORGET_HOOKED = 2, FORGET_META = 4 };
void label_run_forget(struct label_run *run, unsigned what);

/* Adds the current values of all items that the run has touched. */
void label_run_collect(struct label_run *run, struct delta *delta);
/* Call back with each tracked slot that one item, or some relevant item, of the leg may write. */
void label_run_item_writes(struct label_run *run, const struct leg *leg, uint32_t item,
                           void (*found)(struct label_run *run, uint32_t slot, void *context),
                           void *context);
void label_run_writes(struct label_run *run, const struct leg *leg,
                      void (*found)(struct label_run *run, uint32_t slot, void *context),
                      void *context);
struct group_domain *delta_of(struct label_run *run, struct delta *delta, uint32_t item);
void label_run_write_range(struct label_run *run, uint32_t slot, int32_t lower, int32_t upper);

/* Deltas first; label_run_clear forgets the written values and frees the scratch arena. */
void delta_clear(struct delta *delta);
void label_run_clear(struct label_run *run);
