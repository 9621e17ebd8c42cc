/* ANALYSIS - which values variables can have at each location (rules A1 to A7).
 *
 * D(p,l,G): for process p, location l and a group G of its slots, a superset of the values in any
 * reachable state with p at l. M(s): for a shared slot s, a superset of every value it ever
 * holds, within steps too (A2). Branchpoints count as locations that are left within a step.
 *
 * Only slots that matter are tracked: the removed ones and those that guards, invariants or other
 * tracked slots read (A4). The others are taken to have any value of their range.
 *
 * Lifetime: everything lives in the arena given at the start.
 * Errors:   --approx combined past its state budget is STATUS_LIMIT. A budget of single
 *           evaluations never fails: the result is coarser and a note says where (A5).
 */
#pragma once

#include "approx/labels/fact.h"

/* Analyses a network; is_removed marks the slots to be removed. NULL if a budget ended it. */
struct analysis *analyse(struct arena *arena, const struct network *network, const bool *is_removed,
                         const struct analysis_options *options, struct diag *diag);

/* Whether some process of the template can be at the location. */
bool analysis_reaches(const struct analysis *analysis, const struct template *template,
                      uint32_t location);

/* Values of one cell of a variable over all processes of the template that are at the location:
 * D for local variables, M for shared ones. is_within_step: as a receiver's update finds it. */
const struct value_set *analysis_values(struct analysis *analysis, const struct template *template,
                                        uint32_t location, const struct symbol *symbol,
                                        uint32_t offset, bool is_within_step);

/* Least and greatest value of a slot in all states, for a local one over all locations; an empty
 * range where its process is nowhere. False if its values are not followed one by one. */
bool analysis_slot_range(const struct analysis *analysis, uint32_t slot, int32_t *lower,
                         int32_t *upper);

/* Whether all processes of the template that can be at the location have the same values of a cell
 * there, and of what is related to it: then, what an edge fact says holds for all of them. */
bool analysis_is_uniform(const struct analysis *analysis, const struct template *template,
                         uint32_t location, const struct symbol *symbol, uint32_t offset);

/* One cell of a variable of the template. */
struct variable_cell {
    const struct symbol *symbol;
    uint32_t offset;
    bool is_within_step;
};

/* Joint values of several cells at a location; rows of count values, to be gone through, not asked
 * for. False if there are more than the limit. */
bool analysis_tuples(struct analysis *analysis, const struct template *template, uint32_t location,
                     const struct variable_cell *cells, uint32_t count, uint32_t limit,
                     struct tuple_set *tuples, struct arena *arena);
