/* REREAD - the edges of an output as it was written, beside those of the file that was read.
 *
 * Whatever has changed an edge on the way (processes told apart, references replaced, records taken
 * out, the fold, values exchanged at the end), its labels in the two say whether something has.
 *
 * Invariants: an edge keeps its element, copies follow it, and what is not folded stays (edge.h).
 * Lifetime:   of its own, from reread_open to reread_close.
 */
#pragma once

#include "abstract/fold/model.h"

struct reread {
    struct arena arena;
    const struct document *now;   /* what has become of the document, before the fold */
    struct document output;       /* it was read again */
    uint32_t **firsts;            /* by template and edge: the number of edges before it there */
    struct map edges_of_the_file; /* by where they begin */
};

/* The abstraction has an output. */
void reread_open(struct reread *reread, const struct abstraction *abstraction);
void reread_close(struct reread *reread);

/* Whether an output edge of a fold, by its place there, keeps the element of an edge of the file
 * and all that its labels say; white space does not count. */
bool reread_is_same(const struct reread *reread, const struct fold *fold, uint32_t place);
