/* MEASURE - what a suggestion is worth in states, as far as a short exploration gets. */
#pragma once

#include "refine/by_query.h"
#include "suggest/suggest.h"

/* The models of --auto with values exchanged, for all queries and for some alone. */
struct exchanges {
    struct normal normal;
    struct by_query by_query;
};

/* The original; all exact removals together with values exchanged, and what is exact besides, as
 * exploring shows; and the most promising others, each alone and no further than the original goes:
 * these are listed by their worth afterwards, then by what was measured. The queries are those
 * given, as for normaliser_new. */
void measure_suggestion(struct suggestion *suggestion, const struct query_source *queries,
                        uint32_t query_count, const struct verify_options *limits,
                        struct exchanges *exchanges);
