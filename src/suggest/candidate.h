/* CANDIDATE - what could be removed from a model, and what that may be worth.
 *
 * Dead candidates are removals of what is never read again (suggest/live.h): whole variables, the
 * cells of one that are dead everywhere, or a local variable in the locations where all of it is
 * dead (S1). Lossy ones are the other variables that no query names, whole.
 *
 * The estimate compares numbers of value combinations: of the local variables of a process over
 * its locations, by the value sets of the analysis, with and without what is removed. It says
 * nothing of how values of different processes or variables depend on each other.
 *
 * Lifetime: everything lives in the arena given.
 */
#pragma once

#include "abstract/abstract.h"
#include "suggest/live.h"

struct candidate_removal {
    const struct live_variable *variable;
    const char *argument; /* of --remove */
    const char *wider;    /* the same with a wider scope, for a second try; or NULL */
    const char *reason;
    double gain;            /* estimated: how many times fewer combinations one process has */
    uint32_t process_count; /* that have the variable; 1 for global ones */
    double estimate;        /* of all of them together */
};

struct candidate_list {
    VEC(struct candidate_removal) list; /* greatest gain first, then in order of declaration */
};

/* Trials and estimates are many, so they get less than an abstraction does, unless --budget says
 * otherwise. */
struct abstract_options suggest_quick_options(const struct abstract_options *options);

/* The values of all variables, for quick trials of any removal (.known). NULL past a budget. */
struct analysis *suggest_values(const struct network *network,
                                const struct abstract_options *options, struct arena *arena);

/* Finds both kinds; live variables that are observed are in neither. With classes, what makes no
 * difference together (classes/classes.h) counts as dead, which holds for all of it at once only.
 * Returns whether that may have made any difference. Values that are NULL are not known. */
bool candidates_find(const struct live *live, struct analysis *values, bool with_classes,
                     struct arena *arena, struct candidate_list *dead,
                     struct candidate_list *lossy);
/* Adds the candidates of both kinds that are variables, or parts, of processes in which they are
 * not observed, though they are in others of their template. */
void candidates_find_elsewhere(const struct live *live, struct analysis *values,
                               struct arena *arena, struct candidate_list *dead,
                               struct candidate_list *lossy);
void candidates_sort(struct candidate_list *candidates);
