/* SHARING - which processes of a template share the points of its local variables (V9).
 *
 * Processes are told apart by what never changes: value parameters that nobody assigns. Those with
 * equal arguments share all points, and so do all processes of a template that has very many.
 */
#pragma once

#include "model/network.h"

/* Processes of one template that do not share their points, at most. */
enum { MOST_SHARERS = 32 };

struct point_sharing {
    uint32_t *of_template;  /* by process: the first of its template */
    uint32_t *of_arguments; /* by process: the first of its template with equal arguments */
};

/* In the arena given. */
struct point_sharing *sharing_find(struct arena *arena, const struct network *network);

/* Whether a parameter of the template tells its processes apart. */
bool sharing_has_parameter(const struct process *process, const struct network *network,
                           const struct symbol *parameter);

/* The value of such a parameter. */
int32_t sharing_argument(const struct process *process, const struct network *network,
                         const struct symbol *parameter);
