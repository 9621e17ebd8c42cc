/* UNTIMED - a model of its own in place of one with clocks, for queries that need no time (T3.10).
 *
 * It is the may-abstraction without any clock, and takes the queries about which some verdict of it
 * carries over (X4). All else needs time.
 *
 * Lifetime: until untimed_close.
 * Errors:   go to the diag of the session.
 */
#pragma once

#include "refine/loop.h"
#include "refine/original.h"
#include "session/job.h"
#include "session/queries.h"

struct untimed_query {
    const struct guarantee *guarantee; /* its query is the one of the model with clocks */
    uint32_t number; /* in the model without them, of its queries; NO_SLOT: it is not there */
};

struct untimed {
    struct session session;   /* of the model with clocks, to be loaded by the caller */
    struct original original; /* that model */
    struct job job;
    VEC(struct untimed_query) queries; /* those given or those of the model, in their order */
};

/* Makes the model without clocks, and opens it with the queries that it takes: a new session, which
 * the caller closes. options: with whose analysis. False (reported) if that cannot be done. */
bool untimed_make(struct untimed *untimed, const struct abstract_options *options,
                  const struct query_source *given, uint32_t given_count, struct session *session,
                  struct observed *observed);
/* Which of the queries the model without clocks has by that number. */
uint32_t untimed_place(const struct untimed *untimed, uint32_t number);
/* Leaves no verdict but one that carries over, by the semantics of runs. */
void untimed_carry(const struct untimed *untimed, uint32_t number, enum path_semantics semantics,
                   struct refine_result *result);
/* Of a query that is not in the model without clocks. */
struct refine_result untimed_unknown(const struct untimed_query *query);
/* One that was zero, or was made in part, may be closed; its session is the caller's. */
void untimed_close(struct untimed *untimed);
