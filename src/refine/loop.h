/* LOOP - decides queries of a model by abstractions, from coarse to fine.
 *
 * First the model is searched without removals (refine/original_search.h). Where that search stops,
 * there are rounds of abstractions, with fewer states for all of them than the search has seen, and
 * with more rounds at each stop, so that making them does not take long beside the search. An
 * abstraction that is cut short is searched again at the next stop. So a model that `check` soon
 * decides is soon decided here, too. Limits are states and rounds, so that results do not depend on
 * time. When the search of the original has ended there are rounds without such limits.
 *
 * At the first stop, or where the search ends otherwise, merges that are proposed
 * (suggest/merges.h) are made, all together, in a may-abstraction and then in a must-abstraction,
 * for all queries.
 *
 * Rounds start without any variable that the query does not name. In each round the
 * may-abstraction is checked, then, if its verdict does not hold for the original, the
 * must-abstraction of the same removals, with a small budget of the analysis, for the other
 * verdict, and then whether the run that the may-abstraction has to show is one of the original. If
 * it is not, a variable that keeps it from being one is put back, the one with the least estimate
 * (suggest/candidate.h) if there are several: where it is dead it stays removed, as long as nothing
 * blames that. When a limit ends a check, all variables are put back that are not dead; where
 * edges would choose from very many values, all are put back at once of which they choose values.
 * Values that make no difference for the query are exchanged in abstractions before these are
 * checked. At the latest without any removal the abstraction is exact.
 *
 * All queries that are not decided yet have a round before the next one begins, at a stop as many
 * as there is room for. Those that remove the same share the abstractions of that round, and a
 * search where the same values are exchanged. A variable that was put back because of very
 * many values is not removed for the other queries either (refine/removal_candidates.h).
 *
 * A formula, of operators in each other, of knowledge or of coalitions, has rounds of its own, with
 * a mixed abstraction in place of both. What its agents observe is kept, but may be removed in
 * other processes of their templates (MX6). Where the formula is unknown, what decides about an
 * uncertain step is put back.
 *
 * Verdicts are reported only if they carry over (X4): by the abstraction, or because
 * the original has the run. sup, inf and bounds are decided if the abstraction is exact or may and
 * must give the same values. All this assumes that the original has no runtime errors.
 *
 * Lifetime: results live in the arena given.
 * Errors:   past a limit the verdict is unknown.
 */
#pragma once

#include "explore/compare/play_plan.h"
#include "refine/original_search.h"
#include "refine/put_back.h"
#include "refine/removal_candidates.h"

enum {
    REFINE_MAX_ROUNDS = 200,
    REFINE_MAX_PROPOSALS = 8, /* of merges */
    REFINE_LEAST_GAIN = 6,    /* of merges of numbers alone: the others are exchanged as well */
    /* Of the states that the original search has seen, for all abstractions at a stop: */
    REFINE_FIRST_PART = 2,      /* at the first one, */
    REFINE_PART = 8,            /* and later; */
    REFINE_ROUND_STATES = 1000, /* but never less for one */
    REFINE_FIRST_FACTOR = 2, /* at the second stop there are so many rounds for one at the first */
    /* Of the original, for a strategy of an abstraction; and for those of all queries: */
    REFINE_PLAYED_STATES = 20000,
    REFINE_PLAYED_MS = 250
};

struct refine_round {
    uint32_t number; /* from 1 */
    struct removals removals;
    struct merge_list merges; /* in place of removals, in one of the first rounds */
    struct refine_side may, must;
    struct refine_side mixed;    /* of a formula, in place of both */
    enum refine_finding finding; /* of the run of the may-abstraction */
    uint32_t step;               /* FINDING_SPURIOUS: where it breaks, from 1; 0 = not known */
    uint32_t loop_rounds;        /* of its loop that are possible before */
    const char *back; /* the removal that is undone for the next round; NULL in the last one, in one
                       * of the original search, and if it is removed again after its next stop */
    const char *remains; /* its argument in that round, or NULL */
};

/* The run of a may-abstraction, and what came of it in the original; for the call only. */
struct refine_run {
    const struct attempt *may; /* its answer has the run */
    const struct concretization *followed;
};

/* The way in which a query was decided: by an abstraction, by both because their bounds agree, or
 * by a run of the may-abstraction that the original has. */
enum refine_way { BY_NOTHING, BY_MAY, BY_MUST, BY_BOTH, BY_RUN, BY_MIXED };

struct refine_result {
    enum verdict verdict;
    enum refine_way way;
    struct bounds_of *bounds; /* of a satisfied sup, inf or bounds: by expression */
    const char *reason;       /* why it carries over, or why there is no verdict */
    bool is_open;             /* a formula that the last abstraction left open */
    enum search_limit limit;
    struct refine_round last; /* with the removals that decided it */
    double seconds;           /* what is done for several queries counts for the first of them */
};

/* A strategy that decides a query, in a mixed abstraction, and what came of it in the original; for
 * the call only. */
struct refine_strategy {
    const struct attempt *mixed; /* its answer has the plan */
    const struct plan_played *played;
};

/* Callbacks during the rounds, each may be NULL; queries by number. */
struct refine_watch {
    void (*begin_round)(void *context, uint32_t query, uint32_t round);
    /* Where there is a finding of a round. */
    void (*show_run)(void *context, uint32_t query, const struct refine_round *round,
                     const struct refine_run *run);
    void (*show_strategy)(void *context, uint32_t query, const struct refine_strategy *strategy);
    void (*end_round)(void *context, uint32_t query, const struct refine_round *round);
    void (*end_query)(void *context, uint32_t query); /* its result is there */
    void *context;
};

struct refine_options {
    const struct abstract_options *abstract;
    struct verify_options verify; /* its time is that of all queries, all rounds together */
    /* at the same queries, by the same numbers; NULL: none */
    struct original_search *original_search;
    struct trial_memo *trial_memo;
    const struct claim_condition *condition; /* what may fail in the original */
    /* Without the original search, or after it: states to search in the first abstraction. */
    uint64_t state_budget;
    struct refine_watch watch;
};

/* Results by query; those of queries that are empty or invalid stay as they are. Variables
 * that only other queries name may be removed for a query. */
void refine_queries(struct refine_result *results, const struct network *network,
                    struct query *queries, uint32_t count, const struct refine_options *options,
                    struct arena *arena);
