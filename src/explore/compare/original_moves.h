/* ORIGINAL MOVES - which moves of an original a move of its mixed abstraction was made of.
 *
 * An action is known by its name; what an edge of the original became, if that is several edges, is
 * the action edge_N (MX1). Other edges are known by where they lead, then by all of their labels,
 * or by their order if there are as many here as there. Values of selects are the same under the
 * same name; those of selects that went are open.
 */
#pragma once

#include "explore/strategy/plan_rules.h"
#include "explore/visible/visible.h"

struct original_moves {
    VEC(uint32_t) list; /* of the original's coalition, in order */
    bool is_certain;    /* each of them, and no other one, is what the move was made of */
};

/* plan: the abstract one; coalition: the same in the original, whose moves have been found. */
void original_moves_find(struct original_moves *found, struct arena *arena,
                         const struct visible *visible, const struct strategy_plan *plan,
                         const struct coalition *coalition, const struct move *move);
