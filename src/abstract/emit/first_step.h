/* FIRST STEP - writes a model whose initial state has the same steps, and no other edges.
 *
 * Whoever asks only whether there is a step at all need not read the rest of a large model. Edges
 * stay that leave an initial location, or a branchpoint, which is passed within a step.
 */
#pragma once

#include "abstract/emit/generator.h"

/* Takes out all other edges, after everything else was generated. */
void keep_first_step(struct generator *generator);
