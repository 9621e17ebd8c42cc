/* MERGED SHARES - models for some of the queries, with merges that other queries keep from being
 * made for all of them (P4).
 *
 * Lifetime: sessions and jobs are kept until merged_shares_close.
 * Errors:   none; what cannot be made is not there.
 */
#pragma once

#include "command/abstracting.h"
#include "suggest/suggest.h"

struct merged_shares {
    VEC(struct merged_share *) list;
};

/* What is to be made again with more merges: the job for all queries, as chosen; and its output,
 * with values exchanged. */
struct merged_base {
    const struct session *session;
    const struct job *job;
    struct str output;
    const struct observed *observed; /* what its queries are */
};

/* Adds those that have fewer states. */
void merged_shares_make(struct merged_shares *shares, struct by_query *by_query,
                        const struct merged_base *base, const struct suggestion *suggestion);
void merged_shares_close(struct merged_shares *shares);
