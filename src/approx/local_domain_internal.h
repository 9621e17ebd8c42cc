/* LOCAL DOMAIN INTERNAL - the state of the thread-modular fixpoint, and the calls between its
 * parts.
 *
 * local_domain.c  the fixpoint: worklists, processes, edges, what a visit adds to locations and
 *                 slots
 * local_visit.c   visits of an edge: what each has read, and whether the next one can try less
 * local_budget.c  the runs of one visit, within the budget of rule A5
 * local_sweep.c   runs that differ in one choice, side by side
 *
 * Lifetime: all of it in the arena of the analysis, for one run of the fixpoint.
 */
#pragma once

#include "approx/local_domain.h"
#include "approx/priority.h"
#include "approx/relation.h"
#include "approx/sync_partners.h"
#include "lang/eval/eval_lanes.h"

enum { VISITS_PER_BUDGET = 8 };

struct dependents {
    VEC(uint64_t) list; /* process and location */
};

/* One thing that a visit of an edge has read, with the values it had then. */
struct seen_values {
    uint32_t read;            /* a shared slot, or a group of the process after slot_count */
    bool is_known;            /* what is below */
    uint32_t count, capacity; /* of tuples or values */
    int32_t *values;
};

/* The last visit of an edge. Its results have been joined to the target, so the next visit has to
 * try only the values that were not there. */
struct edge_visit {
    struct seen_values *reads;
    uint32_t read_count, read_capacity;
    uint64_t clock; /* when it began */
    uint64_t budget;
    uint64_t runs, work; /* with all values */
    bool is_passed;      /* some run came to its end */
    bool is_complete;    /* no budget ended it */
    bool *keeps;         /* by group: some of these runs left it alone */
};

/* The one thing read that has more values than at the last visit. */
struct grown {
    uint32_t read, index;    /* of reads */
    bool is_restricted;      /* only its new values are tried now */
    struct value_set set;    /* these, */
    struct tuple_set tuples; /* or the new tuples */
};

/* The state of one run of the fixpoint. */
struct local_fixpoint {
    struct label_run run;
    struct analysis *analysis;
    const struct network *network;
    struct relation *relation;
    struct delta delta;
    struct leg leg; /* the current process and edge */
    struct process_domain *domain;
    struct edge_plan **plans; /* by process, when needed */
    const struct edge_plan **
        *relaxed;                  /* by template index, by edge: of the process that was first */
    struct ranking *rankings;      /* by template index */
    uint64_t **pending;            /* by process: bit set of ranks */
    uint32_t *pending_count;       /* by process */
    struct dependents *dependents; /* by slot: who read it */
    struct sync_partners partners;
    /* For visits that need not try all again. */
    uint64_t clock;             /* counts visits and growths */
    uint64_t *slot_grown;       /* by shared slot: when its set grew last */
    uint64_t **groups_grown;    /* by process, location and group: likewise */
    uint64_t *noted;            /* as reads of visits: the visit that has noted it */
    struct edge_visit **visits; /* by process, by edge */
    struct edge_visit *visit;   /* the current one */
    struct grown grown;
    uint64_t cells_copied; /* by all visits */
    struct sweep *sweep;   /* NULL until it is needed */
    bool is_peeking;       /* what is asked for is not read */
};

/* local_domain.c: the current edge has read a shared slot and runs again when its set grows; adds
 * to the values of a group at a location. */
void local_depend(struct local_fixpoint *worker, uint32_t slot);
void local_join(struct local_fixpoint *worker, uint32_t location, uint32_t group,
                const struct group_domain *added);

/* local_visit.c: the values that the current edge finds (the hook of label_run.h). */
struct cell_domain local_slot_domain(void *context, uint32_t slot);
/* Visits the current edge with all values. False if the edge is never taken. */
bool local_visit_all(struct local_fixpoint *worker, struct edge_plan *plan);
/* Visits it as far as needed: not at all, with new values, or with all. False if there is nothing
 * new to be added to its target. */
bool local_visit(struct local_fixpoint *worker, struct edge_plan *plan);

/* local_budget.c */
uint64_t local_allowance(const struct analysis *analysis);
bool local_run_once(struct local_fixpoint *worker);
void local_begin_updates(struct local_fixpoint *worker);
bool local_narrow(struct local_fixpoint *worker);
void local_clear(struct local_fixpoint *worker);
/* All runs of the current edge within the budget. False if the edge is never taken. */
bool local_evaluate(struct local_fixpoint *worker, struct edge_plan *plan);
/* After a run: those that differ from it in the value of the last choice alone, as far as they can be
 * run together. The enumerator goes on after them. Returns how many of them have chosen from what is
 * watched. */
uint64_t local_sweep(struct local_fixpoint *worker);
void local_relax_as_others(struct local_fixpoint *worker, struct edge_plan *plan);
