/* UNCALLED - functions of an output that nothing calls any more (M11).
 *
 * Where edges go, or what a function computes is written out, functions are left over, those of
 * them with parameters for what is removed. They go. What nothing called before stays as it was.
 */
#pragma once

#include "abstract/fold/model.h"
#include "xml/splice.h"

/* Takes them out of the output, but for those that the text asked (or NULL) names. The edits,
 * sorted, are those that made it; what they have not touched is not read again. */
void uncalled_drop(struct abstraction *abstraction, const struct splices *edits, const char *asked);
