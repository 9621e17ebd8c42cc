/* FOREIGN - where the tracker of a variable can be while another process has its part in a step.
 *
 * The locations of the tracker tell the points of the variable apart, though other processes name
 * it, too (owner.h). Two states are alike where all processes are at the same locations and each
 * value has the same class in its point. Why alike states have alike steps: the participants of a
 * step take their turns, the sender first, and each finds what the one before has left. The tracker
 * moves in its turn: before it the variable is in the point of the location that the tracker
 * leaves, and after it in that of the one that it comes to. So it is enough that each turn alone
 * leaves alike what it finds alike:
 *  - That of the tracker is asked as if the variable were local: what it writes, and what it
 *    carries from one point to the other.
 *  - That of a foreign process is asked for each location of the tracker that can go with its own:
 *    while it is ready, sends or moves by itself, those where both can be at the same time; while
 *    it receives, those where the tracker has not moved yet, if another process can have sent, and
 *    those to which an edge of the tracker leads that can be in the step, as sender or as another
 *    receiver.
 *
 * A foreign process cannot ask where its tracker is. What it writes has to have the same classes at
 * all of these locations, and as the least value of a class or the initial one stands for it, the
 * same values that stand for others: it exchanges them wherever its update ends, and the tracker
 * does wherever what it carries needs it. So between steps the variable holds such values only.
 *
 * Where the tracker sends to one receiver, which gives the variable a value whatever it was, what
 * the tracker carries there is seen by nobody, and need not be alike.
 *
 * The processes of a template count together, as their edges are written once. A branchpoint is
 * passed within a step: all locations go with it, and the tracker has none. If there are
 * invariants, all locations go with whoever receives: they are asked after steps, too, that they
 * forbid.
 *
 * Invariants: over; never empty. Found when first asked for.
 * Lifetime:   in the arena given; the analysis is borrowed.
 * Errors:     none; past the budget all locations of the tracker count.
 */
#pragma once

#include "approx/analysis.h"
#include "approx/co_locations.h"

struct foreign;

struct foreign *foreign_new(struct arena *arena, struct analysis *analysis);

/* Whether something is not known since it was too much work. */
bool foreign_is_over(const struct foreign *foreign);

struct co_locations *foreign_co_locations(const struct foreign *foreign);

/* The edge is one of the template, which is not that of the tracker; NULL: an invariant. It
 * receives: its update is run, after that of the sender. */
const struct value_set *foreign_find(struct foreign *foreign, const struct process *tracker,
                                     const struct template *template, const struct edge *edge,
                                     bool receives);

/* Whether whoever receives what an edge of the tracker sends overwrites a variable of one cell. */
bool foreign_overwrite(struct foreign *foreign, const struct process *tracker,
                       const struct edge *edge, const struct symbol *symbol);
