/* HOME - what is known of when a shared variable can be seen, so that it has more than one place.
 *
 * One process alone may name it: then the locations of that process tell its places apart, as if it
 * were local. Or it hands values over: between a sender's update and that of the receiver, on a
 * channel for two, it has a place of its own, so that what it holds behind the step may be one
 * class though the receiver reads it (V4 knows one place for all times).
 *
 * A channel counts if its name alone leads to it, and no edge on it leads to a branchpoint.
 *
 * Invariants: what a process names is over-approximated. A variable with a home hands nothing over.
 * Lifetime:   in the arena given.
 */
#ifndef VARABS_CLASSES_HOME_H
#define VARABS_CLASSES_HOME_H

#include "approx/analysis.h"

/* Of one variable, on one channel. */
struct hand {
    const struct symbol *channel;
    uint32_t slot, cell_count; /* of the variable */
    uint32_t number;           /* among those of the variable */
    const struct hand *next;   /* of the variable */
    const struct hand *next_on_channel;
};

struct variable_home {
    const struct process *process; /* the only one that names the variable, and the only one of its
                                      template; NULL: there is none */
    uint32_t cell_count;
    const struct hand *hands;
    uint32_t hand_count;
    uint32_t next; /* slot of another variable with that home; NO_SLOT = none */
};

struct homes {
    struct variable_home *list;     /* by the first slot of a variable */
    uint32_t *first_at;             /* by process: a variable that has its home there, or NO_SLOT */
    const struct hand **on_channel; /* by index of a global symbol */
};

struct homes *homes_find(struct arena *arena, const struct analysis *analysis);

/* The channel of a sender or receiver that counts, or NULL. */
const struct hand *hands_of_edge(const struct homes *homes, const struct edge *edge);

/* The hand of a variable on the channel of an edge, or NULL. */
const struct hand *hand_on(const struct variable_home *home, const struct edge *edge);

/* Calls back with the cells of every variable that some effects of the process name. */
typedef void (*variable_found)(void *context, const struct binding *binding,
                               const struct effect *effect);
void each_variable(const struct network *network, const struct process *process,
                   const struct effects *effects, variable_found found, void *context);

#endif
