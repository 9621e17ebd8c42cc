/* SHOWING - that an abstraction is exact where the fold cannot tell, by exploring
 * (refine/exact_by_exploring.h, refine/same_steps.h).
 *
 * Lifetime: what is made lives in the arenas of both sessions; showing_close frees the second.
 * Errors:   where a model cannot be explored, or not within the limits, nothing is shown.
 */
#pragma once

#include "command/abstracting.h"

/* An abstraction of the same model by more removals. */
struct further_job {
    bool is_taken; /* it is to be written in place of the first one; then there are: */
    struct session session;
    struct job job;  /* values exchanged, and marked as exact */
    struct job base; /* before values were exchanged */
    struct normal normal;
    struct by_query by_query;
    bool has_session; /* private */
};

/* What --auto does when everything that is exact by the fold is gone, in a may-abstraction: goes on
 * with what is exact shown by exploration. The job was made and exchanged, the base is its output
 * before that. A warning says so if it
 * was ended early. */
void showing_go_on(struct further_job *showing, const struct job *job, struct session *session,
                   const struct str *base, const struct exchanging *exchanging);
void showing_close(struct further_job *showing);

/* Whether the next can be asked of a job that was read; reported if not. */
bool showing_fits(const struct job *job, struct diag *diag);

/* For a job that was made: explores original and output within the limits, and marks the
 * abstraction as exact if that shows it; otherwise it says why not. */
void showing_compare(struct job *job, struct session *session, const struct search_options *limits);
