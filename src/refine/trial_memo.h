/* TRIAL MEMO - what is known of the model from deciding other queries: the values of its variables,
 * which removals are refused or make edges choose from very many values, and which variables had to
 * be put back because several removals together made edges choose so.
 *
 * No verdict depends on it. It only says with which removals a query begins.
 *
 * Lifetime: in the arena given; the network and the options are borrowed.
 * Errors:   none; past a budget the values are NULL.
 */
#ifndef VARABS_REFINE_TRIAL_MEMO_H
#define VARABS_REFINE_TRIAL_MEMO_H

#include "suggest/live.h"

struct trial_memo {
    struct arena *arena;
    const struct network *network;
    const struct abstract_options *abstract;
    bool has_values;
    struct analysis *values;
    VEC(struct trial_memo_entry {
        const char *argument;
        bool is_refused;
    })
    trials;
    VEC(const struct symbol *) wide;
};

void trial_memo_open(struct trial_memo *memo, struct arena *arena, const struct network *network,
                     const struct abstract_options *abstract);

/* The values by an analysis with a small budget (suggest/candidate.h). */
struct analysis *trial_memo_values(struct trial_memo *memo);

/* Whether a removal alone is refused, or leaves a choice of very many values. */
bool trial_memo_refuses(struct trial_memo *memo, const char *argument);

/* A variable that came back because of such a choice. */
void trial_memo_add_wide(struct trial_memo *memo, const struct live_variable *variable);
bool trial_memo_is_wide(const struct trial_memo *memo, const struct live_variable *variable);

#endif
