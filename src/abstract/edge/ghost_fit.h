/* GHOST FIT - whether what ghosts follow fits their types (rule S2). */
#pragma once

#include "abstract/edge/open_edge.h"

/* Whether the expression f of each ghost v == f(r) fits the type of v for all values of the removed
 * variables r; an error is reported where it does not. */
bool ghosts_fit(struct context *context);
