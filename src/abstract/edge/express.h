/* EXPRESS - what a ghost v == f(r) still says of the removed variables r (rule S2).
 *
 * In every state, and between the updates of a step, v == f(r) (abstract/prepare/ghost.h). So an
 * expression that reads r alone and has one value for all r with the same f(r) is one over v, and
 * is written so. Where r is left in an open edge, the value that v then has in the source state
 * stands beside it.
 */
#pragma once

#include "abstract/edge/open_edge.h"

enum {
    GHOST_MAX_TUPLES = 4096, /* of what one ghost follows, at one location */
    GHOST_MAX_CASES = 16     /* values of v told apart in one expression */
};

/* The first process of the template of a ghost. */
const struct process *ghost_process(const struct network *network, const struct ghost *ghost);
/* f of a row of values of the ghost's cells; false if it fails. */
bool ghost_value_of_row(struct context *context, const struct ghost *ghost, const int32_t *row,
                        int32_t *value);
/* Joint values of the ghost's cells at a location; false if there are too many. */
bool ghost_rows(struct context *context, const struct ghost *ghost, const struct template *template,
                uint32_t location, bool is_within_step, struct tuple_set *rows,
                struct arena *arena);

/* Writes what it can over ghosts, and adds the values of those that take part. */
void open_edge_express(struct context *context, struct open_edge *open);

/* A closed expression over removed cells of one process and constants, in terms of a ghost, in
 * all states, or where the process is at these locations (NULL = all); NULL if none determines
 * it. */
const struct expr *express_everywhere(struct context *context, const struct template *template,
                                      const bool *locations, const struct expr *expr);

/* Test that v has one of the values that are in; only those listed can occur, ascending. NULL =
 * always. */
const struct expr *ghost_test(struct arena *arena, const struct symbol *v, const int32_t *values,
                              const bool *is_in, uint32_t count);

/* That v has a value which the ghost's cells can have at the location in the original; NULL =
 * always, or not known. */
const struct expr *ghost_is_known(struct context *context, const struct ghost *ghost,
                                  const struct template *template, uint32_t location);

/* The value of an expression without unknowns and variables; false if it cannot be evaluated. */
bool closed_value(struct context *context, const struct expr *expr, int32_t *value);
