/* TRIAL - abstracts a model in memory to see what comes of it.
 *
 * Lifetime: what is returned lives in the arena given; the model is as it was.
 * Errors:   messages of the trial are not shown; a refusal is a result, with its message.
 */
#ifndef VARABS_SUGGEST_TRIAL_H
#define VARABS_SUGGEST_TRIAL_H

#include "abstract/abstract.h"

enum trial_outcome { TRIAL_REFUSED, TRIAL_INEXACT, TRIAL_EXACT };

struct trial {
    enum trial_outcome outcome;
    const char *message;   /* why refused, or the first reason why not exact */
    uint32_t reason_count; /* why not exact */
    struct str output;     /* the model; empty if refused */
};

/* Removes by the --remove arguments. */
struct trial trial_run(const struct network *network, const char *const *arguments, uint32_t count,
                       const struct abstract_options *options, struct arena *arena);

#endif
