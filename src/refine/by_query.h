/* BY QUERY - models for some of the queries, where these are smaller than the one for all of them:
 * each query by itself sees fewer differences between values (V1).
 *
 * Lifetime: in the arena given.
 * Errors:   none. Past a limit on states a model of which more values are exchanged counts as
 *           smaller, as it is never larger.
 */
#ifndef VARABS_REFINE_BY_QUERY_H
#define VARABS_REFINE_BY_QUERY_H

#include "normal/normal.h"
#include "suggest/suggest.h"

enum { BY_QUERY_MOST = 64 }; /* for more queries there are none */

/* Queries for which the same values are exchanged. */
struct query_share {
    const bool *is_asked; /* by query */
    uint32_t number;      /* of the first of them, from 1 */
    struct normal normal;
    struct measured measured;
};

struct by_query {
    VEC(struct query_share) list; /* by number */
    uint32_t query_count;
    struct measured together; /* the states of the model for all queries, if there is any share */
};

/* The model is the one that the values are exchanged in, together what that is for all queries. */
void by_query_make(struct by_query *by_query, struct arena *arena, struct normaliser *normaliser,
                   struct str model, const struct normal *together);

#endif
