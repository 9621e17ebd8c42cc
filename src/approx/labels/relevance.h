/* RELEVANCE - which slots the value analysis tracks (rule A4), and what labels read and write.
 *
 * Lifetime: the summary lives in the arena of the analysis.
 */
#pragma once

#include "approx/labels/fact.h"

/* Effects of single labels, by template index; those of whole edges are in the network. */
struct summary {
    struct effects ***items;      /* by edge, by update item */
    struct effects ***invariants; /* by location, conjunct */
    bool *has_receiving_branch;   /* some edge that leaves a branchpoint receives */
};

/* The parts of a guard or invariant taken apart at its `&&`. */
uint32_t conjunct_count(const struct expr *condition);

/* Sets analysis->summary. */
void relevance_summarise(struct analysis *analysis);

/* Variables that are removed or that flow, through guards, invariants and updates, into what
 * becomes of removed ones. Sets analysis->is_tracked. */
void relevance_compute(struct analysis *analysis);

/* The cells that a symbol is bound to in a process; NULL for selects and the like. */
const struct binding *relevance_binding(const struct network *network,
                                        const struct process *process, const struct symbol *symbol);

/* Calls back with the cells of every variable that some effects of the process name. */
typedef void (*variable_found)(void *context, const struct binding *binding,
                               const struct effect *effect);
void each_variable(const struct network *network, const struct process *process,
                   const struct effects *effects, variable_found found, void *context);

/* Calls back with each variable of channels, global and of processes; references are none. */
typedef void (*channels_found)(void *context, const struct symbol *symbol,
                               const struct binding *binding);
void each_channel_variable(const struct network *network, channels_found found, void *context);

/* Whether an update item can change a tracked slot of the process, so that it must be run. */
bool relevance_of_item(const struct analysis *analysis, const struct process *process,
                       const struct effects *item);
