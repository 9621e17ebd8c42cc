/* JOB - one abstraction, from what is asked for to the new model and what it guarantees.
 *
 * Data flow: --spec files and merges (session/spec.h)
 *            -> processes told apart (abstract/prepare/split.h)
 *            -> reference parameters replaced (abstract/prepare/reference.h)
 *            -> records left out (abstract/prepare/record.h)
 *            -> ghosts added (abstract/prepare/ghost.h)
 *            -> request -> abstraction
 *
 * Lifetime: what is made lives in the arena of the session, apart from what job_close frees.
 * Errors:   go to the session's diag.
 */
#pragma once

#include "abstract/claim/guarantee.h"
#include "session/spec.h"

struct job {
    /* asked for; arguments as on the command line, borrowed */
    const char *const *removals, *const *merges, *const *specs;
    uint32_t removal_count, merge_count, spec_count;
    struct abstract_options options;
    bool has_mode;     /* the options say what kind of abstraction; otherwise a spec must */
    bool may_be_empty; /* nothing to remove is no mistake */
    const struct taken_out *taken_out;       /* taken out before (suggest/irrelevant.h), or NULL */
    double choose_seconds, exchange_seconds; /* for the report: what the caller did besides */
    /* made */
    struct spec spec;
    struct split split;
    struct request request;
    struct abstraction abstraction;
    struct guarantees guarantees; /* filled by guarantees_make */
};

/* Reads the specs: afterwards removals and options are those of arguments and specs together. */
bool job_read(struct job *job, struct session *session);
/* Makes the abstraction; document, model and network of the session may be new afterwards. */
bool job_make(struct job *job, struct session *session);
/* Can be called whatever was done before. */
void job_close(struct job *job);
