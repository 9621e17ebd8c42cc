/* BY QUERY - models for some of the queries, where these are smaller than the one for all of them:
 * each query by itself sees fewer differences between values (V1), and may be asked of variables
 * that others keep from being merged (P4).
 *
 * Lifetime: in the arena given.
 * Errors:   none. Past a limit on states a model of which more values are exchanged counts as
 *           smaller, as it is never larger.
 */
#pragma once

#include "normal/normal.h"
#include "session/job.h"
#include "suggest/suggest.h"

enum { BY_QUERY_MOST = 64 }; /* for more queries there are none */

/* Queries for which the same values are exchanged, or the same variables merged. */
struct query_share {
    const bool *is_asked; /* by query */
    uint32_t number;      /* of the first of them, from 1 */
    struct normal normal;
    /* An abstraction of its own, before values were exchanged, with merges after the first ones
     * that are for all queries; NULL: that for all of them. */
    const struct job *job;
    struct session *session;
    uint32_t shared_merges;
    struct measured measured;
};

struct by_query {
    VEC(struct query_share) list; /* by number */
    uint32_t query_count;
    struct measured together; /* the states of the model for all queries, if there is any share */
};

/* model: in which values are exchanged; together: the exchange for all of its queries. */
void by_query_make(struct by_query *by_query, struct arena *arena, struct normaliser *normaliser,
                   struct str model, const struct normal *together);

/* How many queries reports list. */
uint32_t by_query_listed(const struct model *model);
/* Numbers queries as in the model that the abstraction was made of, not among those that it has
 * kept. */
void by_query_number(struct by_query *by_query, struct arena *arena,
                     const struct abstraction *abstraction);

/* Puts in a share with a job and an output of its own, in place of the shares of its queries. False
 * if its model has more states than one of theirs, or no fewer than the model for all queries. */
bool by_query_put(struct by_query *by_query, struct arena *arena, struct str together,
                  struct query_share *share);
