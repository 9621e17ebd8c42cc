/* SOLVE INTERNAL - the state of the fixpoint of solve.h, for the files that make it together.
 *
 * solve.c            the fixpoint: which function is compared when, and what comes of it
 * solve_functions.c  the functions that there are
 * solve_carried.c    what an update leaves as it is
 * solve_names.c      the variables that a function names, and the points where it finds them
 *
 * Lifetime: in the arena of the solver, until solve_points returns.
 */
#pragma once

#include "approx/labels/relevance.h"
#include "classes/carried_values.h"
#include "classes/compare.h"
#include "classes/solve.h"

struct class_solver {
    struct points *points;
    struct analysis *analysis;
    const struct network *network;
    struct arena arena;
    struct function_runs runs;
    struct comparison comparison;
    VEC(struct function_part) functions;
    uint64_t work, most_work;
    uint32_t part_count;
    bool is_all_or_nothing;
    /* Of the function that is checked. */
    uint32_t *may_write; /* by the first slot of a variable: the stamp of the last update that names
                            it as written */
    uint32_t write_stamp;
    const struct carrier ***into; /* by template and location, branchpoints too */
    bool is_carried;              /* something that may be written is carried to where it matters */
    bool is_complete;             /* all runs are known and compared */
};

/* A function with an update, among those that lead to one location of a template. */
struct carrier {
    struct function_part function;
    const struct carrier *next;
};

/* The cells of a variable, each in the points of that number. */
struct variable_points {
    const struct points *points;
    const uint32_t *slots;
    uint32_t count, number;
};

static inline struct point_group *group_of(struct variable_points variable) {
    return points_at(variable.points, variable.slots[0], variable.number)->group;
}

/* solve_functions.c: makes a function of each edge and invariant that is reached (V3), and of what
 * queries observe (V1). */
void solver_add_functions(struct class_solver *solver);
void solver_add_queries(struct class_solver *solver, const struct query *queries, uint32_t count);
/* Rule V12: observes a predicate by its parts from now on. False if it has none, or too many. */
bool solver_split(struct class_solver *solver, const struct function_part *function);

/* solve_carried.c: V3: what an edge leaves as it is keeps its value, and so its classes. */
void carried_begin(struct class_solver *solver);
/* Refines points until nothing that an update leaves as it is can be finer after it than before
 * it: of all variables to begin with, then of those whose points have changed since. */
void carry_all(struct class_solver *solver);
void carry_changed(struct class_solver *solver);
/* Has each carried value of an update found that it may write, or that is not of the process
 * alone. */
void find_carried_values(struct class_solver *solver, const struct function_part *function,
                         carried_found found);
/* By the update whose values were looked for last. */
bool may_be_written(const void *context, uint32_t slot);
void carry(struct class_solver *solver, struct carried_value carried);

/* solve_names.c: calls back with each variable that the labels of a function name. */
void each_variable_of(struct class_solver *solver, const struct function_part *function,
                      variable_found found, void *context);

struct variable_points variable_of(const struct class_solver *solver,
                                   const struct binding *binding);

typedef void (*variable_points_found)(void *context, struct variable_points variable);

/* Calls back with each point where the function may find a variable. */
void each_point_before(const struct class_solver *solver, const struct function_part *function,
                       const struct binding *binding, variable_points_found found, void *context);
