/* SUGGEST - which removals are exact all together, and which others there are.
 *
 * Candidates come from the live-variable analysis; what counts is what the fold says of them (X1).
 * First all dead ones are tried together. As long as that is not exact, the one without which there
 * are the fewest reasons is left out; those left out are tried again at the end, and then every
 * other variable, because a variable that is read may still make no difference.
 *
 * Lifetime: everything lives in the arena given.
 * Errors:   none; trials are bounded, and what was not tried is not exact.
 */
#pragma once

#include "explore/verdict/verify.h"
#include "suggest/candidate.h"
#include "suggest/merges.h"
#include "suggest/trial.h"

enum {
    SUGGEST_MAX_TRIALS = 400,
    SUGGEST_MAX_OUTPUTS = 10 /* of removals that are not exact, the most promising ones */
};

struct measured { /* by exploration (refine/measure.h) */
    struct exact states;
    uint64_t orbits; /* that were stored: the states, unless symmetry is asked for */
    bool is_complete;
    bool has_errors; /* some step fails at runtime */
    uint64_t work;   /* of the search (explore/space/space.h) */
};

/* Against the model as it is, in the order in which removals are listed. */
enum worth { WORTH_FEWER, WORTH_UNKNOWN, WORTH_NO_FEWER, WORTH_MORE };

struct suggested {
    struct candidate_removal removal; /* its reason also says why it is not exact, or refused */
    bool is_refused;
    struct measured measured;
    enum worth worth;
    struct str output; /* of a quick trial: the model without it; of the most promising ones only */
    /* Its must-abstraction keeps the initial state only, of a model that has steps; measured. */
    bool must_is_measured, must_stands_still;
};

struct suggested_merges {
    struct merge_proposal proposal;
    struct merge_trial tried;
    struct measured measured;
    enum worth worth;
};

/* Exact beside all that is, and not made, as some queries, but not all, ask more. */
struct withheld_merges {
    const char *const *arguments; /* of --merge */
    uint32_t count;
    const char *const *lost; /* formulas of these queries */
    uint32_t lost_count;
};

/* Where the time of a suggestion goes, in seconds. */
struct suggest_seconds {
    double values, exact, lossy;      /* the analysis of all variables; trials of both kinds */
    double exchange, by_query;        /* looking for values that stand for others */
    double states, alone, must_alone; /* exploring the whole, and each that is not exact */
    double further;                   /* looking for what is exact shown by exploration */
};

struct suggestion {
    const struct network *network;
    const struct abstract_options *options;
    struct arena *arena;
    bool takes_inexact; /* merges that are not exact, set by the caller before they are chosen */
    struct live *live;
    struct analysis *values;     /* of all variables; NULL past a budget */
    VEC(struct suggested) exact; /* all together */
    VEC(struct suggested) lossy; /* each alone */
    VEC(struct suggested)
    explored; /* exact shown by exploration, together with the exact ones, each
              after those before it: set where it is measured */
    /* Set by refine/choose_merges.h: exact together with all that is exact; and others, alone. */
    VEC(struct suggested_merges) merges;
    VEC(struct suggested_merges) lossy_merges;
    VEC(struct withheld_merges) withheld;
    bool is_about_formulas; /* then variables may go in some processes only */
    uint32_t trial_count;
    void (*tell)(uint32_t trial, uint32_t most); /* before each; or NULL */
    bool is_interrupted;          /* set by the caller: what is exact is so, but more may be */
    bool is_late, is_memory_over; /* likewise: by time or memory, not by a signal */
    struct str output;            /* the model without what is exact; empty if there is nothing */
    const char *may_fail; /* that it is exact relies on this not failing (errors.h); or NULL */
    bool is_measured;
    struct measured original;
    struct measured together; /* without what is exact, and what is so shown by exploration */
    struct suggest_seconds seconds;
};

/* Keeps models for measuring unless the options write nothing; then only what is exact is wanted,
 * and the rest is looked at no further than to its first reason. */
void suggestion_make(struct suggestion *suggestion, struct arena *arena,
                     const struct network *network, const struct query *queries,
                     uint32_t query_count, const struct abstract_options *options,
                     void (*tell)(uint32_t trial, uint32_t most));

/* Arguments of --remove for the exact ones. */
const char **suggestion_arguments(const struct suggestion *suggestion, struct arena *arena);
/* Arguments of --merge for the exact ones. */
const char **suggestion_merges(const struct suggestion *suggestion, struct arena *arena,
                               uint32_t *count);
