/* FACT - what a value analysis knows: domains of processes, values of shared slots, facts about
 * edges.
 *
 * All of it over-approximates: a value that is not here does not occur, an edge that is not reached
 * is never taken.
 *
 * Lifetime: in the arena of the analysis. analysis.h answers questions about it.
 */
#pragma once

#include "model/data.h"
#include "values/enumerate.h"

enum approximation { APPROX_TEMPLATE, APPROX_COMBINED };

struct slot_set {
    const uint32_t *slots;
    uint32_t count;
};

struct analysis_options {
    enum approximation approximation;
    uint64_t budget; /* evaluations of one edge, and combined locations; 0 = the default */
    const struct slot_set *related; /* removed slots that belong together (A3, S2) */
    uint32_t related_count;
    const struct narrowed_selects *narrowed; /* NULL = none */
    bool is_must;        /* invariants that name removed variables do not refine (A7) */
    bool stays_modular;  /* the product is not tried where values are many */
    bool has_ghosts;     /* what others write changes variables that follow it, too (S2): any
                           receiver's update is within the step */
    bool sweeps_nothing; /* runs are made one by one (local_sweep.c): for comparisons of the two */
    struct original_errors *errors; /* of the original; for those who rely on what they are */
};

/* The outcome of the combined analysis where the modular one left too many values. */
enum product_trial { TRIAL_NONE, TRIAL_BETTER, TRIAL_NO_BETTER, TRIAL_TOO_LARGE };

/* Past ANALYSIS_WIDE_VALUES values of a removed slot, the product of all processes is tried (A6),
 * and choices are cut by guards. */
enum { ANALYSIS_DEFAULT_BUDGET = 20000, ANALYSIS_MAX_TUPLES = 4096, ANALYSIS_WIDE_VALUES = 300 };

/* Slots of one process that are analysed together (A3). */
struct group {
    uint32_t *addresses; /* ascending */
    uint32_t dimension;
    bool has_overflowed; /* too many tuples: its slots have to be taken apart (A5) */
};

struct group_domain {
    struct value_set set;     /* over: of a single slot */
    struct tuple_set *tuples; /* over: of several; NULL for a single one */
    bool is_pinned;           /* pin.h: some slot of it may really have other values */
};

/* Shared slots that are analysed together (shared_relation.h). */
struct shared_groups {
    uint32_t *group_of; /* by slot; NO_SLOT = none */
    struct group *list; /* one that has overflowed says nothing */
    struct group_domain *domains;
    uint32_t count;
};

struct location_domain {
    bool is_reached; /* over */
    struct group_domain *groups;
    struct value_set *shared; /* combined only: by index of shared tracked slot */
};

struct process_domain {
    struct group *groups;
    uint32_t group_count;
    struct location_domain *locations; /* with branchpoints */
    bool *
        is_alone; /* under, by edge: no other process ever synchronises with it (sync_partners.h) */
};

/* Facts that the analysis found about an edge, over all processes of the template. */
struct edge_fact {
    bool is_reached;    /* over: some process can pass guard and invariant */
    bool is_incomplete; /* past the budget: guard and update were over-approximated */
    bool is_noted;      /* private: there is a note of it */
    bool *item_faults;  /* over, by update item: some evaluation failed there, or it was not run
                           because  it changes nothing that is tracked */
    bool guard_faults;  /* over */
};

struct analysis_note {
    const struct template *template;
    uint32_t edge;
    const char *text;
};

struct analysis {
    struct arena *arena;
    const struct network *network;
    struct analysis_options options; /* as asked for */
    bool is_combined;                /* this is the result of the product */
    bool is_pinned;                  /* some place has one value in place of those it can have */
    enum product_trial trial;
    struct wide_slot {
        uint32_t slot; /* NO_SLOT if there is none */
        uint64_t values;
    } widest;                            /* of the removed slots that are read, before the trial */
    bool *is_tracked;                    /* by slot */
    const bool *is_removed;              /* by slot */
    struct thresholds thresholds;        /* of widening */
    struct value_set *shared;            /* over: M, by slot; for local slots unused */
    struct shared_groups *shared_groups; /* NULL = none */
    struct process_domain *processes;
    uint32_t *group_of;       /* by slot: group in its process, for tracked local slots */
    struct edge_fact **edges; /* by template index, edge index */
    bool **invariant_blocks;  /* over, by template index, location: the invariant has kept some
                                 step out (A7): the value sets are finer for it */
    VEC(struct analysis_note) notes;
    struct map cache;              /* union over processes */
    const struct summary *summary; /* private: what labels read and write (relevance.h) */
    const struct interference
        *interference; /* private: who writes between guards and updates (interference.h) */
    uint64_t evaluation_count;
    uint64_t wasted_count; /* of these, on edges that turned out to be past the budget */
};

/* Whether the guard of an edge is written as false. */
bool edge_is_off(const struct network *network, const struct template *template,
                 const struct edge *edge);

/* For the passes: starts anew with facts and notes; notes an edge past its budget (A5). */
void analysis_clear_facts(struct analysis *analysis);
void analysis_add_note(struct analysis *analysis, const struct template *template, uint32_t edge);
