/* LEARNT - what deciding one query has found out about the model, for the next ones: the values of
 * all variables, which removals are refused or choose from very many values, and which variables
 * had to come back as several removals together made edges choose so.
 *
 * None of it depends on a query, and none of it is needed for a verdict to be right: it says with
 * which removals to begin.
 *
 * Lifetime: in the arena given; the network and the options are borrowed.
 * Errors:   none; past a budget the values are NULL.
 */
#ifndef VARABS_REFINE_LEARNT_H
#define VARABS_REFINE_LEARNT_H

#include "abstract/abstract.h"
#include "suggest/live.h"

struct learnt {
    struct arena *arena;
    const struct network *network;
    const struct abstract_options *abstract;
    bool has_values;
    struct analysis *values;
    VEC(struct learnt_trial {
        const char *argument;
        bool is_refused;
    })
    trials;
    VEC(const struct symbol *) wide;
};

void learnt_open(struct learnt *learnt, struct arena *arena, const struct network *network,
                 const struct abstract_options *abstract);

/* For short looks (suggest/candidate.h). */
struct analysis *learnt_values(struct learnt *learnt);

/* Whether a removal alone is refused, or leaves a choice of very many values. */
bool learnt_refuses(struct learnt *learnt, const char *argument);

/* A variable that came back because of such a choice. */
void learnt_add_wide(struct learnt *learnt, const struct live_variable *variable);
bool learnt_is_wide(const struct learnt *learnt, const struct live_variable *variable);

#endif
