/* CLASSIFY - which residuals are alike, so that they make one class (F3). */
#ifndef VARABS_ABSTRACT_FOLD_CLASSIFY_H
#define VARABS_ABSTRACT_FOLD_CLASSIFY_H

#include "abstract/fold/residual.h"

/* Everything but the guard is the same. In a mixed abstraction residuals of several edges are not,
 * unless the folder is joining. */
bool residuals_are_alike(struct folder *folder, const struct residual *left,
                         const struct residual *right);
/* Fills the classes of a folder that has none. */
void residuals_classify(struct folder *folder);

#endif
