/* LIVE - which variables are read again: a live-variable analysis of every template.
 *
 * A cell of a variable is live at a location if what it holds there may still matter: on some path
 * a guard, a synchronisation, an invariant, a query or the value of something that is live itself
 * reads it before all of it is written (so "x = x + 1" alone keeps nothing alive). Local variables
 * have a set of cells by location; for global ones, which other processes read at any time, there
 * is one answer for the whole model, by variable.
 *
 * What is named by a query, a progress measure, a gantt chart or an update hook is observed: live
 * everywhere. So is what is passed to a reference parameter of a template.
 *
 * Invariants: live_at over-approximates, apart from what branchpoints and update hooks do in
 *             between: before dead variables are removed, the fold is asked whether that is exact
 *             (X1).
 * Lifetime:   everything lives in the arena given.
 * Errors:     none; a model that takes too much work has everything live, and is_complete is false.
 */
#pragma once

#include "model/network.h"

struct live_variable {
    const struct template *template; /* owner, NULL if global */
    const struct symbol *symbol;
    const struct shape *shape;
    uint32_t first, count; /* its bits; one for each cell, or a single one */
    bool is_observed;      /* named where it is looked at all the time, or beyond our sight */
    bool is_passed;        /* to a template or instantiation: live, too */
    bool *in_process;      /* observed in these processes alone; NULL: in all that have it */
};

struct live {
    const struct network *network;
    struct live_variable *variables; /* global ones, then those of each template */
    uint32_t variable_count;
    bool is_complete;
    /* private */
    struct map of_symbol;
    uint64_t *global;           /* over: bits of global variables that are ever read */
    uint32_t global_words;      /* of it */
    uint32_t *local_words;      /* by template index, of one location */
    uint64_t **at;              /* over, by template index: by location (branchpoints too) */
    struct effects_table table; /* knows all functions */
};

/* The queries are those that the variables are kept for. */
struct live *live_new(struct arena *arena, const struct network *network,
                      const struct query *queries, uint32_t query_count);

/* The same for processes in which variables are not observed that are so in others. NULL if there
 * are no such variables. Its variables stand in the same order. */
struct live *live_elsewhere(struct arena *arena, const struct live *live);

/* Whether a cell of a variable is live at a location of its template; of a global variable, at any
 * time. */
bool live_at(const struct live *live, const struct live_variable *variable, uint32_t location,
             uint32_t offset);

/* NULL for what is no variable that can be removed. */
const struct live_variable *live_find(const struct live *live, const struct symbol *symbol);
