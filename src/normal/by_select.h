/* BY SELECT - one assignment in place of several, for the cell that a select of the edge names:
 * x[i] = sent[i] ? 0 : x[i] in place of x[0] = sent[0] ? 0 : x[0], x[1] = sent[1] ? 0 : x[1].
 *
 * Lifetime: texts in the arena given.
 */
#ifndef VARABS_NORMAL_BY_SELECT_H
#define VARABS_NORMAL_BY_SELECT_H

#include "classes/classes.h"

/* The exchange in one cell. */
struct cell_text {
    const char *name, *value;
    const struct select_use *selects; /* by select of the edge, or NULL: nothing is known */
};

/* All that is exchanged at the end of an edge's update. */
struct edge_exchanges {
    struct arena *arena;
    const struct network *network;
    const struct template *template;
    const struct edge *edge;
    const struct cell_text *items;
    uint32_t count;
};

/* All of it, as items of an update. */
const char *by_select_text(const struct edge_exchanges *all);

#endif
