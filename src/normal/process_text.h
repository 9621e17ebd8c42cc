/* PROCESS TEXT - the expression for the value that stands for that of a cell after an edge, where
 * it may depend on the process: id == 1 ? 0 : x (V9).
 *
 * Processes are told apart by parameters that never change. Where a process only comes by with
 * values that stand for themselves, it may do without, or do what others do, if that keeps these.
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "classes/point.h"

/* A cell after an edge, in the processes that share its points. */
struct process_point {
    const struct process
        *process; /* the first of these; NULL for a shared variable without owner */
    const struct class_point *point;
    int32_t lower, upper; /* of the cell in all of these */
    bool is_exchanged;    /* one of these may come by with a value that another stands for */
};

/* Of one cell after one edge: those that may take the edge. */
struct process_points {
    const struct network *network;
    const struct edge *edge;
    const struct point_key *key; /* NULL, or the items are in one process: by value of the key */
    struct process_point items[MOST_SHARERS];
    uint32_t count;
};

/* In terms of the name of the cell. NULL if it would be too long, or a label of the edge cannot
 * name what tells the processes apart. */
const char *process_text(struct arena *arena, const struct process_points *points, const char *name,
                         bool is_bool);
