/* GUEST - where the host of a variable can be while another process has its part in a step.
 *
 * The locations of the host tell the places of the variable apart, though other processes name it,
 * too (owner.h). Two states are alike where all processes are at the same locations and each value
 * has the same class in its place. Why alike states have alike steps: the participants of a step
 * take their turns, the sender first, and each finds what the one before has left. The host moves
 * in its turn: before it the variable is in the place of the location that the host leaves, and
 * behind it in that of the one that it comes to. So it is enough that each turn alone leaves alike
 * what it finds alike:
 *  - That of the host is asked as if the variable were local: what it writes, and what it carries
 *    from one place to the other.
 *  - That of a guest is asked for each location of the host that can go with its own: while it is
 *    ready, sends or moves by itself, those where both can be at the same time; while it receives,
 *    those where the host has not moved yet, if another process can have sent, and those to which
 *    an edge of the host leads that can be in the step, as sender or as another receiver.
 *
 * A guest cannot ask where its host is. What it writes has to have the same classes at all of these
 * locations, and as the least value of a class or the initial one stands for it, the same values
 * that stand for others: it exchanges them wherever its update ends, and the host does wherever
 * what it carries needs it. So between steps the variable holds such values only.
 *
 * Where the host sends to one receiver, which gives the variable a value whatever it was, what the
 * host carries there is seen by nobody, and need not be alike.
 *
 * The processes of a template count together, as their edges are written once. A branchpoint is
 * passed within a step: all locations go with it, and the host has none. If there are invariants,
 * all locations go with whoever receives: they are asked behind steps, too, that they forbid.
 *
 * Invariants: over; never empty. Found when first asked for.
 * Lifetime:   in the arena given; the analysis is borrowed.
 * Errors:     none; past the budget all locations of the host count.
 */
#ifndef VARABS_CLASSES_GUEST_H
#define VARABS_CLASSES_GUEST_H

#include "approx/analysis.h"
#include "approx/pair.h"

struct guests;

struct guests *guests_new(struct arena *arena, struct analysis *analysis);

struct pairs *guests_pairs(const struct guests *guests);

/* The edge is one of the template, which is not that of the host; NULL: an invariant. It receives:
 * its update is run, behind that of the sender. */
const struct value_set *guests_find(struct guests *guests, const struct process *host,
                                    const struct template *template, const struct edge *edge,
                                    bool receives);

/* Whether whoever receives what an edge of the host sends overwrites a variable of one cell. */
bool guests_overwrite(struct guests *guests, const struct process *host, const struct edge *edge,
                      const struct symbol *symbol);

#endif
