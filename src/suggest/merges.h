/* MERGES - which merges may be worth it (P1, P2, P3, P5).
 *
 * Of an array, the cells of each zone are counted by the kind of their values, but for the kind
 * that cells have at first, which is the rest; and so are numbers that are used alike. A variable
 * becomes the number of the kind of its value. What is tied together is proposed together. Nothing
 * is said yet of whether it is exact.
 *
 * Lifetime: everything lives in the arena given.
 */
#pragma once

#include "suggest/cuts.h"

struct merge_proposal {
    VEC(const char *) arguments;                /* of --merge */
    VEC(const struct cut_variable *) variables; /* that are removed */
    bool counts;        /* cells of some array, or numbers that are used alike */
    bool is_index_seen; /* of some array */
    double gain; /* binary logarithm of how many times fewer combinations of values there are */
};

struct merge_proposals {
    VEC(struct merge_proposal) list; /* the greatest gain first */
};

/* Proposes merges for which these queries may be kept; new names are in no use in the model. */
void merges_propose(struct merge_proposals *proposals, struct arena *arena,
                    const struct network *network, const struct query *queries,
                    uint32_t query_count);
