/* CONCRETIZE - whether a run of an abstract model is one of the original.
 *
 * The run is followed in the original, breadth first, by the set of all states that look like those
 * of the run so far (explore/visible/visible.h). A step of the run is one step of the original; one
 * that changes nothing in the abstract model may also be none, as loops that are added to an
 * abstraction stand for staying. A loop is followed round by round, for as long as there are new
 * states: the original can go on for ever if it comes back to a state, at the same place of the
 * loop.
 *
 * What is found is a witness or counterexample of the query in the original: its predicates are
 * evaluated there, and the run of a liveness query may end as soon as one of the original may.
 *
 * If the run breaks off, the removed slots are named that keep the original from going on: those
 * that the guards read which are disabled in all states that got so far. Where guards are not
 * disabled, those that updates and invariants read, too.
 *
 * Use: concretizer_init once, with the queries as parsed for the original; concretize for each
 *      run; a loop that refines abstractions reads `outcome`, `step` and `slots`.
 * Lifetime: results live in the arena given to concretize; visible and queries are borrowed.
 * Errors:   concretizer_init gives false if the original cannot be prepared (reported to its
 *           model's diag); limits and predicates that fail leave the outcome unknown.
 */
#pragma once

#include "explore/compare/culprit.h"
#include "explore/verdict/verify.h"
#include "explore/visible/visible.h"

enum concretize_outcome {
    CONCRETE_UNKNOWN,
    CONCRETE_REAL,    /* the original has the run */
    CONCRETE_SPURIOUS /* it has not */
};

struct concretize_options {
    enum semantics semantics;
    uint64_t max_states; /* pairs of a state and a place in the run; 0 = no limit, also below */
    size_t max_size;     /* bytes */
    double max_seconds;  /* of all runs together */
    struct diag *diag;   /* for what cannot be prepared; NULL = that of the concrete model */
};

struct concretization {
    enum concretize_outcome outcome;
    enum search_limit limit; /* why it is unknown; or */
    const char *problem;     /* a predicate cannot be evaluated */
    struct trace *trace;     /* CONCRETE_REAL: the run in the original */
    /* CONCRETE_SPURIOUS: */
    bool is_at_end; /* all steps are possible, but that proves nothing in the original; otherwise */
    uint32_t step;  /* steps[step] of the run is not possible, */
    uint32_t round; /* of a loop: after so many rounds at most */
    uint32_t *slots; /* of the original, ascending: removed ones that it depends on */
    uint32_t slot_count;
    const struct false_guard *guards; /* that are false there, in one of the states */
    uint32_t guard_count;
    uint64_t states; /* pairs that were looked at */
};

/* The units of one query. */
struct concrete_query {
    struct unit from, inside;
};

struct concretizer {
    const struct visible *visible;
    const struct query *queries;
    struct concretize_options options;
    struct concrete_query *units; /* by query */
    struct search search;         /* holds layout, program and states of the original */
    struct expander expander;
};

bool concretizer_init(struct concretizer *concretizer, const struct visible *visible,
                      const struct query *queries, uint32_t count,
                      const struct concretize_options *options);
/* The run is that of an answer for the same query of the abstract model. */
void concretize(struct concretizer *concretizer, uint32_t query, const struct trace *run,
                struct arena *arena, struct concretization *result);
void concretizer_close(struct concretizer *concretizer);
