/* LOOP INTERNAL - what the files of loop.h share.
 *
 * loop.c          rounds, and what is put back
 * loop_attempt.c  their abstractions, which are made and searched
 * loop_verdict.c  what their abstractions say of queries, and their strategies do in the original
 */
#pragma once

#include "lang/syntax/kinds.h"
#include "refine/loop.h"

/* The rounds of one query. */
struct refinement {
    uint32_t number;
    const struct query *query;
    const struct network *network; /* whose model has no other query */
    struct removal_candidates candidates;
    bool has_candidates;
    bool is_cut_short;          /* at this stop */
    struct removals cut;        /* of the last may-abstraction that was, what it said, */
    struct refine_side cut_may; /* and the states it was allowed: */
    uint64_t cut_states;
    bool is_left_alone;         /* a formula, for which no abstraction is made */
    uint64_t state_budget;      /* states to search in the next abstraction, after the last stop */
    bool removes_dead_only;     /* in this round: the finest abstraction */
    bool shares_round;          /* in this round, with another query that removes the same */
    struct removals must_tried; /* of a must-abstraction that was searched to no avail */
    bool is_done;
    struct refine_round round; /* the current one */
    struct refine_result *result;
};

struct rounds {
    const struct network *network;
    const struct refine_options *options;
    struct arena *arena;
    double deadline; /* 0 = none */
    VEC(struct refinement) list;
    bool has_tried_merges;
    double played_seconds; /* that strategies were played in the original for */
    uint32_t first;        /* the query whose turn comes first */
    uint64_t state_budget; /* states to search in the current abstraction */
    /* At a stop of the original search, what is left of its budget: */
    bool is_at_stop;
    uint64_t states_left;
    uint32_t groups_left;
};

/* The queries of one round that have the same removals. */
struct round_group {
    VEC(struct refinement *) list;
};

static inline bool is_bounds(const struct query *query) {
    return query_traits(query->quantifier)->family == FAMILY_BOUNDS;
}
static inline bool is_formula(const struct refinement *own) {
    return own->query->quantifier == QUERY_FORMULA;
}

/* What an attempt may take. */
struct verify_options limits_of(const struct rounds *rounds);
/* Whether an abstraction is bounded here, and not by what was asked for. */
bool is_bounded(const struct rounds *rounds);
void bound_states(const struct rounds *rounds, struct verify_options *verify);
const struct network *network_for(const struct rounds *rounds, struct query *queries,
                                  uint32_t count);

/* Attempts for the queries of a group, by their numbers; to be closed. */
void attempt_mode(struct rounds *rounds, struct attempts *attempts, const struct round_group *group,
                  enum mode mode);
/* The may-abstraction of a round, and what it says. */
void try_may(struct rounds *rounds, struct attempts *may, const struct round_group *group);
bool needs_must(const struct refinement *own, const struct attempt *may);
/* The must-abstraction of the same removals, for those that are not decided by the other one. */
void try_must(struct rounds *rounds, const struct round_group *group, const struct attempts *may);
/* Whether the original has the run of the may-abstraction. */
void follow_run(const struct rounds *rounds, struct refinement *own, const struct attempt *may);

/* Ends a query. */
void conclude(struct refinement *own, enum refine_way way, enum verdict verdict,
              const char *reason);

/* Take what an abstraction says into the round; where that carries over it is the result. */
void judge_may(const struct rounds *rounds, struct refinement *own, const struct attempt *may);
void judge_must(const struct rounds *rounds, struct refinement *own, const struct attempt *may,
                const struct attempt *must);
void judge_formula(struct rounds *rounds, struct refinement *own, const struct attempt *attempt);
