/* SURE - when some edge that touches cells is enabled, whichever cells are of which kind (L2).
 *
 * Weaker than an outcome that must be: which of the edges it is, and what it does, is no matter.
 *
 *     owner[i] == 1 && owner[j] == 2 && i > j        a card of 1 and one of 2: one of them is greater
 *     owner[i] == 1 && owner[j] == 2 && i < j
 */
#pragma once

#include "abstract/cells/cases.h"
#include "abstract/cells/counts.h"

enum { SURE_MAX_EDGES = 16 };

/* One edge of a group: its members, and when they do not fail, by number; NULL = always. */
struct sure_edge {
    const struct member_list *members;
    const struct expr **guards;
};

/* Under: false if nothing is known. At most two edges are taken together. */
const struct expr *sure_by_counts(const struct counts *counts, const struct sure_edge *edges,
                                  uint32_t count);
