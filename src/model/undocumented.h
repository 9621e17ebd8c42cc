/* UNDOCUMENTED - warns where a model depends on something that Uppaal's documentation leaves open.
 *
 * What varabs takes it to mean:
 *   - a variable without initialiser whose range excludes 0 starts at its lower bound;
 *   - a value parameter that is not const and is assigned is a variable of its process;
 *   - an initial state that violates an invariant is kept as the initial state (one whose
 *     invariant is too large to compute is an error);
 *   - the name of a location in an update means the location before the step;
 *   - a meta variable that is read before the step writes it keeps what was written last, and
 *     nothing is said that depends on which states are found first (persistent.h);
 *   - edges that leave branchpoints may have guards, and may lead to branchpoints;
 *   - an edge whose select has no values is never taken;
 *   - time does not pass where only an invariant forbids a step on an urgent channel;
 *   - operands, arguments and indices are evaluated from left to right.
 */
#pragma once

#include "model/network.h"

/* Whether it satisfies all invariants. */
bool initial_state_is_valid(const struct network *network);

void warn_undocumented(const struct network *network, struct diag *diag);
