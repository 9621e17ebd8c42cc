/* MERGE TRIAL - abstracts a copy of a model by removals and merges, to see what comes of it (P4).
 *
 * Lifetime: the model is as it was; the result lives in the arena given.
 * Errors:   messages are not shown; a refusal is a result, with its message.
 */
#ifndef VARABS_SUGGEST_MERGE_TRIAL_H
#define VARABS_SUGGEST_MERGE_TRIAL_H

#include "suggest/trial.h"

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

#endif
