/* BY SELECT - one assignment in place of several, for the cell that a select of the edge names:
 * x[i] = sent[i] ? 0 : x[i] in place of x[0] = sent[0] ? 0 : x[0], x[1] = sent[1] ? 0 : x[1]. Where
 * all cells of an array get one constant, a call may stand for these assignments
 * (emit/cell_loops.h).
 *
 * Lifetime: texts in the arena given.
 */
#pragma once

#include "abstract/emit/cell_loops.h"
#include "classes/classes.h"
#include "model/network.h"
#include "xml/splice.h"

/* The exchange in one cell. */
struct cell_text {
    const struct symbol *variable;
    int64_t index; /* of its cell, if it is an array of cells */
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

/* A number, "true" or "false": it reads nothing. */
bool cell_value_is_constant(const char *value);

/* Counts the loops that could stand for some of it. */
void by_select_count(const struct edge_exchanges *all, struct cell_loops *loops);

/* All of it, as items of an update. */
const char *by_select_text(const struct edge_exchanges *all, const struct cell_loops *loops);

/* ---- selects that nothing reads any more ---- */

/* Selects that only left out assignments named (M10).
 *
 *     k : int[0,3] with x = k, x = 0        becomes        x = 0
 *
 * Lifetime: texts are those of the splices.
 */

/* Edits the select label of an edge whose update becomes this text. Selects that the update did not
 * name stay, and those that have no values in some process. */
void lost_selects_drop(struct splices *splices, const struct network *network,
                       const struct template *template, const struct edge *edge,
                       const char *update);
