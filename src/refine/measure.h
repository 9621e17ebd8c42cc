/* MEASURE - how many states models have, as far as a short exploration gets. */
#ifndef VARABS_REFINE_MEASURE_H
#define VARABS_REFINE_MEASURE_H

#include "suggest/suggest.h"

/* The states of a model; not known if it cannot be explored. The number's text is in the arena. */
struct measured measure_model(struct arena *arena, struct str model,
                              const struct verify_options *limits);

/* The original, all exact removals together, and the most promising others, each alone. */
void measure_suggestion(struct suggestion *suggestion, const struct verify_options *limits);

#endif
