/* NORMAL INTERNAL - the exchange of values for those that stand for them, which several files make.
 *
 * normal.c          finds classes and writes assignments, until all that is found can be
 *                   written
 * cell.c            the cells of variables, and the processes that have points of their own
 * formula_reads.c   what formulas read
 * report_entries.c  entries of the report: values exchanged, queries lost, requests refused
 */
#pragma once

#include "abstract/emit/generator.h"
#include "agents/agents.h"
#include "normal/normal.h"
#include "normal/requested_classes.h"
#include "suggest/live.h"

enum { MOST_CELLS = 64 };

/* The processes of a template that share their points with none before them. */
struct point_owners {
    uint32_t items[MOST_SHARERS], count;
};

/* What formulas read, so that exchanged values make no difference to them (V18). Of a formula that
 * is the truth of its atoms, the values that it asks an agent to know, and what its agents
 * observe: expressions by their values, and variables as they are. Players keep besides what the
 * guards of their edges read that never find a partner. */
struct formula_reads {
    struct agents agents;            /* that they are about */
    VEC(struct query) list;          /* expressions whose values they read */
    VEC(const struct symbol *) kept; /* variables that are read as they are */
    bool *plays;                     /* by process: in a coalition; NULL: none is */
};

struct normaliser {
    struct normal *normal;
    struct arena *arena; /* of the result */
    struct session session;
    struct observed observed;
    bool are_given;             /* the queries, by the user */
    struct formula_reads reads; /* by formulas; */
    VEC(struct query) formulas; /* those of which all that they name is kept */
    const bool *is_asked;       /* by query: it counts now; NULL: all do */
    VEC(struct query) asked;    /* which are these, and what formulas read */
    struct live *live;
    bool *is_kept;                  /* by live variable: its values stay as they are */
    bool *is_read_by_formula;       /* by live variable: its values stay, whichever queries count */
    bool *is_common;                /* by live variable: processes of its template do the same */
    bool (*is_written)[MOST_CELLS]; /* by live variable and cell: some edge exchanges a value */
    struct requested_classes requests;
    bool has_unrequested;     /* a value would be exchanged that nobody requested: then none is */
    bool is_without_trackers; /* a value could not be exchanged with them */
    enum normal_keys keys;    /* the same with keys; or as asked */
    struct analysis *analysis;
    struct classes_shared shared; /* by all runs */
    const struct point_sharing *sharing;
    struct point_owners *owners; /* by template index */
    struct classes *classes;
    struct generator generator;
    struct additions *additions; /* of the edge that is written */
};

/* ---- cell.c ---- */

/* A cell of a variable while its process is at a location, or a global one; and while its key, if
 * that counts there, has a value. */
struct cell_at {
    const struct live_variable *variable;
    uint32_t offset, location;
    uint32_t index; /* of the value */
};

uint32_t normal_number(const struct live *live, const struct live_variable *variable);

/* Finds the processes that have points of their own; once is enough. */
void normal_find_owners(struct normaliser *normaliser);

/* By process, the first that shares the points of a variable. */
const uint32_t *normal_firsts(const struct normaliser *normaliser, const struct symbol *symbol);

/* Whether one of the processes that share the points of the owner gets to a location. */
bool normal_is_reached(const struct normaliser *normaliser, const struct symbol *symbol,
                       const struct process *owner, uint32_t location);

/* The range of the cell in all processes that share the points of its owner. */
void normal_range(const struct normaliser *normaliser, const struct cell_at *cell,
                  const struct process *owner, int32_t *lower, int32_t *upper);

/* The number of processes with points of their own for a variable, in order; one if it is global.
 */
uint32_t normal_owner_count(const struct normaliser *normaliser,
                            const struct live_variable *variable);

/* NULL if the variable is global. */
const struct process *normal_owner(const struct normaliser *normaliser,
                                   const struct live_variable *variable, uint32_t number);

/* The process whose locations tell the points of a global variable apart, or NULL. */
const struct process *normal_global_owner(const struct normaliser *normaliser,
                                          const struct live_variable *variable);

/* The template whose locations tell the points of a variable apart, and the number of these points.
 */
const struct template *normal_template(const struct normaliser *normaliser,
                                       const struct live_variable *variable);
uint32_t normal_point_count(const struct normaliser *normaliser,
                            const struct live_variable *variable);

/* The location that tells the point of a global variable after an edge. */
uint32_t normal_location_after(const struct normaliser *normaliser, const struct template *template,
                               const struct edge *edge, const struct live_variable *variable);

/* In a process that has points of its own. NULL if it has no such cell, or the key no such value
 * there. */
const struct class_point *normal_any_point(const struct normaliser *normaliser,
                                           const struct cell_at *cell, const struct process *owner);

/* The same point, if values are exchanged there; else NULL. */
const struct class_point *normal_point_in(const struct normaliser *normaliser,
                                          const struct cell_at *cell, const struct process *owner);

/* The key of a cell, if that counts where it is, or NULL; all its processes have the same points.
 */
const struct point_key *normal_key(const struct normaliser *normaliser, const struct cell_at *cell,
                                   const struct process *owner);

const char *normal_cell_name(struct arena *arena, const struct cell_at *cell);

/* The name of a slot in the labels of its process. */
const char *normal_slot_name(const struct normaliser *normaliser, uint32_t slot);

/* ---- formula_reads.c ---- */

/* Notes what a formula reads, before there are live variables. False if that is not known but for
 * the names in it; then all variables that it names are to be kept. */
bool formula_reads_add(struct normaliser *normaliser, const struct query *formula);
/* Notes what the agents of all formulas observe, after the last formula. */
void formula_reads_add_agents(struct normaliser *normaliser);
/* Notes the variables that are kept, after the analysis. */
void formula_reads_keep(struct normaliser *normaliser);

/* ---- report_entries.c ---- */

/* Points, then what was requested and makes a difference; queries that are lost. */
void normal_report_points(struct normaliser *normaliser);
void normal_report_refusals(struct normaliser *normaliser, bool is_found);
void normal_report_losses(struct normaliser *normaliser);
