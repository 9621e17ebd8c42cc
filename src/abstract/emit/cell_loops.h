/* CELL LOOPS - the call of a function in place of assignments of one constant to all cells of an
 * array, where that makes the model shorter: reset_x() for x[1] = 0, x[2] = 0, ...
 *
 *     void reset_x() { for (cell : id_t) x[cell] = 0; }
 *
 * An index that is a number would also keep its type from being a scalar set (Y17).
 *
 * Lifetime: texts in the arena given.
 */
#pragma once

#include "model/network.h"

/* An item of an update. */
struct cell_assignment {
    const struct symbol *variable; /* NULL: the item is anything else */
    int64_t index;                 /* of its cell */
    const char *value;             /* a constant as text */
    size_t size;                   /* characters of the item */
};

/* A function that gives all cells of an array the same value. */
struct cell_loop {
    const struct template *template; /* that has the edges with its calls */
    const struct symbol *variable;
    const char *value, *call, *text; /* the last is the function */
    size_t saved;                    /* characters of updates */
};

struct cell_loops {
    struct arena *arena;
    const struct network *network;
    VEC(struct cell_loop) list;
};

/* Counts what loops would save in an update. */
void cell_loops_count(struct cell_loops *loops, const struct template *template,
                      const struct cell_assignment *items, uint32_t count);

/* After all is counted: the call in place of the items from the first one on, as many as are
 * covered; NULL if they stay. */
const char *cell_loops_call(const struct cell_loops *loops, const struct template *template,
                            const struct cell_assignment *items, uint32_t count, uint32_t *covered);

/* The functions that edges of the template call, a line for each; "" for none. */
const char *cell_loops_text(const struct cell_loops *loops, const struct template *template);
