/* FRAME - assignments around an update that runs with removed variables still in it (S1, M2).
 *
 * The frame is the same in all cases: before the update the removed variables get values that they
 * may have, the update runs as it is, and after it they are forgotten.
 *
 *     before    m = m_old          one of the values that m may have in the source state
 *     items     x = m, f(), ...    as in the original, or without variables removed everywhere
 *     after     m = 0              where it rests
 *
 *                                                            before      after
 *     an edge out of the scope of m (S1)                     all cells   -
 *     an edge into it                                        -           all cells
 *     an edge within it, to where m rests at another value   -           m (S7)
 *     an update, where only some cells of m are removed      those read  those read or written
 *     a generated function of which m is a local (M2)        all cells   (it ends there)
 *
 * So a variable that stays declared holds one value wherever it is removed, by location. Items that
 * have no use before the items that follow are left out (M10).
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/edge/open_edge.h"

enum { FRAME_MAX_CELLS = 16 }; /* that one update may have to set from unknowns, by variable */

struct update_frame {
    struct context *context;
    struct open_edge *open;
    struct item_list before, after;
};

/* What a cell of a removed variable may hold when the update begins: an unknown, or its only value.
 */
const struct expr *frame_value(struct context *context, struct open_edge *open,
                               const struct removal *removal, uint32_t cell);
/* Gives a cell of the variable at home, which rests at a value, what it may hold; whether that is
 * an unknown. */
bool frame_set(struct update_frame *frame, const struct removal *removal, const struct symbol *home,
               uint32_t cell, int32_t rest);

/* Whether the first item that has to do with the variable gives it a new value as a whole. */
bool frame_sets_first(const struct open_edge *open, const struct removal *removal);
/* An update of an edge out of a scope finds other values than the guard says they were. */
void frame_store(struct context *context, struct open_edge *open, struct symbolic_store *store);
/* Puts the frame around the items of an open edge; is_function: they have become a call. False
 * (reported) where that cannot be done. */
bool frame_update(struct context *context, struct open_edge *open, bool is_function);

bool edge_leaves_scope(const struct removal *removal, const struct template *template,
                       const struct edge *edge);
/* Whether an edge does anything to a variable because it enters or leaves its scope, or moves
 * within it to where the variable rests at another value (S7). */
bool edge_crosses_scope(const struct request *request, const struct template *template,
                        const struct edge *edge);
