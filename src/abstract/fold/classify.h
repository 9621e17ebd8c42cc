/* CLASSIFY - which residuals are alike, so that they make one class (F3). */
#pragma once

#include "abstract/fold/residual.h"

/* Everything is the same but when they can be taken. Edges with chosen unknowns stay alone, and in
 * a mixed abstraction all edges do, since each is one move of an agent (MX1), unless the folder is
 * joining. */
bool residuals_act_alike(struct folder *folder, const struct residual *left,
                         const struct residual *right);
/* Everything but the guard is the same. */
bool residuals_are_alike(struct folder *folder, const struct residual *left,
                         const struct residual *right);
/* Fills the classes of a folder that has none. */
void residuals_classify(struct folder *folder);
