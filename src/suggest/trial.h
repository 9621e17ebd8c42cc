/* TRIAL - abstracts a model in memory to see what comes of it.
 *
 * Lifetime: the model is as it was.
 * Errors:   messages of the trial are not shown; a refusal is a result, with its message.
 */
#pragma once

#include "abstract/abstract.h"
#include "session/session.h"

enum trial_outcome { TRIAL_REFUSED, TRIAL_INEXACT, TRIAL_EXACT };

struct trial {
    enum trial_outcome outcome;
    const char *message;   /* why refused, or the first reason why not exact */
    uint32_t reason_count; /* why not exact */
    const char *may_fail;  /* as of the abstraction */
    bool chooses_widely;   /* from more values than anybody wants; then the message says so */
    struct str output;     /* the model; empty if refused or not wanted */
};

/* An abstraction that is looked into before it is given up. */
struct trial_work {
    struct arena arena;
    struct diag diag;
    struct session session; /* of a copy of the model, if that has to be rewritten before; it
                                              has the queries that are not empty or invalid */
    bool has_session;
    struct abstraction abstraction;
    const char *problem; /* why it is refused, or NULL */
};

/* Removes by the --remove arguments; false if that is refused. To be ended in any case. */
bool trial_begin(struct trial_work *work, const struct network *network,
                 const char *const *arguments, uint32_t count,
                 const struct abstract_options *options);
void trial_end(struct trial_work *work);

/* Prepares and runs a trial at once; the result lives in the arena. */
struct trial trial_run(const struct network *network, const char *const *arguments, uint32_t count,
                       const struct abstract_options *options, struct arena *arena);

/* Builds the session's model with queries of another one. */
bool trial_build(struct session *session, const struct query *queries, uint32_t count);

/* The first error of several messages, with its place. */
const char *trial_problem(const struct diag *diag);

/* ---- by removals and merges ---- */

/* Abstracts a copy of a model by removals and merges, to see what comes of it (P4).
 *
 * Lifetime: the model is as it was; the result lives in the arena given.
 * Errors:   messages are not shown; a refusal is a result, with its message.
 */

enum { MERGE_TRIAL_REASONS = 3 };

struct merge_trial {
    struct trial trial;
    VEC(const char *) reasons; /* the first ones why it is not exact */
    VEC(const char *) lost;    /* formulas that cannot be asked any more */
    bool rewrites;             /* queries are said of merged variables */
    bool is_about_agents;      /* what they observe may be less */
};

struct merge_request {
    const char *const *removals, *const *merges;
    uint32_t removal_count, merge_count;
    const struct query *given; /* queries, in place of those of the document; then the model is
                                  written only if all are kept as they are */
    uint32_t given_count;
};

struct merge_trial merge_trial_run(const struct network *network,
                                   const struct merge_request *request,
                                   const struct abstract_options *options, struct arena *arena);
