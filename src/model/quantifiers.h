/* QUANTIFIERS - that each has values to go over.
 *
 * What Uppaal makes of `forall (i : int[1,0])` is not documented. It would be an error of the
 * evaluation that no analysis expects, so a model that has one is refused.
 */
#pragma once

#include "model/network.h"

/* Of the labels of all processes, and of functions and hooks; false (reported) if one has none. */
bool quantifiers_have_values(const struct network *network, struct environment *environment);
