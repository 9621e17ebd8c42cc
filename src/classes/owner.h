/* OWNER - what is known of when a shared variable can be seen, so that it has more than one point.
 *
 * One process alone may name it: then the locations of that process tell its points apart, as if it
 * were local. So do those of a tracker, if that gains something (tracker.h), though others name it,
 * too (foreign.h). Or it hands values over: between a sender's update and that of the receiver it
 * has a point of its own, so that what it holds after the step may be one class though the
 * receiver reads it (V4 knows one point for all times). There is a point in transit for each
 * synchronisation group: the senders and receivers that can meet in a step, and whom these can
 * meet, and so on.
 *
 * A synchronisation group counts if all of its channels are for two, and none of its edges comes
 * from a branchpoint or leads to one.
 *
 * Invariants: what a process names is over-approximated. A variable with an owner is never in
 *             transit.
 * Lifetime:   in the arena given.
 */
#pragma once

#include "classes/foreign.h"

/* Senders and receivers, each of which can meet some other. */
struct sync_group {
    const struct transit *transits;
    struct sync_group *joined; /* another that it is part of, or NULL */
    bool is_out;               /* it does not count */
};

/* One variable while it is in transit in one synchronisation group. */
struct transit {
    const struct sync_group *sync_group;
    uint32_t slot, cell_count;  /* of the variable */
    uint32_t number;            /* among those of the variable */
    const struct transit *next; /* of the variable */
    const struct transit *next_in_group;
};

struct variable_owner {
    const struct process *process; /* whose locations tell its points apart, the only one of its
                                      template; NULL: there is none */
    uint32_t cell_count;
    const struct transit *transits;
    uint32_t transit_count;
    uint32_t next; /* slot of another variable of that owner; NO_SLOT = none */
};

struct owners {
    struct variable_owner *list; /* by the first slot of a variable */
    uint32_t *first_at;          /* by process: a variable that it owns, or NO_SLOT */
    struct map sync_groups;      /* by edge: those that count */
    struct foreign *foreign;
    bool has_trackers; /* a process may name what another owns */
};

/* The trackers by the first slot of a variable, each a process without branchpoints and the only
 * one of its template; NULL: the variable has none. No trackers: none has. */
struct owners *owners_find(struct arena *arena, const struct network *network,
                           struct foreign *foreign, const struct process **trackers);

/* The first variable in transit of the synchronisation group of a sender or receiver, or NULL. */
const struct transit *transits_of_edge(const struct owners *owners, const struct edge *edge);

/* That variable in transit of the synchronisation group of an edge, or NULL. */
const struct transit *transit_on(const struct variable_owner *owner, const struct owners *owners,
                                 const struct edge *edge);
