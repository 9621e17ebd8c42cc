/* RELEVANCE - which slots the value analysis tracks (rule A4). */
#ifndef VARABS_APPROX_RELEVANCE_H
#define VARABS_APPROX_RELEVANCE_H

#include "approx/analysis.h"

/* Variables that are removed or that flow, through guards, invariants and updates, into what
 * becomes of removed ones. Sets analysis->is_tracked. */
void relevance_compute(struct analysis *analysis);

/* Whether an update item can change a tracked slot of the process, so that it must be run. */
bool relevance_of_item(const struct analysis *analysis, struct effects_table *table,
                       const struct process *process, const struct expr *item);

#endif
