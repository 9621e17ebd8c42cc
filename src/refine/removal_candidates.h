/* REMOVAL CANDIDATES - the variables that may be removed for one query, and how much of each is
 * removed in a round.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "suggest/live.h"

/* ---- what is known from other queries ---- */

/* What is known of the model from deciding other queries: the values of its variables,
 * which removals are refused or make edges choose from very many values, and which variables had to
 * be put back because several removals together made edges choose so.
 *
 * No verdict depends on it. It only says with which removals a query begins.
 *
 * Lifetime: in the arena given; the network and the options are borrowed.
 * Errors:   none; past a budget the values are NULL.
 */

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

enum removed { REMOVED_NOTHING, REMOVED_DEAD, REMOVED_WHOLE };

/* A variable that may be removed, and how much of it is. */
struct removal_candidate {
    const struct live_variable *variable;
    enum removed level;
    const char *whole, *dead; /* arguments of --remove; dead may be NULL */
    bool is_dead;             /* all of it, everywhere */
    double estimate;
    bool is_suspect; /* after the last round */
};

struct removal_candidates {
    VEC(struct removal_candidate) list; /* greatest estimate first */
};

/* Arguments of --remove. */
struct removals {
    const char **arguments;
    uint32_t count;
};

/* A removal that is undone, wholly or in part, for the next round. */
struct put_back {
    const char *names;   /* of variables, or words; NULL if nothing is left */
    const char *remains; /* an argument for the part that is still removed, or NULL */
};

/* All variables that the only query of the network's model does not name, but for those whose
 * removal alone is refused. */
void removal_candidates_find(struct removal_candidates *candidates, const struct network *network,
                             struct trial_memo *memo, struct arena *arena);
/* A variable that is removed as a whole is put back if it had to be for another query, because
 * edges would choose from very many values. */
void removal_candidates_drop_wide(struct removal_candidates *candidates,
                                  const struct trial_memo *memo);

/* The arguments of --remove; removes_dead_only: of each variable only where it is dead. */
struct removals removal_candidates_removals(const struct removal_candidates *candidates,
                                            bool removes_dead_only, struct arena *arena);
bool removals_are_same(const struct removals *left, const struct removals *right);

/* Whether a variable is removed where it is not dead. */
bool removal_candidates_lose(const struct removal_candidates *candidates);

/* No candidate is a suspect any more. */
void removal_candidates_clear(struct removal_candidates *candidates);
bool removal_candidates_have_suspect(const struct removal_candidates *candidates);

/* Puts back one suspect, or else one of all candidates: the one with the least estimate. */
struct put_back removal_candidates_put_back(struct removal_candidates *candidates,
                                            struct arena *arena);
/* Puts back all suspects of choices from very many values. */
struct put_back removal_candidates_put_wide_back(struct removal_candidates *candidates,
                                                 struct trial_memo *memo, struct arena *arena);
/* Puts back all variables where they are not dead. */
struct put_back removal_candidates_put_all_back(struct removal_candidates *candidates);
/* All variables where they are not dead; if there are none, also where they are dead, since states
 * that differ in them are not equal (equal.h). */
struct put_back removal_candidates_put_back_for_equal(struct removal_candidates *candidates);
