/* OBSERVATION - what agents observe of an abstraction (O1 to O4), and what they have lost.
 *
 * It is what they observe of the original, but for what is removed, and besides a ghost if they
 * observe all that it follows. So two states that are the same to an agent in the original look the
 * same to it here: it never sees more. If it has lost nothing, the reverse holds, too.
 *
 * The output says so in comments of its declarations, in place of those that were there.
 *
 * Lifetime: in the arena of the abstraction, until observations_close.
 */
#pragma once

#include "abstract/fold/model.h"
#include "agents/agents.h"

struct lost_places {
    VEC(const char *) list; /* locations of processes, `P.l` */
    bool is_everywhere;
};

struct watcher {
    const struct agent *agent;
    VEC(const char *) kept;     /* as texts of `observe` */
    VEC(const char *) lost;     /* as texts for people */
    struct lost_places lost_at; /* where that counts */
};

struct watcher_list {
    VEC(const struct watcher *) list;
};

struct observations {
    VEC(struct watcher *) list; /* all that are declared or asked about */
    const char *problem;        /* why it is not known what is observed; or NULL */
    const char *text;           /* declarations for the output, each a comment */
};

/* NULL if the model has neither queries about agents nor declarations of them, and the abstraction
 * is not mixed. */
const struct observations *observations_make(const struct abstraction *abstraction);

/* The roles of agents in a formula: bits. */
enum role {
    ROLE_KNOWS = 1,   /* what it knows is asked */
    ROLE_PLAYS = 2,   /* a member of a coalition */
    ROLE_CHOOSES = 4, /* the same, and its choices depend on what it observes */
    ROLE_ANY = 7
};

/* The agents that have one of the roles in a formula. */
void observations_of(const struct observations *observations, const struct expr *formula,
                     uint32_t roles, struct arena *arena, struct watcher_list *watchers);

/* Under: whether the value of an expression of a process, for each value of its selects, depends on
 * nothing but what the agent observes of the output. */
bool watcher_sees(const struct abstraction *abstraction, const struct watcher *watcher,
                  const struct process *process, const struct expr *expr);
bool watcher_sees_location(const struct watcher *watcher, const struct process *process);
