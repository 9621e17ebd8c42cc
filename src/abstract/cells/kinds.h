/* KINDS - zones of cells, and the records that they may hold (F6).
 *
 * Lifetime: in the arena of the context.
 */
#pragma once

#include "abstract/cells/group.h"

/* Splits the zones by a set of positions. False if there are too many. */
bool cell_group_split(struct cell_group *group, const bool *is_in);
/* Adds a kind to a zone unless it has it. False if there are too many. */
bool cell_zone_add(struct cell_group *group, uint32_t zone, const int32_t *values);
/* What a cell holds at first, by field; of a process, if the arrays are its own. */
void cell_group_initial(const struct cell_group *group, const struct process *process,
                        uint32_t place, int32_t *values);
/* Adds the initial records. */
bool cell_group_start(struct cell_group *group);
/* Sets the weights of all kinds, and sees that all totals fit the types of the ghosts. */
bool cell_group_weigh(struct cell_group *group);
/* h of a record that is given by expressions, by field; NULL if the fold leaves the zone out. */
const struct expr *cell_operand(const struct cell_group *group, uint32_t fold, uint32_t zone,
                                const struct expr *const *values);
