/* ABSTRACTING - what making an abstraction is made of besides (session/job.h).
 *
 * Lifetime: in the arena of the session.
 * Errors:   go to the session's diag.
 */
#pragma once

#include "refine/by_query.h"
#include "session/job.h"

/* Which values are exchanged in an abstraction. */
struct exchanging {
    /* asked for */
    const struct query_source *queries; /* what is observed; none: the queries of the model */
    uint32_t query_count;
    bool is_auto; /* all that make no difference; otherwise those that a spec names */
    /* made */
    struct normal *normal;     /* zero if nothing was asked for */
    struct by_query *by_query; /* with is_auto: for some queries alone, where that is smaller */
};

/* Each value goes for the one that stands for it, in an abstraction that was made. False (reported)
 * if a spec names what the model does not have. */
bool abstracting_exchange(struct exchanging *exchanging, struct job *job, struct session *session);

/* A job that was made, for a model with other values exchanged: what several share must not be
 * extended by one of them. */
struct job abstracting_before(const struct job *job);

/* Where the model for some of the queries goes, by the number of the first. */
const char *abstracting_share_name(struct arena *arena, const char *output, uint32_t number);

/* Warns of a must-abstraction without any step, which shows next to nothing, and of a
 * may-abstraction that exploring a few states shows to have more than twice as many states as the
 * original. */
void abstracting_warn(const struct job *job, struct session *session);
