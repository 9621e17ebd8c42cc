/* GUARANTEE - which verdicts on the abstract model hold for the original (X4).
 *
 * Reachability needs nothing but the abstraction itself. Liveness (A<>, E[], -->) needs that runs
 * end alike: where a run of the one model may end, in a state without steps or, under uppaal, in
 * one where time may pass for ever, the other one must be able to stay as well. That is claimed
 * where it is shown: by exactness, by a process that can always move, by what `varabs check` has
 * counted, or by the steps that --stutter adds.
 *
 * Runtime errors: the claims are about models without them, as Uppaal stops there; whether the
 *                 original has any is said beside them (claim/condition.h).
 * Lifetime:       in the arena of the abstraction.
 */
#pragma once

#include "abstract/claim/carry.h"
#include "abstract/claim/condition.h"
#include "abstract/claim/observation.h"
#include "abstract/fold/model.h"

/* The ends of runs: deadlocks only (Kripke); or besides each state where time may pass for ever. */
enum path_semantics { PATH_KRIPKE, PATH_UPPAAL, PATH_COUNT };

/* How the values of sup, inf and bounds in the abstraction relate to those in the original. */
enum bound { BOUND_NONE, BOUND_EXACT, BOUND_UPPER, BOUND_LOWER, BOUND_ENCLOSES, BOUND_ENCLOSED };

struct guarantee {
    const struct query *query;
    struct carry carry[PATH_COUNT];
    bool is_mixed;             /* the abstraction is */
    struct carry three_valued; /* then: which verdicts `varabs check` of it can give */
    enum bound bound;
    struct watcher_list watchers; /* those that a query about knowledge is about */
};

/* Deadlocks and errors that an exploration of the original or of the abstract model has found. */
struct explored {
    bool is_known;
    uint64_t deadlocks, errors;
};

struct guarantees {
    struct claim_condition condition;
    struct explored original, output;
    VEC(struct guarantee) list; /* of the queries that are not empty, in their order */
    const char *relies_on; /* of what is claimed there: the first update that may fail; or NULL */
};

/* Fills the list; condition and what is known of explorations are there before, and the condition
 * is what either says. */
void guarantees_make(struct guarantees *guarantees, const struct abstraction *abstraction);
