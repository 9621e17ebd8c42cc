/* ORIGINAL - whether a model has runtime errors (model/errors.h), as the values of its variables or
 * exploring it show.
 *
 * It is explored when something relies on that, no further than takes about a second.
 *
 * Lifetime: the session is borrowed; what is found lives until original_close.
 * Errors:   none; what cannot be explored is not known.
 */
#pragma once

#include "abstract/claim/condition.h"
#include "model/errors.h"
#include "session/session.h"

struct original {
    struct original_errors errors; /* to be asked */
    /* private */
    struct claim_condition condition;
    struct arena arena;      /* of the condition */
    struct analysis *values; /* that are known already, or NULL */
    bool is_analysed, is_readable;
    const struct session *of;
    uint64_t max_states;
    bool has_session; /* of its own, where the other one has been changed, or for exploring */
    struct session session;
};

/* Of the file of a session, which has been read when this is asked. It must stay where it is until
 * it is closed. max_states: 0 = as many as take about a second. */
void original_open(struct original *original, const struct session *session, uint64_t max_states);
/* The values of all variables that suggest_values has found with the default budget for the network
 * of the session, or NULL; borrowed. */
void original_know_values(struct original *original, struct analysis *values);
/* The condition under which claims about the original hold: what may fail, and whether something
 * does fail if that is asked for here or was before. Valid until the original is closed. */
const struct claim_condition *original_condition(struct original *original, bool explores);
/* Somebody else has explored all of it, and it has no errors. */
void original_meets(struct original *original);
/* One that was zero may be closed. */
void original_close(struct original *original);
