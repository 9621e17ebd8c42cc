/* REFINEMENT - whether all that a model does, seen by its actions, another one can do (rule R2.4).
 *
 * The concrete model refines the abstract one if each trace of it, the visible actions of a finite
 * run from the initial state, is one of the abstract model. With failures, each set of actions that
 * it refuses in a state without hidden steps must be refused by the abstract model after the same
 * trace, too. The answer is exact for nondeterministic models.
 *
 * With fairness of the abstract model every fair run of the concrete one must besides be fair there
 * (R5.3), where runs that end idle for ever. A step that the abstract model cannot follow refutes
 * whatever is fair, as each finite run goes on to a fair one (R5.2).
 *
 * Verdict and counterexample come from the same product (product.h).
 *
 * Lifetime: what the counterexample holds lives in the arena given; refinement_close frees the
 * rest. Errors:   a limit leaves the outcome unknown; refine gives false if a network cannot be
 * prepared (reported to its model's diag). Evaluations that fail in the abstract model leave it
 *           unknown, too, unless it fails elsewhere.
 */
#pragma once

#include "explore/refine/product.h"
#include "explore/verdict/trace.h"

enum refine_model { REFINE_TRACES, REFINE_FAILURES };
enum refine_outcome { REFINE_UNKNOWN, REFINE_HOLDS, REFINE_FAILS };

struct trace_options {
    enum refine_model model;
    struct fair_names fair[SIDE_COUNT]; /* of traces only */
    struct search_options search; /* max_states counts for each side, the rest for all; is_full: go
                                     on after a blocked step */
    void (*progress)(void *context, uint64_t nodes); /* of the product, with search.context */
};

/* The concrete state after it, or the last step of it, that the abstract model cannot follow. */
enum counterexample_kind {
    COUNTER_BLOCKED, /* the last step is an action that it does not offer */
    COUNTER_REFUSED, /* the last state refuses actions of which it refuses none */
    COUNTER_STOPPED, /* the last state has no step, and it must go on */
    COUNTER_UNFAIR   /* the run is fair, and goes on for ever without what the abstract model has to
                        do */
};

enum { COUNTER_MAX_STATES = 10 };

struct counterexample {
    enum counterexample_kind kind;
    struct trace *trace;      /* of the concrete model */
    uint32_t *labels;         /* by step */
    uint32_t *abstract_count; /* by state, without that after a blocked step: how many abstract
                                 states the trace can lead to */
    /* of a run that is not fair: that which is never taken, and the last state where it is enabled;
     * trace->end and loop say how the run goes on */
    const struct fair_constraint *constraint;
    uint32_t enabled_at;
    /* where the abstract model can be in the end, or there: the first of them */
    struct trace_state *states;
    uint32_t state_count;
    uint32_t *offered; /* labels that some of them offers at once, ascending */
    uint32_t offered_count;
    uint32_t *left; /* labels of the last concrete state, if it refuses others; ascending */
    uint32_t left_count;
};

struct side_figures {
    uint64_t states, expanded, transitions, errors;
    struct fault first_error;
};

struct trace_refinement {
    enum refine_outcome outcome;
    enum search_limit limit;
    struct label_table labels;
    struct fair_constraints fair[SIDE_COUNT]; /* with the instances that were found */
    uint64_t violated;      /* set of those of the abstract model that some fair run is unfair to */
    bool is_fairness_known; /* otherwise it was not looked at */
    struct side_figures sides[SIDE_COUNT];
    uint64_t nodes, transitions, after; /* of the product; after: nodes after a blocked step */
    uint32_t sets, largest_set;
    bool is_deterministic; /* the abstract side, as far as it was seen */
    size_t peak_size;
    double seconds;
    struct counterexample *counterexample; /* NULL unless it fails, and past a limit */
    /* private */
    struct search searches[SIDE_COUNT];
    bool is_searched[SIDE_COUNT];
    uint32_t constraint_count; /* of both models */
};

bool refine(struct trace_refinement *refinement, struct arena *arena,
            const struct alphabet *alphabet, const struct trace_options *options);
void refinement_close(struct trace_refinement *refinement);
