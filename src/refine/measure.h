/* MEASURE - how many states models have, as far as a short exploration gets. */
#ifndef VARABS_REFINE_MEASURE_H
#define VARABS_REFINE_MEASURE_H

#include "explore/space/search.h"
#include "suggest/suggest.h"

/* The states of a model; without a figure if it cannot be explored. */
struct measured measure_model(struct str model, const struct search_options *limits);

/* The original, all exact removals together, and the most promising others, each alone. */
void measure_suggestion(struct suggestion *suggestion, const struct search_options *limits);

#endif
