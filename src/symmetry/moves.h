/* MOVES - where an exchange of names moves the cells and processes of a network (rules Y6, Y7,
 * Y11).
 *
 * Lifetime: in the arena given.
 */
#pragma once

#include "symmetry/text.h"

struct moves {
    uint32_t *cell_of;    /* by address: where it goes */
    uint32_t *process_of; /* by process */
    bool is_tried;        /* right only if the order does not matter in which processes receive */
};

/* False if the exchange maps some cell or process to nothing, or does not keep constants and the
 * initial state; *why and *at say so then. A pair of processes with the same arguments may
 * be exchanged instead of names: the exchange is of no sort then. */
bool moves_find(struct moves *moves, struct arena *arena, const struct name_exchange *exchange,
                const uint32_t *pair, const char **why, struct span *at);

/* A cell of a variable, with the indices that lead to it. */
struct cell_path {
    uint32_t address;
    uint32_t leaf; /* the sort variable of its value */
    const uint32_t *variables;
    const int64_t *values; /* of the indices */
    uint32_t count;
};
enum { MAX_DIMENSIONS = 8 };
/* Every cell of a binding; false if one has too many indices. */
bool walk_cells(const struct sorts *sorts, const struct sort_tree *tree,
                const struct binding *binding,
                void (*visit)(void *context, const struct cell_path *path), void *context);
